package main

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"html"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// canary is a secret that every process of an end-to-end test is given, and no tool of these tests is to let out.
const (
	canaryName  = "TOOLSPEC_SECRET_CANARY"
	canaryValue = `canary/é+"<&>%secret\7f3a91`
)

// leastSecret is the length from which on secrets are kept in; shorter ones would be found in everything.
const leastSecret = 6

// writtenForms are the ways in which a secret could leave, written down anew: what masks is not asked what it masks.
func writtenForms(secret string) map[string]string {
	quoted, _ := json.Marshal(secret)
	var plain bytes.Buffer
	e := json.NewEncoder(&plain)
	e.SetEscapeHTML(false)
	_ = e.Encode(secret)
	forms := map[string]string{
		"as it is": secret, "for a query": url.QueryEscape(secret), "for a path": url.PathEscape(secret), "in JSON": string(quoted[1 : len(quoted)-1]),
		"in plain JSON": plain.String()[1 : plain.Len()-2], "in HTML": html.EscapeString(secret), "in Go": strings.Trim(strconv.Quote(secret), `"`),
		"in hex": hex.EncodeToString([]byte(secret)), "in HEX": strings.ToUpper(hex.EncodeToString([]byte(secret))),
	}
	for name, encoding := range map[string]*base64.Encoding{"base64": base64.StdEncoding, "base64 of URLs": base64.URLEncoding} {
		for shift := range 3 {
			text := encoding.EncodeToString([]byte(strings.Repeat("\x00", shift) + secret + "\x00\x00\x00"))
			// the groups that hold nothing but the secret
			first, last := (shift+2)/3*4, (shift+len(secret))/3*4
			if last-first >= leastSecret {
				forms[fmt.Sprintf("in %s, %d on", name, shift)] = text[first:last]
			}
		}
	}
	return forms
}

// chunkBreak is what HTTP puts between two pieces of a body.
var chunkBreak = regexp.MustCompile(`\r\n[0-9a-f]+\r\n`)

// leaks finds secrets of at least so many bytes in a text.
func leaks(text []byte, secrets []string, least int) (found []string) {
	whole := chunkBreak.ReplaceAll(text, nil)
	for _, secret := range secrets {
		if len(secret) < least {
			continue
		}
		for how, form := range writtenForms(secret) {
			if i := max(bytes.Index(text, []byte(form)), bytes.Index(whole, []byte(form))); i >= 0 {
				found = append(found, fmt.Sprintf("%q %s", secret, how))
			}
		}
	}
	slices.Sort(found)
	return found
}

// searchTaps finds, in all that the processes of a test said, the secrets that any of them had; streams is how many there were.
func searchTaps(dir string, least int) (found []string, streams int, err error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.*"))
	if err != nil {
		return nil, 0, err
	}
	var secrets []string
	for _, file := range files {
		if filepath.Ext(file) != "."+tapSecrets {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, 0, err
		}
		var some []string
		if err := json.Unmarshal(text, &some); err != nil {
			return nil, 0, fmt.Errorf("%s: %w", file, err)
		}
		secrets = append(secrets, some...)
	}
	slices.Sort(secrets)
	secrets = slices.Compact(secrets)
	for _, file := range files {
		if filepath.Ext(file) == "."+tapSecrets {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, 0, err
		}
		streams++
		for _, leak := range leaks(text, secrets, least) {
			found = append(found, filepath.Base(file)+": "+leak)
		}
	}
	return found, streams, nil
}

// checkTaps fails a test whose processes let a secret out.
func checkTaps(t testing.TB, dir string) {
	t.Helper()
	found, _, err := searchTaps(dir, leastSecret)
	if err != nil {
		t.Error(err)
	}
	for _, leak := range found {
		t.Errorf("a secret left the process: %s", leak)
	}
}

// builtDir is where it is, which TestMain removes.
var builtDir string

// built is the program with a tap in it, built once for all end-to-end tests, and the directory that it is in.
var built = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "toolspec-e2e-")
	if err != nil {
		return "", err
	}
	builtDir = dir
	overlay, err := tapOverlay(dir)
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, "toolspec")
	out, err := exec.Command("go", "build", "-overlay", overlay, "-o", path, ".").CombinedOutput()
	if err != nil {
		return string(out), err
	}
	return path, nil
})

// tapOverlay has the program built with the tap of tap_test.go: its main is another in this one point.
func tapOverlay(dir string) (string, error) {
	const plain = "live(standard())"
	text, err := os.ReadFile("main.go")
	if err != nil {
		return "", err
	}
	if bytes.Count(text, []byte(plain)) != 1 {
		return "", fmt.Errorf("main.go does not say %s", plain)
	}
	main := filepath.Join(dir, "main.go")
	if err := os.WriteFile(main, bytes.Replace(text, []byte(plain), []byte("live(tapped(standard()))"), 1), 0o600); err != nil {
		return "", err
	}
	here, err := os.Getwd()
	if err != nil {
		return "", err
	}
	overlay, err := json.Marshal(map[string]any{"Replace": map[string]string{
		filepath.Join(here, "main.go"): main, filepath.Join(here, "tap.go"): filepath.Join(here, "tap_test.go"),
	}})
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, "overlay.json")
	return path, os.WriteFile(path, overlay, 0o600)
}

// program is the built program. What its processes say is searched for their secrets when the test ends.
func program(t testing.TB) string {
	t.Helper()
	if *ready != "" {
		return *ready
	}
	path, err := built()
	if err != nil {
		t.Fatalf("go build: %v\n%s", err, path)
	}
	own := filepath.Join(filepath.Dir(path), "of", filepath.FromSlash(strings.Map(fileRune, t.Name())))
	linked := filepath.Join(own, filepath.Base(path))
	if _, err := os.Stat(linked); err == nil {
		return linked // it has asked before
	}
	tap := filepath.Join(own, "tap")
	if err := os.MkdirAll(tap, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Link(path, linked); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		checkTaps(t, tap)
		if err := os.RemoveAll(own); err != nil {
			t.Error(err)
		}
	})
	return linked
}

// fileRune keeps the name of a test to what a directory can be called.
func fileRune(r rune) rune {
	if strings.ContainsRune(` :*?"<>|'\`, r) {
		return '_'
	}
	return r
}

// TestTapsFindWhatLeaves: every form, in every stream, cut up by HTTP; and a process that lets a secret out, as one too short
// to be kept in is.
func TestTapsFindWhatLeaves(t *testing.T) {
	for how, form := range writtenForms(canaryValue) {
		text := "before " + form + " after"
		if found := leaks([]byte(text), []string{canaryValue}, leastSecret); !slices.ContainsFunc(found, func(f string) bool { return strings.HasSuffix(f, how) }) {
			t.Errorf("%s: not found in %q", how, text)
		}
		half := len(text) / 2
		if found := leaks([]byte(text[:half]+"\r\n1f\r\n"+text[half:]), []string{canaryValue}, leastSecret); len(found) == 0 {
			t.Errorf("%s: not found in two chunks", how)
		}
	}
	if found := leaks([]byte("nothing of it"), []string{canaryValue}, leastSecret); len(found) > 0 {
		t.Errorf("found where there is none: %v", found)
	}
	path, err := built()
	if err != nil {
		t.Fatalf("%v\n%s", err, path)
	}
	dir, taps := t.TempDir(), t.TempDir()
	write(t, filepath.Join(dir, "say.yaml"), "name: say\ndescription: Says it.\nexecutor: {command: {shell: 'echo $X; echo $X >&2; exit 1', env: {X: '${secret.SHORT}'}}}\n")
	t.Setenv(tapVariable, taps)
	t.Setenv("TOOLSPEC_SECRET_SHORT", "q7-z!")
	if out, err := exec.Command(path, "call", "-d", dir, "say").CombinedOutput(); !bytes.Contains(out, []byte("q7-z!")) {
		t.Fatalf("%v\n%s", err, out)
	}
	found, streams, err := searchTaps(taps, 5)
	if err != nil || streams < 2 || len(found) == 0 || !strings.Contains(found[0], ".stderr: \"q7-z!\" ") {
		t.Errorf("of %d streams: found %v, %v", streams, found, err)
	}
}
