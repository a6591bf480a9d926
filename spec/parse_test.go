package spec_test

import (
	"testing"

	"github.com/toolspec/toolspec/spec"
)

func digestOf(t *testing.T, file, src string) string {
	t.Helper()
	s, ds := spec.Parse(file, []byte(src))
	if s == nil {
		t.Fatalf("%s: %v", src, ds)
	}
	return s.Digest
}

// TestDigest changes what a file says, and how it says it.
func TestDigest(t *testing.T) {
	const src = "name: x\ndescription: Some words\nexecutor: {command: {argv: [date, -u, 0640, yes]}}\n"
	first := digestOf(t, "a.yaml", src)
	for name, same := range map[string]string{
		"comments":   "# one\nname: x # two\n\ndescription:   Some words\nexecutor: {command: {argv: [date, -u, 0640, yes]}}\n",
		"block":      "name: x\ndescription: Some words\nexecutor:\n  command:\n    argv:\n      - date\n      - -u\n      - 0640\n      - yes\n",
		"key order":  "executor: {command: {argv: [date, -u, 0640, yes]}}\ndescription: Some words\nname: x\n",
		"quotes":     "name: \"x\"\n'description': 'Some words'\nexecutor: {command: {argv: [date, \"-u\", 0640, 'yes']}}\n",
		"folded":     "name: x\ndescription: >-\n  Some\n  words\nexecutor: {command: {argv: [date, -u, 0640, yes]}}\n",
		"aliases":    "name: &n x\ndescription: Some words\nexecutor: &e\n  command: &c {argv: [date, -u, 0640, yes]}\n",
		"line ends":  "name: x\r\ndescription: Some words\r\nexecutor: {command: {argv: [date, -u, 0640, yes]}}\r\n",
		"a bom":      "\uFEFF" + src,
		"a document": "---\n" + src + "...\n",
		"tests":      "tests: [{name: one, expect: {text: x}}]\n" + src,
	} {
		if digestOf(t, "b/c.yml", same) != first {
			t.Errorf("%s: another digest", name)
		}
	}
	for name, other := range map[string]string{
		"a word":       "name: x\ndescription: Other words\nexecutor: {command: {argv: [date, -u, 0640, yes]}}\n",
		"characters":   "name: x\ndescription: Some words\nexecutor: {command: {argv: [date, -u, 640, yes]}}\n",
		"a form":       "name: x\ndescription: Some words\nexecutor: {command: {argv: [date, -u, '0640', yes]}}\n",
		"order":        "name: x\ndescription: Some words\nexecutor: {command: {argv: [-u, date, 0640, yes]}}\n",
		"nesting":      "name: x\ndescription: Some words\nexecutor: {command: {argv: [[date, -u], 0640, yes]}}\n",
		"one list":     "name: x\ndescription: Some words\nexecutor: {command: {argv: [date, '-u,0640', yes]}}\n",
		"a result":     src + "result: {suggestion: y}\n",
		"a null":       src + "result: null\n",
		"requirements": src + "requires: {os: [linux]}\n",
	} {
		if s, _ := spec.Parse("a.yaml", []byte(other)); s != nil && s.Digest == first {
			t.Errorf("%s: the same digest", name)
		}
	}
	yaml := digestOf(t, "a.yaml", "name: x\ndescription: d\nexecutor: {expr: {x: '1', y: 1.0, z: true}}\n")
	json := digestOf(t, "a.json", `{"executor": {"expr": {"z": true, "x": "\u0031", "y": 1.0}}, "description": "d", "name": "x"}`)
	if yaml != json {
		t.Error("YAML and JSON that say the same have different digests")
	}
}

func TestParse(t *testing.T) {
	s, ds := spec.Parse("tools/x.yaml", []byte("# x\nname: x\ntitle: An x\ndescription: d\ntags: [a, 1]\ntimeout: 2m\nannotations: {readOnlyHint: true, openWorldHint: false}\nrequires: {commands: [git], env: [HOME], os: [linux]}\nexecutor: {command: {argv: [date]}}\nresult: {suggestion: s}\n"))
	if s == nil {
		t.Fatal(ds)
	}
	switch {
	case s.Name != "x", s.Title != "An x", s.Description != "d", len(s.Tags) != 2 || s.Tags[1] != "1", s.Timeout.String() != "2m0s",
		s.Annotations.ReadOnly == nil || !*s.Annotations.ReadOnly, s.Annotations.OpenWorld == nil || *s.Annotations.OpenWorld, s.Annotations.Destructive != nil,
		s.Requires.Commands[0].Value != "git", s.Requires.Env[0].Value != "HOME", s.Requires.OS[0].Value != "linux",
		s.Kind != "command", s.Config.Path() != "executor.command", s.Result.Path() != "result", s.Input != nil, s.Output != nil,
		s.Pos.String() != "tools/x.yaml:2:7":
		t.Errorf("have %+v", s)
	}
}
