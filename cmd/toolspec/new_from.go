package main

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/toolspec/toolspec/exec"
	"github.com/toolspec/toolspec/spec"
)

// fileFrom makes a tool of a command line.
func fileFrom(name, line string) (*newFile, error) {
	words, err := shellWords(line)
	if err != nil {
		return nil, err
	}
	d := &draft{name: name}
	if program, _ := words[0].text(); program == "curl" {
		err = d.fromCurl(words[1:])
	} else {
		err = d.fromCommand(words)
	}
	if err != nil {
		return nil, err
	}
	text, err := d.text(nil)
	if err != nil {
		return nil, err
	}
	if test := d.test(text); test != nil {
		if text, err = d.text(test); err != nil {
			return nil, err
		}
	}
	return &newFile{text, d.notes}, nil
}

// width is how long lines may be; narrow has an executor written with a key a line, since it is what is worked on.
const width, narrow = 110, 60

// text is the file as YAML.
func (d *draft) text(test object) (string, error) {
	rest := d.file()
	executor := object{{"executor", rest.drop("executor")}}
	rest.drop("name")
	rest.drop("description")
	text := "# Say in the description what the tool is for: it is all that a model knows of it.\nname: " + d.name + "\ndescription: >-\n" + folded(d.description)
	after := object{}
	if test != nil {
		after.add("tests", []any{test})
	}
	for _, part := range []struct {
		object
		width int
	}{{rest, width}, {executor, narrow}, {after, width}} {
		if len(part.object) == 0 {
			continue
		}
		source, err := json.Marshal(part.object)
		if err != nil {
			return "", err
		}
		section, ds := spec.ReadDocument("draft.json", source)
		if ds.HasErrors() {
			return "", failure{"no tool can be made of it: " + ds[0].Message}
		}
		text += section.YAML(part.width)
	}
	return text, nil
}

// folded is a text as the lines of a folded block.
func folded(text string) string {
	var b strings.Builder
	line := " "
	for _, word := range strings.Fields(text) {
		if len(line)+len(word) >= width && line != " " {
			b.WriteString(line + "\n")
			line = " "
		}
		line += " " + word
	}
	return b.String() + line + "\n"
}

// test is a test of the tool: what its first call does, found by calling it with a stub.
func (d *draft) test(text string) object {
	tool, _ := compileText(d.name+".yaml", text)
	if tool == nil {
		return nil // check says why
	}
	input, err := json.Marshal(d.input())
	if err != nil {
		return nil
	}
	var done exec.Plan
	stub := &exec.Stub{HTTP: &exec.StubResponse{Body: []byte(`{}`)}, Command: &exec.StubProcess{}}
	result := tool.Call(context.Background(), exec.Call{
		Use: spec.ToolUse{ID: "1", Name: d.name, Input: input}, Stub: stub, Planned: func(p exec.Plan) { done = p },
	})
	expect := object{}
	switch {
	case result.Status == spec.StatusError:
		d.note("no test is written: " + strings.TrimPrefix(messageOf(result), "Error: "))
		return nil
	case done.Command != nil:
		expect.add("argv", done.Command.Argv)
	case done.Request != nil:
		expect.add("request", expectedRequest(done.Request))
	}
	test := object{{"name", "does what the command line did"}}
	if input := d.input(); len(input) > 0 {
		test.add("input", input)
	}
	test.add("stub", d.answer)
	test.add("expect", expect)
	return test
}

func messageOf(r spec.ToolResult) string {
	for _, block := range r.Content {
		if block.Text != nil {
			return *block.Text
		}
	}
	return "the call failed"
}

// expectedRequest is a request as a test expects it.
func expectedRequest(r *exec.PlannedRequest) object {
	o := object{{"method", r.Method}, {"url", r.URL}}
	switch contentType := r.Header.Get("Content-Type"); {
	case len(r.Body) == 0 || strings.HasPrefix(contentType, "multipart/"):
	case contentType == "application/json":
		o.add("json", json.RawMessage(r.Body))
	default:
		o.add("text", string(r.Body))
	}
	return o
}
