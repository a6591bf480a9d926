package check_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/toolspec/toolspec/check"
	"github.com/toolspec/toolspec/spec"
)

// caseFindings are files of the shared cases, and where what is found in them: rule and place, or nothing of that rule.
var caseFindings = []struct{ file, rule, at string }{
	{"032-parent-and-child-default/list_items.yaml", "default-disagrees", "11:42"},
	{"034-default-behind-ref-and-allof/query.yaml", "default-unused", ""},
	{"036-enum-no-off-y/set_country.yaml", "ambiguous-scalar", ""},
	{"038-leading-zero-default/ship.yaml", "ambiguous-scalar", ""},
	{"040-id-above-2-53/get_order.yaml", "default", ""},
	{"042-bom-and-utf16/bom.json", "encoding", ""},
	{"042-bom-and-utf16/bom.yaml", "invisible", ""},
	{"042-bom-and-utf16/crlf.yaml", "invisible", ""},
	{"042-bom-and-utf16/utf16.yaml", "encoding", "1:1"},
	{"044-remote-and-file-ref/a.yaml", "schema", "7:17"},
	{"044-remote-and-file-ref/b.yaml", "schema", "7:17"},
	{"044-remote-and-file-ref/c.yaml", "schema", "7:17"},
	{"046-declared-draft-07/strange.yaml", "schema", "3:31"},
	{"048-top-level-oneof/open_doc.yaml", "provider-anthropic", "9:5"},
	{"048-top-level-oneof/open_doc.yaml", "provider-mcp", ""},
	{"050-no-parameters/n1.yaml", "schema", ""},
	{"050-no-parameters/n2.yaml", "schema", ""},
	{"050-no-parameters/n3.yaml", "schema", ""},
	{"050-no-parameters/n4.yaml", "schema", ""},
	{"050-no-parameters/r1.yaml", "type", "3:21"},
	{"050-no-parameters/r2.yaml", "schema", "3:28"},
	{"050-no-parameters/r3.yaml", "schema", "3:28"},
	{"052-narrow-provider-keywords/fetch_page.yaml", "provider-gemini", "9:9"},
	{"052-narrow-provider-keywords/fetch_page.yaml", "provider-mcp", ""},
	{"056-missing-json-wrapper/plain.yaml", "unknown-key", ""},
	{"056-missing-json-wrapper/short.yaml", "schema", "7:13"},
	{"056-missing-json-wrapper/snake.yaml", "unknown-key", "3:1"},
	{"056-missing-json-wrapper/tab.yaml", "syntax", "4:1"},
	{"058-default-breaks-own-schema/s.yaml", "default", "10:18"},
}

// TestCases judges what users wrote elsewhere. The files are contracts: an executor is put below.
func TestCases(t *testing.T) {
	dir := filepath.Join("..", "..", "shared", "cases")
	if _, err := os.Stat(dir); err != nil && os.Getenv("CI") == "" {
		t.Skip("*** NOT TESTED: the cases are not beside this checkout (../shared/cases)")
	}
	for _, c := range caseFindings {
		source, err := os.ReadFile(filepath.Join(dir, c.file))
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(c.file, ".yaml") && !strings.Contains(c.file, "utf16.yaml") {
			source = append(source, "\nexecutor: {expr: toJSON(input)}\n"...)
		}
		ds := check.Lint([]*check.File{file(c.file, source)}, check.Options{Providers: check.Providers()})
		if have := firstOf(ds, c.rule); have != c.at {
			t.Errorf("%s: %s at %q, want %q: %v", c.file, c.rule, have, c.at, ds)
		}
	}
}

// firstOf is the line and column of the first finding of a rule; empty if there is none.
func firstOf(ds spec.Diagnostics, rule string) string {
	for _, d := range ds {
		if d.Rule == rule {
			return strings.TrimPrefix(d.Pos.String(), d.File+":")
		}
	}
	return ""
}
