package check_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/toolspec/toolspec/check"
	"github.com/toolspec/toolspec/spec"
)

// TestTooManyTools: what a request of a provider holds is judged where the tools are judged together.
func TestTooManyTools(t *testing.T) {
	var files []*check.File
	for i := range 129 {
		name := fmt.Sprintf("tool_%03d", i)
		files = append(files, file(name+".yaml", []byte("name: "+name+"\ndescription: Use it. Do not use it.\nexecutor: {expr: '1'}\n")))
	}
	many := func(n int, o check.Options) int {
		ds := check.Lint(files[:n], o)
		return len(slices.DeleteFunc(ds, func(d spec.Diagnostic) bool {
			return !strings.HasPrefix(d.Rule, "provider-") || !strings.Contains(d.Message, "128") || d.File != "tool_128.yaml"
		}))
	}
	for _, c := range []struct{ files, providers, want int }{{128, 2, 0}, {129, 2, 2}, {129, 0, 0}} {
		o := check.Options{Together: true, Providers: []string{"openai", "gemini", "mcp"}[:c.providers]}
		if have := many(c.files, o); have != c.want {
			t.Errorf("%+v: have %d", c, have)
		}
	}
}

// TestTooManyTokens: what a directory costs is held against what models have room for.
func TestTooManyTokens(t *testing.T) {
	var files []*check.File
	for i := range 5 {
		name := fmt.Sprintf("tool_%d", i)
		files = append(files, file(name+".yaml", []byte("name: "+name+"\ndescription: "+strings.Repeat("word ", 10_000)+"\nexecutor: {expr: '1'}\n")))
	}
	for _, c := range []struct {
		files int
		want  string
	}{{3, ""}, {5, "provider-mcp"}} {
		ds := check.Lint(files[:c.files], check.Options{Together: true, Providers: []string{"mcp", "gemini"}})
		ds = slices.DeleteFunc(ds, func(d spec.Diagnostic) bool { return !strings.HasPrefix(d.Rule, "provider-") })
		if have := ruleOf(ds); have != c.want || len(ds) > 1 {
			t.Errorf("%d files: have %v", c.files, ds)
		}
	}
}

// TestSilencedForOneProvider: what is allowed of a provider's rule is no fault where that rule does not run.
func TestSilencedForOneProvider(t *testing.T) {
	source := "# toolspec:allow provider-openai we map names back\n# toolspec:allow provider-mcp there is nothing\nname: open.doc\ndescription: Use it. Do not use it.\nexecutor: {expr: '1'}\n"
	for provider, want := range map[string]string{
		"openai": "", "gemini": "", "bedrock": "provider-bedrock", "mcp": "allow",
	} {
		ds := check.Lint([]*check.File{file("open.doc.yaml", []byte(source))}, check.Options{Providers: []string{provider}})
		ds = slices.DeleteFunc(ds, func(d spec.Diagnostic) bool { return d.Rule == "portable-name" })
		if have := ruleOf(ds); have != want {
			t.Errorf("%s: have %q, want %q: %v", provider, have, want, ds)
		}
	}
}

func ruleOf(ds spec.Diagnostics) string {
	if len(ds) == 0 {
		return ""
	}
	return ds[0].Rule
}
