//go:build linux

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A tool runs as the same user, and its caller may have it read any file: what this program's own variables are is in none.
func TestTheServersEnvironmentIsInNoFile(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "peek.yaml"), `name: peek
description: Reads the variables of whoever started it, and tells its own.
executor:
  command:
    shell: |
      tr '\0' '\n' < /proc/$PPID/environ
      echo "own $LC_ALL"
`)
	write(t, filepath.Join(dir, "given.yaml"), "name: given\ndescription: Is given a secret.\nexecutor: {command: {argv: [printenv, X], env: {X: '${secret.PEEKED}'}}}\n")
	run := func(tool string) string {
		cmd := exec.Command(program(t), "call", "-d", dir, "--json", tool)
		cmd.Env = append(os.Environ(), "TOOLSPEC_SECRET_PEEKED=sesame-open", "AWS_SECRET_ACCESS_KEY=another", "LC_ALL=C.UTF-8", "TOOLSPEC_HOLD=group")
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		return string(out)
	}
	if seen := run("peek"); strings.Contains(seen, "sesame") || strings.Contains(seen, "another") || !strings.Contains(seen, "AWS_SECRET_ACCESS_KEY=") || !strings.Contains(seen, "own C.UTF-8") {
		t.Errorf("want the names, without values, and the tool's own variable; have %s", seen)
	}
	if seen := run("given"); !strings.Contains(seen, "secret:PEEKED") {
		t.Errorf("the program itself knows its variables: have %s", seen)
	}
}
