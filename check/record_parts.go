package check

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/toolspec/toolspec/exec"
	"github.com/toolspec/toolspec/spec"
)

// members are a JSON object under way, its keys in their order.
type members []spec.Member

// field is a member; a value that is nothing gives none.
func field(name string, value any) spec.Member {
	switch value := value.(type) {
	case json.RawMessage:
		return spec.Member{Name: name, Value: value}
	case members:
		if len(value) == 0 {
			return spec.Member{}
		}
		return spec.Member{Name: name, Value: object(value...)}
	}
	return spec.Member{Name: name, Value: jsonOf(value)}
}

func object(fields ...spec.Member) json.RawMessage {
	var b bytes.Buffer
	b.WriteByte('{')
	for _, f := range fields {
		if f.Value == nil {
			continue
		}
		if b.Len() > 1 {
			b.WriteByte(',')
		}
		b.Write(jsonOf(f.Name))
		b.WriteByte(':')
		b.Write(f.Value)
	}
	b.WriteByte('}')
	return b.Bytes()
}

// jsonOf is a value that has a form in JSON.
func jsonOf(v any) json.RawMessage {
	block, err := spec.JSONBlock(v)
	if err != nil {
		return json.RawMessage("null")
	}
	return block.JSON
}

// stub is the section stub: what came back, in the words of the format.
func (r *Recording) stub(m masks) (members, error) {
	outside := map[string]bool{} // steps that touched what is not in the file
	for _, p := range r.plans {
		if p.Step != "" && (p.Command != nil || p.Request != nil || p.Tool != nil) {
			outside[topStep(p.Step)] = true
		}
	}
	var steps, stub members
	for _, a := range r.answers {
		switch {
		case a.Cut:
			return nil, errors.New("what came back is more than is kept of it; ask for less")
		case a.IsValue && outside[a.Step]:
			steps = append(steps, field(a.Step, m.value(a.Value)))
			delete(outside, a.Step)
		}
	}
	for _, a := range r.answers {
		if a.IsValue || a.Step != "" && !outside[topStep(a.Step)] {
			continue
		}
		answer, err := r.answer(a, m)
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(stub, func(f spec.Member) bool { return f.Name == answer.Name && !bytes.Equal(f.Value, answer.Value) }) {
			return nil, fmt.Errorf("the call got more than one answer, and stub.%s is one; test its parts", answer.Name)
		}
		if !slices.ContainsFunc(stub, func(f spec.Member) bool { return f.Name == answer.Name }) {
			stub = append(stub, answer)
		}
	}
	if len(steps) > 0 {
		stub = append(stub, field("steps", steps))
	}
	return stub, tooLarge("what came back", object(stub...))
}

// topStep is the step of the tool's own pipeline that another is within.
func topStep(step string) string {
	if i := strings.IndexAny(step, "/["); i >= 0 {
		return step[:i]
	}
	return step
}

func tooLarge(what string, text []byte) error {
	if len(text) > MaxRecorded {
		return fmt.Errorf("%s has %d bytes; a recorded test holds at most 16 KiB of it: ask for less", what, len(text))
	}
	return nil
}

func (r *Recording) answer(a exec.Answer, m masks) (spec.Member, error) {
	if p := a.Process; p != nil {
		var fields, files members
		for _, out := range []struct {
			key     string
			content []byte
		}{{"stdout", p.Stdout}, {"stderr", p.Stderr}} {
			if len(out.content) > 0 {
				fields = append(fields, field(out.key, m.bytes(out.content)))
			}
		}
		if p.ExitCode != 0 {
			fields = append(fields, field("exitCode", p.ExitCode))
		}
		for _, name := range slices.Sorted(maps.Keys(p.Files)) {
			files = append(files, field(name, m.bytes(p.Files[name])))
		}
		fields = append(fields, field("files", files))
		return spec.Member{Name: "command", Value: object(fields...)}, nil
	}
	return spec.Member{Name: "http", Value: object(r.response(a.Response, m)...)}, nil
}

// response is the section stub.http. Of the headers it has those that the file names, and the Content-Type where the body
// does not give it.
func (r *Recording) response(a *exec.StubResponse, m masks) (fields members) {
	if a.Status != http.StatusOK {
		fields = append(fields, field("status", a.Status))
	}
	var headers members
	source := strings.ToLower(string(r.Source))
	for _, name := range slices.Sorted(maps.Keys(a.Header)) {
		lower := strings.ToLower(name)
		if lower == "content-type" || strings.Contains(source, lower) && lower != "set-cookie" {
			headers = append(headers, field(lower, m.text(strings.Join(a.Header[name], ", "))))
		}
	}
	body := members{}
	media, _, _ := strings.Cut(a.Header.Get("Content-Type"), ";")
	value, err := spec.ReadValue(a.Body)
	switch isJSON := media == "application/json" || strings.HasSuffix(media, "+json"); {
	case len(a.Body) == 0:
	case err == nil && isJSON:
		body = members{field("json", m.value(value))}
		headers = slices.DeleteFunc(headers, func(f spec.Member) bool { return f.Name == "content-type" })
	case isText(a.Body):
		body = members{field("text", m.text(string(a.Body)))}
	default:
		body = members{field("base64", m.binary(a.Body))}
	}
	return append(append(fields, field("headers", headers)), body...)
}

// isText tells whether bytes can stand in a file as text.
func isText(b []byte) bool {
	return utf8.Valid(b) && !strings.ContainsFunc(string(b), func(c rune) bool {
		return unicode.IsControl(c) && c != '\n' && c != '\t' && c != '\r' && c != 0x1b || c == utf8.RuneError
	})
}

// maxRecordedText is how much of a result's text is expected: so much shows that it is the same.
const maxRecordedText = 1000

// expectation is what came of the call, as the section expect.
func (w *witness) expectation() (members, error) {
	var e members
	if w.result.Status == spec.StatusError {
		e = append(e, field("status", string(w.result.Status)))
	}
	var commands, requests []exec.Plan
	for _, p := range w.plans {
		if p.Command != nil {
			commands = append(commands, p)
		}
		if p.Request != nil {
			requests = append(requests, p)
		}
	}
	if len(commands) == 1 && w.tool.Spec.Config.Get("shell").IsZero() { // a shell's text is the file's own
		e = append(e, field("argv", anyList(commands[0].Command.Argv)))
	}
	if len(requests) == 1 {
		e = append(e, field("request", sentRequest(requests[0].Request)))
	}
	if text := w.text(); text != "" {
		if len(text) > maxRecordedText {
			text = text[:maxRecordedText]
			text = text[:max(strings.LastIndexAny(text, "\n "), utf8.RuneCountInString("x"))]
		}
		e = append(e, field("text", strings.ToValidUTF8(text, "")))
	}
	for _, block := range w.result.Content {
		if block.JSON != nil {
			e = append(e, field("json", block.JSON))
			break
		}
	}
	return e, tooLarge("the result", object(e...))
}

func anyList(texts []string) []any {
	list := make([]any, len(texts))
	for i, text := range texts {
		list[i] = text
	}
	return list
}

// sentRequest is the section request. A body in parts is left out: the line between them differs each time.
func sentRequest(p *exec.PlannedRequest) members {
	r := members{field("method", p.Method), field("url", p.URL)}
	value, err := spec.ReadValue(p.Body)
	switch {
	case len(p.Body) == 0 || strings.HasPrefix(p.Header.Get("Content-Type"), "multipart/"):
	case err == nil:
		r = append(r, field("json", value))
	case isText(p.Body):
		r = append(r, field("text", string(p.Body)))
	default:
		r = append(r, field("base64", base64.StdEncoding.EncodeToString(p.Body)))
	}
	return r
}
