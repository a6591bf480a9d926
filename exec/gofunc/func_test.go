package gofunc_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/toolspec/toolspec/exec"
	"github.com/toolspec/toolspec/exec/gofunc"
	"github.com/toolspec/toolspec/spec"
)

func call(t testing.TB, tool *exec.Tool, input string) spec.ToolResult {
	t.Helper()
	return tool.Call(t.Context(), exec.Call{Use: spec.ToolUse{ID: "1", Input: json.RawMessage(input)}})
}

func text(t testing.TB, r spec.ToolResult) string {
	t.Helper()
	if len(r.Content) != 1 {
		t.Fatalf("want one block, have %+v", r)
	}
	if r.Content[0].Text != nil {
		return *r.Content[0].Text
	}
	return string(r.Content[0].JSON)
}

type moveIn struct {
	To    string   `json:"to" jsonschema:"where to go"`
	ID    int64    `json:"id"`
	Big   uint64   `json:"big,omitempty"`
	Small int8     `json:"small,omitempty"`
	Via   []string `json:"via,omitempty"`
}

type moveOut struct {
	ID  int64    `json:"id"`
	Big uint64   `json:"big"`
	Via []string `json:"via"`
}

func move(_ context.Context, in moveIn) (moveOut, error) {
	if in.To == "nowhere" {
		return moveOut{}, errors.New("there is no such place")
	}
	return moveOut{in.ID, in.Big, in.Via}, nil
}

func TestToolTakesItsSchemaFromTheTypes(t *testing.T) {
	tool, err := gofunc.Tool("move", "Moves.", move)
	if err != nil {
		t.Fatal(err)
	}
	schema := string(tool.Spec.Input.JSON())
	for _, want := range []string{`"required":["to","id"]`, `"description":"where to go"`, `"via":{"type":"array"`} {
		if !strings.Contains(schema, want) {
			t.Errorf("want %s in %s", want, schema)
		}
	}
	if tool.Spec.Output == nil {
		t.Error("want an output schema")
	}
}

func TestFuncKeepsEveryDigit(t *testing.T) {
	tool, err := gofunc.Tool("move", "Moves.", move)
	if err != nil {
		t.Fatal(err)
	}
	r := call(t, tool, `{"to": "x", "id": -9223372036854775808, "big": 18446744073709551615}`)
	if have, want := text(t, r), `{"big":18446744073709551615,"id":-9223372036854775808,"via":null}`; have != want {
		t.Errorf("have %s, want %s", have, want)
	}
}

func TestFuncRefusesWhatDoesNotFit(t *testing.T) {
	tool, err := gofunc.Tool("move", "Moves.", move)
	if err != nil {
		t.Fatal(err)
	}
	r := call(t, tool, `{"to": "x", "id": 1, "small": 300}`)
	if r.Metadata.Error == nil || r.Metadata.Error.Code != spec.CodeInvalidInput || !strings.Contains(text(t, r), "`small`") {
		t.Errorf("have %+v", r)
	}
	if r := call(t, tool, `{"to": "nowhere", "id": 1}`); text(t, r) != "Error: there is no such place" {
		t.Errorf("have %+v", r)
	}
}

func TestToolRefusesWhatCannotBeOne(t *testing.T) {
	takesText := func(context.Context, string) (string, error) { return "", nil }
	if _, err := gofunc.Tool("x", "X.", takesText); err == nil || !strings.Contains(err.Error(), "want a struct or a map") {
		t.Errorf("have %v", err)
	}
	if _, err := gofunc.Tool("-x", "X.", move); err == nil {
		t.Error("want an error for the name")
	}
	type node struct {
		Next *node `json:"next"`
	}
	recursive := func(context.Context, node) (string, error) { return "", nil }
	if _, err := gofunc.Tool("x", "X.", recursive); err == nil || !strings.Contains(err.Error(), "cycle") {
		t.Errorf("have %v", err)
	}
}

func TestFuncSeesItsCall(t *testing.T) {
	who := func(ctx context.Context, _ struct{}) (string, error) {
		c, _ := exec.CallFrom(ctx)
		return c.User, nil
	}
	tool, err := gofunc.Tool("who", "Who asks.", who)
	if err != nil {
		t.Fatal(err)
	}
	r := tool.Call(t.Context(), exec.Call{User: "ada"})
	if text(t, r) != "ada" {
		t.Errorf("have %+v", r)
	}
}

func ExampleTool() {
	type numbers struct {
		A int `json:"a" jsonschema:"the first number"`
		B int `json:"b" jsonschema:"the second number"`
	}
	add := func(_ context.Context, in numbers) (int, error) { return in.A + in.B, nil }

	tool, err := gofunc.Tool("add", "Adds two numbers.", add)
	if err != nil {
		fmt.Println(err)
		return
	}
	r := tool.Call(context.Background(), exec.Call{Use: spec.ToolUse{Name: "add", Input: []byte(`{"a": 1, "b": 2}`)}})
	fmt.Println(r.Status, *r.Content[0].Text)
	// Output: success 3
}

type chain struct {
	Next *chain `json:"next,omitempty"`
}

// A type without a schema is no fault where the file has one.
func TestTheFilesSchemaStandsBeforeTheTypes(t *testing.T) {
	depth := func(_ context.Context, in chain) (n int, _ error) {
		for c := &in; c != nil; c = c.Next {
			n++
		}
		return n, nil
	}
	file := "name: depth\ndescription: How deep.\nexecutor: {func: depth}\n"
	schema := "inputSchema: {type: object, properties: {next: {type: object}}}\n"
	env := &exec.Env{Funcs: map[string]exec.Executor{"depth": gofunc.Func(depth)}}
	for _, c := range []struct {
		file string
		ok   bool
	}{{file, false}, {file + schema, true}} {
		s, ds := spec.Parse("depth.yaml", []byte(c.file))
		if ds.HasErrors() {
			t.Fatal(ds)
		}
		tool, ds := exec.StandardKinds().Compile(env, s)
		if ds.HasErrors() == c.ok {
			t.Fatalf("have %v", ds)
		}
		if c.ok && text(t, call(t, tool, `{"next": {"next": {}}}`)) != "3" {
			t.Error("want 3")
		}
	}
}
