package exec

import (
	"context"
	"errors"
	"os"
	osexec "os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/toolspec/toolspec/spec"
)

// noSandbox is one that can do less than full.
type noSandbox struct{}

func (noSandbox) Has(level Level) error {
	if level == LevelFull {
		return errors.New("there are no namespaces")
	}
	return nil
}

func (noSandbox) Confine(*osexec.Cmd, Confinement) (Confined, error) {
	return nil, &SandboxError{"it went away"}
}

// confinedTool compiles a command in a directory with a sandbox.
func confinedTool(t *testing.T, dir, command string, policy Policy) (*Tool, spec.Diagnostics) {
	t.Helper()
	src := "name: t\ndescription: A tool.\ninputSchema: {properties: {x: {type: string}}}\nexecutor:\n  command: " + command + "\n"
	s, ds := spec.Parse(filepath.Join(dir, "t.yaml"), []byte(src))
	if ds.HasErrors() {
		t.Fatal(ds)
	}
	if policy.EnvNames == nil {
		policy.EnvNames = []string{"DATA", "ABSENT"}
	}
	return StandardKinds().Compile(&Env{Policy: policy, WorkDir: workOf(dir), Sandbox: noSandbox{}}, s)
}

// workOf is a directory to work in that is not one of tools.
func workOf(dir string) string { return filepath.Join(filepath.Dir(dir), "work") }

func grantedTo(tool *Tool) Granted { return *tool.executor.(*commandExecutor).granted }

func TestGrants(t *testing.T) {
	home, dir := t.TempDir(), resolve(t.TempDir())
	t.Setenv("HOME", home)
	t.Setenv("DATA", "/srv/data")
	work := workOf(dir)
	confined := func(level Level, read, write []string) Policy {
		return Policy{File: "policy.yaml", Sandbox: Confinement{Level: level, Read: read, Write: write}}
	}
	for _, c := range []struct {
		command string
		policy  Policy
		want    Granted
	}{
		{`{argv: [ls], sandbox: {}}`, Policy{}, Granted{LevelLandlock, nil, nil, false}},
		{`{argv: [ls], sandbox: {read: [/a/../b, ~/c, '${dir.work}/d', '${env.DATA}', '${env.ABSENT}'], write: ['${dir.work}'], network: true}}`, Policy{},
			Granted{LevelLandlock, []string{"/b", filepath.Join(home, "c"), filepath.Join(work, "d"), "/srv/data"}, []string{work}, true}},
		{`{argv: [ls]}`, confined(LevelNamespaces, []string{"/srv"}, []string{"/out"}), Granted{LevelNamespaces, []string{"/srv"}, []string{"/out"}, false}},
		{`{argv: [ls], sandbox: {read: [/srv/x, /out/y]}}`, confined(LevelNamespaces, []string{"/srv"}, []string{"/out"}), Granted{LevelNamespaces, []string{"/srv/x", "/out/y"}, nil, false}},
		{`{argv: [ls], sandbox: {read: [/anything]}}`, confined(LevelNone, nil, nil), Granted{LevelLandlock, []string{"/anything"}, nil, false}},
		{`{argv: [ls], sandbox: {write: ['${dir.tool}/_cache/x']}}`, Policy{}, Granted{LevelLandlock, nil, []string{filepath.Join(dir, "_cache/x")}, false}},
	} {
		tool, ds := confinedTool(t, dir, c.command, c.policy)
		if ds.HasErrors() {
			t.Errorf("%s: %v", c.command, ds)
			continue
		}
		c.want.Read, c.want.Write = orEmpty(c.want.Read), orEmpty(c.want.Write)
		if have, want := renderJSON(grantedTo(tool)), renderJSON(c.want); have != want || !tool.scratch {
			t.Errorf("%s: have %s\nwant %s", c.command, have, want)
		}
		if have, want := renderJSON(tool.Touches().Programs[0].Sandbox), renderJSON(c.want); have != want {
			t.Errorf("%s: touches %s\nwant %s", c.command, have, want)
		}
	}
	if tool, ds := confinedTool(t, dir, `{argv: [ls]}`, Policy{}); ds.HasErrors() || tool.executor.(*commandExecutor).sandbox != nil {
		t.Errorf("a command is confined that nobody asked to be: %v", ds)
	}
}

func TestGrantsThatAreRefused(t *testing.T) {
	dir := t.TempDir()
	outside := t.TempDir()
	link := filepath.Join(outside, "link")
	if err := os.Symlink("/var", link); err != nil {
		t.Skip("no links here: ", err)
	}
	operator := Policy{File: "policy.yaml", Sandbox: Confinement{Level: LevelLandlock, Read: []string{"/srv", outside}}}
	for command, want := range map[string]string{
		`{argv: [ls], sandbox: {read: ['${input.x}']}}`:     "5:42: executor.command.sandbox.read[0]: want a path that is known when the file is read",
		`{argv: [ls], sandbox: {read: ['${call.user}']}}`:   "5:42: executor.command.sandbox.read[0]: want a path that is known when the file is read",
		`{argv: [ls], sandbox: {write: ['${secret.X}']}}`:   "5:43: executor.command.sandbox.write[0]: want a path that is known when the file is read",
		`{argv: [ls], sandbox: {read: [data]}}`:             "5:42: executor.command.sandbox.read[0]: want an absolute path",
		`{argv: [ls], sandbox: {read: [~root/x]}}`:          "5:42: executor.command.sandbox.read[0]: want an absolute path",
		`{argv: [ls], sandbox: {read: ["/a\0b"]}}`:          "5:42: executor.command.sandbox.read[0]: no path can hold a NUL",
		`{argv: [ls], sandbox: {write: ['${dir.tool}']}}`:   "5:43: executor.command.sandbox.write[0]: " + dir + " must not be writable",
		`{argv: [ls], sandbox: {write: [/]}}`:               "5:43: executor.command.sandbox.write[0]: / must not be writable",
		`{argv: [ls], sandbox: {write: ['${dir.tool}/x']}}`: "5:43: executor.command.sandbox.write[0]: " + dir + "/x must not be writable",
		`{argv: [ls], sandbox: {level: full}}`:              "5:35: unknown key executor.command.sandbox.level: the operator's policy says it",
		`{argv: [ls], sandbox: true}`:                       "5:34: executor.command.sandbox: want a map",
		`{argv: [ls], sandbox: {network: 'yes'}}`:           "executor.command.sandbox.network: want true or false",
	} {
		if _, ds := confinedTool(t, dir, command, Policy{}); !strings.Contains(ds.Error(), want) {
			t.Errorf("%s: have %s\nwant %s", command, ds, want)
		}
	}
	for command, want := range map[string]string{
		`{argv: [ls], sandbox: {read: [/srvx]}}`:              "5:42: executor.command.sandbox.read[0]: the operator's policy does not let commands read /srvx; to allow it, add /srvx to sandbox.read in policy.yaml",
		`{argv: [ls], sandbox: {write: [/srv]}}`:              "5:43: executor.command.sandbox.write[0]: the operator's policy does not let commands write /srv; to allow it, add /srv to sandbox.write in policy.yaml",
		`{argv: [ls], sandbox: {read: ['` + link + `']}}`:     "does not let commands read " + link, // it leads out of what is granted
		`{argv: [ls], sandbox: {read: [/srv/../etc]}}`:        "does not let commands read /etc",
		`{argv: [ls], sandbox: {network: true}}`:              "5:44: executor.command.sandbox.network: the operator's policy does not give commands the network; to allow it, write network: true under sandbox in policy.yaml",
		`{argv: [ls], sandbox: {read: [/srv], write: [~/x]}}`: "does not let commands write",
	} {
		if _, ds := confinedTool(t, dir, command, operator); !strings.Contains(ds.Error(), want) {
			t.Errorf("%s: have %s\nwant %s", command, ds, want)
		}
	}
	flagged := Policy{EnvNames: []string{}, Sandbox: Confinement{Level: LevelLandlock}}
	if _, ds := confinedTool(t, dir, `{argv: [ls], sandbox: {read: [/srv]}}`, flagged); !strings.Contains(ds.Error(), "; to allow it, name a policy that has sandbox: {read: [/srv]}") {
		t.Error(ds)
	}
	flagged.Sandbox.Write = []string{filepath.Dir(dir)}
	if _, ds := confinedTool(t, dir, `{argv: [ls]}`, flagged); !strings.Contains(ds.Error(), "sandbox.write of the operator's policy: "+filepath.Dir(dir)+" must not be writable") {
		t.Error(ds)
	}
}

// A command that cannot be confined as far as it is asked to be does not run.
func TestNeverLessThanAsked(t *testing.T) {
	for want, policy := range map[string]Policy{
		"unavailable: its command is to run in a sandbox (full), which is not to be had here: there are no namespaces": {EnvNames: []string{}, Sandbox: Confinement{Level: LevelFull}},
		"unavailable: ls was not run, since it must be confined: it went away":                                         {EnvNames: []string{}, Sandbox: Confinement{Level: LevelLandlock}},
	} {
		dir := filepath.Join(t.TempDir(), "tools")
		if err := os.MkdirAll(workOf(dir), 0o750); err != nil {
			t.Fatal(err)
		}
		tool, ds := confinedTool(t, dir, `{argv: [ls]}`, policy)
		if ds.HasErrors() {
			t.Fatal(ds)
		}
		r := tool.Call(context.Background(), Call{})
		if r.Metadata.Error == nil || !strings.Contains(string(r.Metadata.Error.Code)+": "+strings.TrimPrefix(*r.Content[0].Text, "Error: "), want) {
			t.Errorf("have %v %s\nwant %s", r.Metadata.Error, *r.Content[0].Text, want)
		}
	}
	if err := (&Env{}).HasSandbox(LevelLandlock); err == nil {
		t.Error("an Env without a sandbox has one")
	}
}

func TestWhatAProgramNeeds(t *testing.T) {
	dir := resolve(t.TempDir())
	t.Setenv("HOME", filepath.Join(dir, "home"))
	for _, path := range []string{"v/bin", "v/lib", "v/shims", "home/bin", "home/shims", "tools"} {
		if err := os.MkdirAll(filepath.Join(dir, path), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	at := func(path string) string { return filepath.Join(dir, path) }
	for path, text := range map[string]string{"tools/run": "#!/usr/bin/env -S A=b step one\n", "v/bin/step": "#!" + at("home/last") + "\n", "home/last": "\x7fELF", "tools/t.yaml": ""} {
		if err := os.WriteFile(at(path), []byte(text), 0o755); err != nil { // #nosec G306 -- programs
			t.Fatal(err)
		}
	}
	if os.Symlink(at("tools/run"), at("tools/alias")) != nil {
		t.Skip("no links here")
	}
	s := &Site{Env: &Env{Policy: Policy{Path: at("v/bin") + ":" + at("v/shims") + ":" + at("home/shims") + ":/usr/bin"}}, Spec: &spec.Spec{Pos: spec.Pos{File: at("tools/t.yaml")}}}
	have := strings.ReplaceAll(strings.Join(s.needed(at("tools/alias")), " "), dir+"/", "")
	if want := "home/last home/shims tools tools/alias tools/run v v/bin v/bin/step v/lib v/shims"; have != want {
		t.Errorf("have %s\nwant %s", have, want)
	}
}
