package check_test

import (
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/toolspec/toolspec/check"
)

// TestSecretsAreNotPrinted: no message, of whatever rule or fault, holds a secret of the file, nor is its line shown; also where
// the file cannot be read.
func TestSecretsAreNotPrinted(t *testing.T) {
	archive, err := txtar.ParseFile("../testdata/lint/secret.txtar")
	if err != nil {
		t.Fatal(err)
	}
	broken := txtar.File{Name: "bad_syntax.yaml", Data: []byte("name: book\n\"sk-proj-Zq3vT8mWp0LrX5nKcD7y\": *sk-proj-Zq3vT8mWp0LrX5nKcD7y\n")}
	values := []string{
		"sk-proj-Zq3", "ghp_9fQ2m", "hunter22", "Tr0ub4dor", "q9f8w7e6", "AKIAQ7F3", "0f2a9c4e", "Zm9vYmFy", "xoxb-2938", "eyJhbGci", "MIIBOgIB",
	}
	for _, f := range append(archive.Files, broken) {
		if !strings.HasPrefix(f.Name, "bad") {
			continue
		}
		judged := file(f.Name, f.Data)
		for _, d := range check.Lint([]*check.File{judged}, check.Options{}) {
			for _, value := range values {
				if strings.Contains(d.Message, value) {
					t.Errorf("%s: %s", f.Name, d.Error())
				}
			}
		}
		hidden := judged.HiddenLines()
		for i, line := range strings.Split(string(f.Data), "\n") {
			for _, value := range values {
				if strings.Contains(line, value) && !hidden[i+1] {
					t.Errorf("%s: line %d would be shown", f.Name, i+1)
				}
			}
		}
	}
}
