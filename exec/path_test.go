package exec

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/toolspec/toolspec/spec"
)

// pathParameters are fields of which some can be chosen freely.
const pathParameters = "inputSchema: {properties: {x: {type: string}, n: {type: integer}, e: {enum: [a, b]}}}\n"

// TestPathsThatACallMayChoose: a file of the tool's author says below which directory; else it does not load.
func TestPathsThatACallMayChoose(t *testing.T) {
	const refused = "a call would choose any path on the machine"
	for path, want := range map[string]string{
		"/${input.x}": refused, "//${input.x}": refused, "///a${input.x}": refused, "/${state.x}": refused,
		"${input.x}": "", " ${input.x} ": "", "${input.x}/a": "", "a${input.x}": "", "${input.n}${input.x}": "", "${ \"/\" + input.x }": "",
		"a/${input.x}": "", "./${input.x}": "", "../${input.x}": "", "/srv/${input.x}": "", "${dir.work}/${input.x}": "", "${dir.work}/a-${input.x}.txt": "", "${env.HOME}/${input.x}/b": "",
		"${input.e}": "", "${input.n}.txt": "", "${ input.n == 1 ? \"a\" : \"b\" }": "", "${dir.work}": "", "${input.e}/${input.x}": "", "plain": "",
	} {
		for _, executor := range []string{"command: {argv: [ls], cwd: '%'}", "http: {url: 'http://a.example/', body: {file: '%'}}", "http: {url: 'http://a.example/', body: {multipart: {a: {file: '%'}}}}"} {
			file := pathParameters + "executor: {" + strings.ReplaceAll(executor, "%", path) + "}\n"
			s, ds := spec.Parse("t.yaml", []byte("name: t\ndescription: d\n"+file))
			if ds.HasErrors() {
				t.Fatal(ds)
			}
			_, ds = StandardKinds().Compile(nil, s)
			if said := ds.Error(); want == "" && ds.HasErrors() || want != "" && !strings.Contains(said, want) {
				t.Errorf("%s: have %s, want %q", file, said, want)
			}
		}
	}
}

// TestPathsStayBelow: where they lead.
func TestPathsStayBelow(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, made := range []string{"in/deep", "out"} {
		if err := os.MkdirAll(filepath.Join(dir, made), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("../out", filepath.Join(dir, "in", "link")); err != nil {
		t.Skipf("no links here: %v", err)
	}
	written := compile(t, pathParameters+"executor: {command: {argv: [pwd], cwd: 'in/${input.x}'}}\n", nil, func(e *Env) { e.WorkDir = dir })
	silent := compile(t, pathParameters+"executor: {command: {argv: [pwd], cwd: '${input.x}'}}\n", nil, func(e *Env) { e.WorkDir = filepath.Join(dir, "in") })
	const leads, missing = "within the directory", "there is no such directory"
	for given, want := range map[string]string{
		"": "in", ".": "in", "deep": "in/deep", "deep/": "in/deep", dir + "/in/deep": "in/deep", dir + "/in": "in",
		"..": leads, "../out": leads, "deep/..": leads, "deep/../..": leads, "/": leads, "/etc": leads, dir + "/out": leads, "link": leads, "link/": leads, "a\x00": leads,
		"none": missing, "deep/none": missing,
	} {
		for _, tool := range []*Tool{written, silent} {
			r := tool.Call(t.Context(), input(t, map[string]any{"x": given}))
			if want == leads || want == missing {
				if codeOf(r) != spec.CodeInvalidInput || !strings.Contains(text(r), want) || strings.Contains(text(r), dir) {
					t.Errorf("%q: have %s, want %q", given, text(r), want)
				}
			} else if have := text(r); have != filepath.Join(dir, want) {
				t.Errorf("%q: have %s, want %s", given, have, want)
			}
		}
	}
}

// TestVariablesThatSteer: what decides which programs run is not for a call to choose.
func TestVariablesThatSteer(t *testing.T) {
	load := func(name, value string) string {
		file := "executor: {command: {argv: [env], env: {" + name + ": '" + value + "'}}}\n"
		s, ds := spec.Parse("t.yaml", []byte("name: t\ndescription: d\n"+pathParameters+file))
		if ds.HasErrors() {
			t.Fatal(ds)
		}
		_, ds = StandardKinds().Compile(nil, s)
		return ds.Error()
	}
	for _, name := range []string{
		"PATH", "LD_PRELOAD", "LD_LIBRARY_PATH", "DYLD_INSERT_LIBRARIES", "BASH_ENV", "ENV", "IFS", "NODE_OPTIONS", "PYTHONPATH", "PERL5OPT", "GIT_SSH_COMMAND", "GIT_CONFIG_COUNT", "HOME", "PAGER", "EDITOR",
		"http_proxy", "HTTPS_PROXY", "JAVA_TOOL_OPTIONS", "RUBYOPT", "LESSOPEN", "KUBECONFIG", "DOCKER_HOST", "GOFLAGS", "SSL_CERT_FILE",
	} {
		if have := load(name, "${input.x}"); !strings.Contains(have, "no call may choose it") || !strings.HasPrefix(have, "t.yaml:4:") {
			t.Errorf("%s from the input: have %s", name, have)
		}
		for _, fine := range []string{"/usr/lib", "${input.e}", "${dir.work}/lib", "${input.n}", "${secret.A}", "${ input.n == 1 ? \"a\" : \"b\" }"} {
			if have := load(name, fine); strings.Contains(have, "no call may choose it") {
				t.Errorf("%s: %s: have %s", name, fine, have)
			}
		}
	}
	for _, name := range []string{"CITY", "GIT_AUTHOR_NAME", "LESSON", "GOAL", "PAGES", "MAKER", "TOKEN", "NODE_ID", "X"} {
		if have := load(name, "${input.x}"); have != "" {
			t.Errorf("%s: have %s", name, have)
		}
	}
}
