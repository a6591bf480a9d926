package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"testing"
)

// dirtyTools print and die in every way that could spoil a protocol on stdout.
var dirtyTools = map[string]string{
	"prints":    `echo '{"jsonrpc":"2.0","id":99,"result":{}}'; echo noise >&2`,
	"reaches":   `echo '{"jsonrpc":"2.0","id":99,"result":{}}' > /proc/$PPID/fd/1 2>/dev/null; exit 0`,
	"dies":      `echo half a line | tr -d '\n'; kill -9 $$`,
	"outlives":  `(sleep 0.2; echo late; echo late >&2) & echo early`,
	"reads":     `cat; echo read all`,
	"bytes":     `printf '\377\376\000\033[1m'`,
	"floods":    `head -c 2000000 /dev/zero | tr '\0' 'x'; head -c 2000000 /dev/zero | tr '\0' 'y' >&2`,
	"exhausted": `exit 3`,
}

// TestStdoutIsProtocolOnly calls tools that do their worst over stdio: every line of stdout stays JSON-RPC, every call is
// answered once, and the program ends well at the end of its input.
func TestStdoutIsProtocolOnly(t *testing.T) {
	dir := t.TempDir()
	for name, script := range dirtyTools {
		write(t, filepath.Join(dir, name+".yaml"), fmt.Sprintf("name: %s\ndescription: A tool that misbehaves.\nexecutor:\n  command:\n    shell: |\n      %s\n", name, script))
	}
	cmd := exec.Command(program(t), "serve", "-d", dir)
	in, out, said := piped(t, cmd)
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, 8<<20)
	fmt.Fprintln(in, `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"raw","version":"1"}}}`)
	fmt.Fprintln(in, `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	id := 1
	for name := range dirtyTools {
		fmt.Fprintf(in, `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":{}}}`+"\n", id, name)
		id++
	}
	answered := map[float64]int{}
	for len(answered) < id && lines.Scan() {
		answered[readMessage(t, lines.Bytes())]++
	}
	in.Close()
	rest, err := io.ReadAll(out)
	if err != nil || len(rest) > 0 {
		t.Errorf("after the last answer: %q, %v", rest, err)
	}
	<-said.ended
	if err := cmd.Wait(); err != nil {
		t.Errorf("%v\n%s", err, said.text())
	}
	for i := range id {
		if answered[float64(i)] != 1 {
			t.Errorf("request %d was answered %d times", i, answered[float64(i)])
		}
	}
}

// readMessage gives the id of a JSON-RPC answer.
func readMessage(t *testing.T, line []byte) float64 {
	t.Helper()
	var m struct {
		JSONRPC string
		ID      *float64
	}
	if err := json.Unmarshal(line, &m); err != nil || m.JSONRPC != "2.0" {
		t.Fatalf("stdout has a line that is not JSON-RPC: %.200q", line)
	}
	if m.ID == nil {
		t.Fatalf("unexpected message: %.200q", line)
	}
	return *m.ID
}
