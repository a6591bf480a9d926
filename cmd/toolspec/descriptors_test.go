//go:build linux

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A tool gets standard input, output and error and nothing else, whatever the program was started with.
func TestInheritedDescriptorsStopHere(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "open.yaml"), "name: open\ndescription: Names what it has open.\nexecutor: {command: {argv: [ls, -l, /proc/self/fd]}}\n")
	write(t, filepath.Join(dir, "secret.txt"), "not for tools")
	secret, err := os.Open(filepath.Join(dir, "secret.txt"))
	if err != nil {
		t.Fatal(err)
	}
	defer secret.Close()
	cmd := exec.Command(program(t), "call", "-d", dir, "open")
	cmd.ExtraFiles = []*os.File{secret, secret}
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if !strings.Contains(string(out), "/dev/null") || strings.Contains(string(out), "secret.txt") {
		t.Errorf("a tool has open:\n%s", out)
	}
}
