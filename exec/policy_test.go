package exec

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/toolspec/toolspec/spec"
)

// readPolicy reads a policy that stands in a directory of its own, with a directory secrets beside it.
func readPolicy(t testing.TB, text string) (Policy, spec.Diagnostics, string) {
	t.Helper()
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "secrets"), 0o700); err != nil {
		t.Fatal(err)
	}
	p, ds := StandardKinds().ReadPolicy(filepath.Join(dir, "policy.yaml"), []byte(text))
	return p, ds, dir
}

func TestReadPolicy(t *testing.T) {
	p, ds, dir := readPolicy(t, `
kinds: [http, expr]
egress: {hosts: [api.example.com, '*.example.org', 192.0.2.7, '2001:db8::7'], private: [10.0.0.0/8, intern.example]}
path: /usr/bin:/bin
env: [LANG, API]
secrets: {env: X_, dir: secrets, command: [sh, -c, 'echo "$1"', '${name}'], keyring: my-tools}
defaults: {timeout: 5s, rate: 5/m}
limits: {timeout: 1m, output: 32KiB, concurrency: 4, queue: 9, rate: 7/s}
`)
	if len(ds) > 0 {
		t.Fatal(ds)
	}
	sh, _ := p.findProgram("sh", "")
	want := Policy{
		File: filepath.Join(dir, "policy.yaml"), Kinds: []string{"http", "expr"},
		Egress: Egress{Hosts: []string{"api.example.com", "*.example.org", "192.0.2.7", "2001:db8::7"}, Private: []string{"10.0.0.0/8", "intern.example"}},
		Path:   "/usr/bin:/bin", EnvNames: []string{"LANG", "API"},
		Secrets:  Secrets{Prefix: "X_", Dir: filepath.Join(dir, "secrets"), Command: []string{sh, "-c", `echo "$1"`, "${name}"}, Keyring: "my-tools"},
		Defaults: Bounds{Timeout: 5 * time.Second, Output: 32 << 10, Read: 8 << 20, Rate: spec.Rate{N: 5, Per: time.Minute}}, // a silent file gets no more than one may ask for
		Limits:   Bounds{Timeout: time.Minute, Output: 32 << 10, Read: 64 << 20, Concurrency: 4, Queue: 9, Rate: spec.Rate{N: 7, Per: time.Second}},
	}
	if have, want := renderJSON(policyData(p)), renderJSON(policyData(want)); have != want {
		t.Errorf("have %s\nwant %s", have, want)
	}
}

// policyData is a policy without what JSON has no form for.
func policyData(p Policy) any {
	s := p.Secrets
	return []any{p.File, p.Kinds, p.Egress, p.Path, p.EnvNames, s.Prefix, s.Dir, s.Command, s.Keyring, p.Defaults, p.Limits}
}

// What a policy file does not say is as without one, and a file that names other sources of secrets does not have the
// environment asked.
func TestAPolicyThatSaysLittle(t *testing.T) {
	p, ds, _ := readPolicy(t, "{}")
	p.File = ""
	if have, want := renderJSON(policyData(p)), renderJSON(policyData(DefaultPolicy())); have != want || len(ds) > 0 {
		t.Errorf("have %s %v\nwant %s", have, ds, want)
	}
	p, _, _ = readPolicy(t, "secrets: {dir: secrets}")
	if p.Secrets.Prefix != "" || p.complete().Secrets.Prefix != "" {
		t.Errorf("have the prefix %q", p.Secrets.Prefix)
	}
	if p, _, _ = readPolicy(t, "egress: {hosts: [], private: true}\nenv: []"); p.complete().Egress.reach().hosts.has("x.example") || len(p.EnvNames) > 0 ||
		!p.Egress.reach().private.has("10.0.0.1") {
		t.Error("an empty list is none at all")
	}
}

func TestPolicyFaults(t *testing.T) {
	for text, want := range map[string]string{
		"kinds: [comand]":                               "1:9: kinds[0]: unknown kind comand: did you mean command?",
		"kinds: [mcp]":                                  "1:9: kinds[0]: the kind mcp is not supported by this version",
		"kinds: []":                                     "1:8: kinds: want the kinds that tool files may use, have none",
		"kinds: http":                                   "1:8: kinds: want a list",
		"egres: {}":                                     "1:1: unknown key egres: did you mean egress?",
		"egress: {host: [x]}":                           "1:10: unknown key egress.host: did you mean hosts?",
		"egress: {hosts: ['https://x']}":                "1:18: egress.hosts[0]: want a host such as",
		"egress: {hosts: ['x:80']}":                     "1:18: egress.hosts[0]: want a host such as",
		"egress: {hosts: ['a.*.example']}":              "1:18: egress.hosts[0]: want a host such as",
		"egress: {hosts: ['*example']}":                 "1:18: egress.hosts[0]: want a host such as",
		"egress: {hosts: [127.1]}":                      "1:18: egress.hosts[0]: want a host such as",
		"egress: {hosts: [10.0.0.0/8]}":                 "1:18: egress.hosts[0]: want a host, have the network 10.0.0.0/8",
		"egress: {private: 'yes'}":                      "1:19: egress.private: want true, false, or a list",
		"egress: {private: ['*']}":                      "1:20: egress.private[0]: write private: true for all",
		"egress: {private: [10.0.0.0/33]}":              "1:20: egress.private[0]: want a host such as",
		"path: bin":                                     "1:7: path: want absolute directories",
		"path: ''":                                      "1:7: path: want absolute directories",
		"env: [A-B]":                                    "1:7: env[0]: want the name of a variable",
		"env: [TOOLSPEC_SECRET_X]":                      "1:7: env[0]: TOOLSPEC_SECRET_X holds a secret",
		"secrets: {env: MY_}\nenv: [MY_TOKEN]":          "2:7: env[0]: MY_TOKEN holds a secret",
		"secrets: {}":                                   "1:10: secrets: want env, dir, command or keyring, have none",
		"secrets: {env: ''}":                            "1:16: secrets.env: want what the names of variables start with",
		"secrets: {dir: nowhere}":                       "1:16: secrets.dir: there is no directory",
		"secrets: {dir: ''}":                            "1:16: secrets.dir: want a directory",
		"secrets: {keyring: ''}":                        "1:20: secrets.keyring: want the service that the keyring has the secrets under",
		"secrets: {keyring: []}":                        "1:20: secrets.keyring: want a text",
		"secrets: {command: []}":                        "1:20: secrets.command: want a program and its arguments",
		"secrets: {command: ['${name}']}":               "1:20: secrets.command: want a program and its arguments",
		"secrets: {command: [sh, x]}":                   "1:20: secrets.command: want ${name} in one of the arguments",
		"secrets: {command: [sh, '${env.X}']}":          "1:20: secrets.command: want ${name} in one of the arguments: it stands for the secret's name\n1:25: secrets.command[1]: ${name} is all that can stand in it",
		"secrets: {command: [no-sh, '${name}']}":        "1:21: secrets.command[0]: it runs the command no-sh, which is not found on PATH",
		"secrets: {command: [./x, '${name}']}":          "1:21: secrets.command[0]: it runs the command ./x, but there is no",
		"defaults: {timeout: 2h}":                       "1:21: defaults.timeout: want at most 1h0m0s, which is limits.timeout, have 2h0m0s",
		"defaults: {output: 2MiB}":                      "1:20: defaults.output: want at most 1MiB, which is limits.output, have 2MiB",
		"defaults: {read: 65MiB}":                       "1:18: defaults.read: want at most 64MiB, which is limits.read, have 65MiB",
		"defaults: {output: 64Kb}":                      "1:20: defaults.output: want a size such as",
		"limits: {timeout: 0s}":                         "1:19: limits.timeout: want a duration",
		"limits: {concurrency: 0}":                      "1:23: limits.concurrency: want a whole number from 1 to 10000",
		"limits: {queue: many}":                         "1:17: limits.queue: want a whole number from 1 to 10000",
		"limits: {rate: 10/d}":                          "1:16: limits.rate: want a number of calls in a second, minute or hour, such as 10/s",
		"defaults: {concurrency: 16}":                   "1:25: defaults.concurrency: want at most 15, so that no tool can hold all 16 places of limits.concurrency, have 16",
		"{defaults: {rate: 2/s}, limits: {rate: 90/m}}": "1:19: defaults.rate: want at most 90/m, which is limits.rate, have 2/s",
		"defaults: {queue: 3}":                          "1:12: unknown key defaults.queue: write it under limits",
		"sandbox: {level: half}":                        "1:18: sandbox.level: want none, landlock, landlock+ns or full, have \"half\"",
		"sandbox: {mode: full}":                         "1:11: unknown key sandbox.mode: write level",
		"sandbox: full":                                 "1:10: sandbox: want a map",
		"sandbox: {read: ['${env.HOME}/x']}":            "1:18: sandbox.read[0]: want a path as it is",
		"sandbox: {write: ['${dir.work}']}":             "1:19: sandbox.write[0]: want a path as it is",
		"sandbox: {read: [~x]}":                         "1:18: sandbox.read[0]: want an absolute path",
		"sandbox: {write: [.]}":                         "1:19: sandbox.write[0]: ",
		"sandbox: {write: [policy.yaml]}":               "1:19: sandbox.write[0]: ",
		"confirm: {destructive: true}":                  "1:1: unknown key confirm: not supported by this version",
		"lock: ''":                                      "1:7: lock: want the path of a lock, as toolspec lock writes it, have nothing",
		"lock: [a]":                                     "1:7: lock: want a text, have a list",
		"path: /bin\npath: /bin":                        "2:1: key \"path\" is given twice",
	} {
		p, ds, _ := readPolicy(t, text)
		file := ""
		if len(ds) > 0 {
			file = ds[0].File + ":"
		}
		if have := strings.ReplaceAll(ds.Error(), file, ""); !strings.HasPrefix(have, want) || !ds.HasErrors() {
			t.Errorf("%s: have %s\nwant %s", text, have, want)
		}
		if have := renderJSON(policyData(p)); have != renderJSON(policyData(Policy{})) {
			t.Errorf("%s: there is a policy nevertheless: %s", text, have)
		}
	}
	if _, ds, _ := readPolicy(t, "kinds: [x]\negres: 1\nconfirm: y"); len(ds) != 3 {
		t.Errorf("want all that is wrong at once, have %v", ds)
	}
}

func TestPolicyFileThatAnybodyMayWrite(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a mode does not show it there")
	}
	dir := t.TempDir()
	policy, secrets := filepath.Join(dir, "policy.yaml"), filepath.Join(dir, "secrets")
	if err := os.WriteFile(policy, []byte("secrets: {dir: secrets}"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(secrets, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		path string
		mode os.FileMode
		want string // empty: it is read
	}{
		{policy, 0o644, ""},
		{policy, 0o666, "every user of this machine may write this file"},
		{dir, 0o777, "every user of this machine may put another in its place"},
		{dir, 0o777 | os.ModeSticky, ""},
		{secrets, 0o777, "every user of this machine may write in "},
		{secrets, 0o755, ""},
	} {
		before, _ := os.Stat(c.path)
		if err := os.Chmod(c.path, c.mode); err != nil {
			t.Fatal(err)
		}
		_, ds := StandardKinds().LoadPolicy(policy)
		if (c.want == "") != (len(ds) == 0) || !strings.Contains(ds.Error(), c.want) {
			t.Errorf("%s %o: have %v, want %q", c.path, c.mode, ds, c.want)
		}
		if err := os.Chmod(c.path, before.Mode()); err != nil {
			t.Fatal(err)
		}
	}
	below := filepath.Join(dir, "below")
	link := filepath.Join(t.TempDir(), "link.yaml")
	if err := errors.Join(os.Mkdir(below, 0o700), os.WriteFile(filepath.Join(below, "p.yaml"), []byte("{}"), 0o600), os.Symlink(filepath.Join(below, "p.yaml"), link), os.Chmod(dir, 0o777)); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{filepath.Join(below, "p.yaml"), link} {
		if _, ds := StandardKinds().LoadPolicy(path); !strings.Contains(ds.Error(), "put another in its place; take that right away, as with: chmod o-w "+dir) {
			t.Errorf("%s: have %v", path, ds)
		}
	}
	elsewhere := filepath.Join(t.TempDir(), "policy.yaml")
	if err := os.WriteFile(elsewhere, []byte("secrets: {dir: '"+below+"'}"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, ds := StandardKinds().LoadPolicy(elsewhere); !strings.Contains(ds.Error(), "put another in its place; take that right away, as with: chmod o-w "+dir) {
		t.Errorf("secrets: have %v", ds)
	}
	if err := os.Chmod(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{filepath.Join(dir, "none"): "there is no such file", dir: "want a file"} {
		if _, ds := StandardKinds().LoadPolicy(path); !strings.Contains(ds.Error(), want) {
			t.Errorf("%s: have %v, want %s", path, ds, want)
		}
	}
}

// TestFilesNarrowAPolicyAndNeverWidenIt has each refusal at its place, with what the operator would change.
func TestFilesNarrowAPolicyAndNeverWidenIt(t *testing.T) {
	policy := Policy{
		File: "p.yaml", Kinds: []string{"http", "expr", "pipeline"}, EnvNames: []string{"LANG"}, Egress: Egress{Hosts: []string{"*.example.org", "192.0.2.7"}},
		Limits: Bounds{Timeout: time.Minute, Output: 32 << 10},
	}
	for file, want := range map[string]string{
		"executor: {http: {url: 'https://a.example.org/${env.LANG}'}}\ntimeout: 1m\nresult: {limit: {bytes: 32KiB}}": "",
		"executor: {http: {url: 'https://A.EXAMPLE.org./'}}":                                                         "",
		"executor: {http: {url: 'http://192.0.2.7:81/'}}":                                                            "",
		"executor: {command: {argv: [sh]}}":                                                                          "3:11: executor: the operator's policy does not allow the kind command; it allows http, expr, pipeline; to allow it, add command to kinds in p.yaml",
		"executor: {pipeline: [{id: a, command: {argv: [sh]}}]}":                                                     "3:31: executor.pipeline[0]: the operator's policy does not allow the kind command; it allows",
		"executor: {pipeline: [{id: a, pipeline: [{id: b, func: f}]}]}":                                              "3:50: executor.pipeline[0].pipeline[0]: the operator's policy does not allow the kind func",
		"executor: {pipeline: [{id: a, tool: other}]}":                                                               "",
		"executor: {http: {url: 'https://example.org/'}}":                                                            "3:25: executor.http.url: no request may go to example.org: it is not among egress.hosts of the operator's policy; to allow it, add example.org to egress.hosts in p.yaml",
		"executor: {http: {url: 'https://a.example.org.evil.example/${env.LANG}'}}":                                  "3:25: executor.http.url: no request may go to a.example.org.evil.example",
		"executor: {http: {url: 'http://169.254.169.254/'}}":                                                         "3:25: executor.http.url: no request may go to 169.254.169.254: it is a cloud's metadata service",
		"executor: {expr: 'env.HOME'}":                                                                               "3:23: env.HOME is not allowed; the operator allows LANG; to allow it, add HOME to env in p.yaml",
		"executor: {expr: '1'}\ntimeout: 61s":                                                                        "4:10: timeout: want at most 1m0s, which is the operator's limit, have 1m1s; to allow it, write limits: {timeout: 1m1s} in p.yaml",
		"executor: {expr: '1'}\nresult: {limit: {bytes: 33KiB}}":                                                     "4:25: result.limit.bytes: want at most 32768 bytes, which is the operator's limit, have 33792; to allow it, write limits: {output: 33792} in p.yaml",
	} {
		s, _ := spec.Parse("t.yaml", []byte("name: t\ndescription: A tool.\n"+file))
		_, ds := StandardKinds().Compile(&Env{Policy: policy, Funcs: map[string]Executor{"f": give(1)}}, s)
		have := strings.ReplaceAll(ds.Error(), "t.yaml:", "")
		if want == "" && len(ds) > 0 || !strings.HasPrefix(have, want) {
			t.Errorf("%s\nhave %s\nwant %s", file, have, want)
		}
	}
}

func TestTouches(t *testing.T) {
	t.Setenv("API", "http://192.0.2.7")
	sh, _ := DefaultPolicy().findProgram("sh", "")
	for file, want := range map[string]Touch{
		"executor: {expr: 'env.LANG'}\ntimeout: 3s":                                {Kinds: []string{"expr"}, Env: []string{"LANG"}, Timeout: "3s"},
		"executor: {expr: '1'}\nlimits: {concurrency: 3, rate: 5/m}":               {Kinds: []string{"expr"}, Concurrency: 3, Rate: "5/m"},
		"executor: {expr: 'toJSON(env)'}":                                          {Kinds: []string{"expr"}, Env: []string{"API", "LANG"}},
		"executor: {func: f}\nresult: {limit: {bytes: 1KiB}}":                      {Kinds: []string{"func"}, Funcs: []string{"f"}, Output: 1 << 10},
		"executor: {command: {shell: 'date', env: {A: '${secret.K}'}}}":            {Kinds: []string{"command"}, Programs: []Program{{Name: "sh", Path: sh, Shell: "date"}}, Secrets: []string{"K"}},
		"executor: {command: {argv: [no-such-program]}}":                           {Kinds: []string{"command"}, Programs: []Program{{Name: "no-such-program"}}},
		"executor: {http: {url: 'https://a.example:8443/${input.x}'}}":             {Kinds: []string{"http"}, Hosts: []string{"a.example:8443"}},
		"executor: {http: {url: 'https://a.example/', redirects: 2}}":              {Kinds: []string{"http"}, Hosts: []string{"*", "a.example"}, Redirect: true},
		"executor: {http: {url: '${env.API}/x'}}":                                  {Kinds: []string{"http"}, Hosts: []string{"${env.API}"}, Env: []string{"API"}},
		"executor: {http: {url: '${input.url}'}}":                                  {Kinds: []string{"http"}, Hosts: []string{"*"}},
		"executor: {http: {url: '${env.API}'}}":                                    {Kinds: []string{"http"}, Hosts: []string{"${env.API}"}, Env: []string{"API"}},
		"executor: {pipeline: [{id: a, tool: b}, {id: c, http: {url: http://x}}]}": {Kinds: []string{"http", "pipeline"}, Hosts: []string{"x"}, Tools: []string{"b"}},
	} {
		tool := compile(t, anyInput+file+"\n", give(1), func(e *Env) { e.Policy.EnvNames = []string{"API", "LANG"} })
		want.Tool, want.Read = "t", 8<<20
		if want.Concurrency == 0 {
			want.Concurrency = 8
		}
		if want.Timeout == "" {
			want.Timeout = "30s"
		}
		if want.Output == 0 {
			want.Output = 64 << 10
		}
		if have, want := renderJSON(tool.Touches()), renderJSON(want); have != want {
			t.Errorf("%s\nhave %s\nwant %s", file, have, want)
		}
	}
}

func TestPolicyGrammarKnowsEveryKey(t *testing.T) {
	g := StandardKinds().PolicyGrammar()
	properties := g["properties"].(map[string]spec.Grammar)
	for _, key := range spec.KeysOf(policyConfig{}) {
		if properties[key]["description"] == nil {
			t.Errorf("nothing is said of %s", key)
		}
	}
	if kinds := properties["kinds"]["items"].(spec.Grammar)["enum"].([]string); !slices.Equal(kinds, StandardKinds().Names()) {
		t.Errorf("have %q", kinds)
	}
}
