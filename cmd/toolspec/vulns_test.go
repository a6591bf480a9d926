package main

import (
	"cmp"
	"net/http"
	"net/http/httptest"
	"os"
	osexec "os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// madeUp is a fault that nobody has found, in a function that the program itself calls or does not.
const madeUp = `{"schema_version": "1.3.1", "id": "GO-2000-0001", "modified": "2000-01-01T00:00:00Z", "published": "2000-01-01T00:00:00Z",
"details": "made up", "database_specific": {"url": "https://example.com"}, "affected": [{"package": {"name": "stdlib", "ecosystem": "Go"},
"ranges": [{"type": "SEMVER", "events": [{"introduced": "0"}]}],
"ecosystem_specific": {"imports": [{"path": "flag", "symbols": ["SYMBOL"]}]}}]}`

// TestKnownVulnerabilities: what is found fails, what cannot be looked up is said aloud, and neither is taken for the other.
func TestKnownVulnerabilities(t *testing.T) {
	if testing.Short() {
		t.Skip("builds govulncheck")
	}
	govulncheck := installed(t)
	database := func(symbol string) string {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "GO-2000-0001.json"), []byte(strings.ReplaceAll(madeUp, "SYMBOL", symbol)), 0o600); err != nil {
			t.Fatal(err)
		}
		return "file://" + filepath.ToSlash(dir)
	}
	portal := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.Write([]byte("<h1>Log in</h1>")) }))
	defer portal.Close()
	silent := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }))
	defer silent.Close()
	closed := httptest.NewServer(nil)
	closed.Close()
	const unchecked = "\nNOT CHECKED FOR KNOWN VULNERABILITIES: the database cannot be reached\n"

	for _, c := range []struct {
		name, db, packages string
		fails              bool
		says, neverSays    string
		wait               string
	}{
		{"a function that we call", database("Parse"), "./testdata/vulns", true, "KNOWN VULNERABILITIES: see above", "NOT CHECKED", ""},
		{"a function that we do not call", database("UintVar"), "./testdata/vulns", false, "", "VULNERABILITIES", ""},
		{"packages that are not there", database("Parse"), "./nowhere", true, "vulns: govulncheck: ", "VULNERABILITIES", ""},
		{"nobody listens", closed.URL, "./testdata/vulns", false, unchecked, "see above", ""},
		{"something else answers", portal.URL, "./testdata/vulns", false, unchecked, "see above", ""},
		{"nothing is answered", silent.URL, "./testdata/vulns", false, unchecked, "see above", "1s"},
		{"no such directory", "file:///nowhere", "./testdata/vulns", false, unchecked, "see above", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			cmd := osexec.Command("go", "run", "./testdata/vulns", "-wait", cmp.Or(c.wait, "1m"), "-db", c.db, govulncheck, c.packages)
			cmd.Dir = filepath.Join("..", "..")
			var stdout, stderr strings.Builder
			cmd.Stdout, cmd.Stderr = &stdout, &stderr
			err := cmd.Run()
			if (err != nil) != c.fails || !strings.Contains(stderr.String(), c.says) || strings.Contains(stderr.String(), c.neverSays) {
				t.Errorf("%v\nstdout: %s\nstderr: %s", err, &stdout, &stderr)
			}
		})
	}
}

// installed is the govulncheck that the Makefile names.
func installed(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "Makefile"))
	if err != nil {
		t.Fatal(err)
	}
	named := regexp.MustCompile(`(?m)^VULNS *= *(\S+)$`).FindSubmatch(text)
	if named == nil {
		t.Fatal("the Makefile names no govulncheck")
	}
	dir := t.TempDir()
	install := osexec.Command("go", "install", string(named[1]))
	install.Env = append(os.Environ(), "GOBIN="+dir)
	if out, err := install.CombinedOutput(); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatalf("%v\n%s", err, out)
		}
		t.Skipf("govulncheck is not to be had here: %v\n%s", err, out)
	}
	return filepath.Join(dir, "govulncheck")
}
