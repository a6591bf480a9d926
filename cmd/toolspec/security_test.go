package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestSecurityPromisesAreShown: each test that SECURITY.md names is there, and each section that it points to.
func TestSecurityPromisesAreShown(t *testing.T) {
	root := filepath.Join("..", "..")
	read := func(file string) string {
		text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(file)))
		if err != nil {
			t.Error(err)
		}
		return string(text)
	}
	text := read("SECURITY.md")
	links := regexp.MustCompile(`\[([^\]]+)\]\(([^)#]+)(#[^)]*)?\)`).FindAllStringSubmatch(text, -1)
	tests := 0
	for _, m := range links {
		name, file, anchor := m[1], m[2], strings.TrimPrefix(m[3], "#")
		target := read(file)
		switch {
		case strings.HasPrefix(name, "Test"):
			if tests++; !strings.Contains(target, "\nfunc "+name+"(t *testing.T)") {
				t.Errorf("%s has no %s", file, name)
			}
		case anchor != "" && !hasHeading(target, anchor):
			t.Errorf("%s has no section #%s", file, anchor)
		}
	}
	if tests < 20 {
		t.Errorf("have %d tests; a promise names what shows it", tests)
	}
	if !strings.Contains(read("README.md"), "](SECURITY.md)") {
		t.Error("the README does not link SECURITY.md")
	}
	for _, line := range strings.Split(section(text, "## Against", "## What is not promised"), "\n- ")[1:] {
		if promise, _, _ := strings.Cut(line, "\n\n"); !strings.Contains(promise, "[Test") {
			t.Errorf("nothing shows that %.80s", promise)
		}
	}
}

func section(text, from, to string) string {
	_, text, _ = strings.Cut(text, from)
	text, _, _ = strings.Cut(text, to)
	return text
}

// hasHeading tells whether a page has a heading with this anchor, as GitHub makes them.
func hasHeading(page, anchor string) bool {
	strange := regexp.MustCompile(`[^\p{L}\p{N} _-]`)
	for _, m := range regexp.MustCompile(`(?m)^#+ (.*)$`).FindAllStringSubmatch(page, -1) {
		if strings.ReplaceAll(strange.ReplaceAllString(strings.ToLower(m[1]), ""), " ", "-") == anchor {
			return true
		}
	}
	return false
}
