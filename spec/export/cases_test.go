package export_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/toolspec/toolspec/spec"
	"github.com/toolspec/toolspec/spec/export"
)

// TestCases exports the files of the reported cases about what providers refuse: alternatives at the root, no parameters, keywords
// that are too many for some, the wrapper json or none.
func TestCases(t *testing.T) {
	cases := "../../../shared/cases"
	if _, err := os.Stat(cases); os.IsNotExist(err) && os.Getenv("CI") == "" {
		t.Skip("*** NOT TESTED: the reported cases are not beside this checkout (../shared/cases)")
	}
	for file, loads := range map[string]bool{
		"044-remote-and-file-ref/a.yaml": false, "044-remote-and-file-ref/b.yaml": false,
		"048-top-level-oneof/open_doc.yaml": true,
		"050-no-parameters/n1.yaml":         true, "050-no-parameters/n2.yaml": true, "050-no-parameters/n3.yaml": true, "050-no-parameters/n4.yaml": true,
		"052-narrow-provider-keywords/fetch_page.yaml": true,
		"056-missing-json-wrapper/plain.yaml":          true, "056-missing-json-wrapper/short.yaml": false, "056-missing-json-wrapper/snake.yaml": false,
	} {
		src, err := os.ReadFile(filepath.Join(cases, file))
		if err != nil {
			t.Fatal(err)
		}
		s, ds := spec.Parse(file, []byte(strings.TrimRight(string(src), "\n")+"\nexecutor: {expr: '1'}\n"))
		if loaded := !ds.HasErrors(); loaded != loads {
			t.Errorf("%s: loads: %v, want %v: %v", file, loaded, loads, ds)
			continue
		}
		for _, format := range export.Formats() {
			if loads {
				t.Run(file+" "+format, func(t *testing.T) { testExport(t, format, []*spec.Spec{s}) })
			}
		}
	}
}
