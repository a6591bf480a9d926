package check

import (
	"context"
	"encoding/base64"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/toolspec/toolspec/exec"
	"github.com/toolspec/toolspec/spec"
)

// faults are the expectations that were not met. What a result says is looked at only where it has the status that is
// expected: of another there is nothing to learn.
func (w *witness) faults(ctx context.Context) []Fault {
	if missing := w.unanswered(); missing != nil {
		return missing
	}
	e := &w.test.Expect
	var all []Fault
	add := func(pointer, diff, message string, args ...any) {
		all = append(all, Fault{w.test.At(pointer), fmt.Sprintf(message, args...), diff})
	}
	want := spec.StatusSuccess
	if !e.Status.IsZero() {
		want = spec.Status(e.Status.Value)
	}
	if w.result.Status == want || len(w.plans) > 0 { // else nothing was done, and the status says why
		w.checkArgv(add)
		w.checkRequest(add)
	}
	if w.result.Status != want {
		add("/expect/status", got(w.shown()), "status: want %s, have %s", want, w.status())
		return all
	}
	if text := strings.TrimSuffix(e.Text.Value, "\n"); !e.Text.IsZero() && !strings.Contains(w.text(), text) {
		if have := w.text(); have == "" {
			add("/expect/text", got(w.shown()), "text: the result has no text")
		} else {
			add("/expect/text", diff(text, have), "text: the result does not contain it")
		}
	}
	if !e.JSON.IsZero() {
		w.checkJSON(add)
	}
	if yes, err := w.test.Holds(ctx, w.input(), w.result); err != nil {
		add("/expect/that", got(w.shown()), "that: %s", err)
	} else if !yes {
		add("/expect/that", got(w.shown()), "that: %s is not true", shortened(e.That.Value))
	}
	return all
}

// add notes a fault at what a JSON pointer names in the test.
type add func(pointer, diff, message string, args ...any)

// input is what the tool's executor saw; where it was refused, what was given.
func (w *witness) input() map[string]any {
	if in, err := w.tool.Spec.Input.Accept(w.test.Input); err == nil {
		return in.Args
	}
	given, _ := spec.ReadValue(w.test.Input)
	input, _ := given.(map[string]any)
	return input
}

func (w *witness) status() string {
	if e := w.result.Metadata.Error; e != nil {
		return fmt.Sprintf("%s (%s)", w.result.Status, e.Code)
	}
	return string(w.result.Status)
}

// text is the text of the result.
func (w *witness) text() string {
	var texts []string
	for _, block := range w.result.Content {
		if block.Text != nil {
			texts = append(texts, *block.Text)
		}
	}
	return strings.Join(texts, "\n")
}

// shown is the whole result for people.
func (w *witness) shown() string {
	var parts []string
	for _, block := range w.result.Content {
		switch {
		case block.Text != nil:
			parts = append(parts, *block.Text)
		case block.JSON != nil:
			v, _ := spec.ReadValue(block.JSON) // it is JSON
			parts = append(parts, pretty(v))
		default:
			parts = append(parts, "[a block of another kind]")
		}
	}
	return strings.Join(parts, "\n")
}

// values are what json is looked for in: the result's JSON, else the tool's value.
func (w *witness) values() []any {
	var all []any
	for _, block := range w.result.Content {
		if block.JSON != nil {
			v, _ := spec.ReadValue(block.JSON) // it is JSON
			all = append(all, v)
		}
	}
	if all != nil || w.result.Status != spec.StatusSuccess {
		return all
	}
	v, err := spec.Plain(w.result.Value)
	if _, isBytes := v.([]byte); isBytes || err != nil {
		return nil
	}
	return []any{v}
}

func (w *witness) checkJSON(add add) {
	want, all := w.test.Expect.JSON.Value(), w.values()
	switch {
	case slices.ContainsFunc(all, func(have any) bool { return holds(want, have) }):
	case len(all) == 0:
		add("/expect/json", got(w.shown()), "json: the result has none")
	default:
		add("/expect/json"+firstMiss(want, all[0]), diff(pretty(want), pretty(project(want, all[0]))), "json: the result does not hold it")
	}
}

func (w *witness) checkArgv(add add) {
	if w.test.Expect.Argv == nil {
		return
	}
	want := make([]string, len(w.test.Expect.Argv))
	for i, arg := range w.test.Expect.Argv {
		want[i] = arg.Value
	}
	var first []string
	for _, p := range w.plans {
		if p.Command == nil {
			continue
		}
		if slices.Equal(p.Command.Argv, want) {
			return
		}
		if first == nil {
			first = p.Command.Argv
		}
	}
	if first == nil {
		add("/expect/argv", got(w.shown()), "argv: no command is run")
		return
	}
	add("/expect/argv", diff(argumentLines(want), argumentLines(first)), "argv: another command is run")
}

// argumentLines are arguments, one a line; quoted where one would not stay in its line.
func argumentLines(argv []string) string {
	lines := make([]string, len(argv))
	for i, arg := range argv {
		if lines[i] = arg; arg == "" || strings.TrimSpace(arg) != arg || strings.ContainsFunc(arg, func(c rune) bool { return c < ' ' }) {
			lines[i] = strconv.Quote(arg)
		}
	}
	return strings.Join(lines, "\n")
}

func (w *witness) checkRequest(add add) {
	want := w.test.Expect.Request
	if want == nil {
		return
	}
	expected := requestLines(want, expectedRequest(want))
	first, found := "", false
	for _, p := range w.plans {
		if p.Request == nil {
			continue
		}
		sent := requestLines(want, p.Request)
		if sent == expected {
			return
		}
		if !found {
			first, found = sent, true
		}
	}
	if !found {
		add("/expect/request", got(w.shown()), "request: none is sent")
		return
	}
	add("/expect/request", diff(expected, first), "request: another one is sent")
}

// expectedRequest is an expectation as the request that would meet it.
func expectedRequest(e *exec.ExpectedRequest) *exec.PlannedRequest {
	r := &exec.PlannedRequest{Method: e.Method.Value, URL: e.URL.Value, Header: http.Header{}}
	for name, value := range e.Headers {
		r.Header[http.CanonicalHeaderKey(name)] = []string{value.Value}
	}
	switch {
	case !e.JSON.IsZero():
		r.Body = e.JSON.JSON()
	case !e.Base64.IsZero():
		r.Body, _ = base64.StdEncoding.DecodeString(strings.Join(strings.Fields(e.Base64.Value), "")) // it is, see exec
	default:
		r.Body = []byte(e.Text.Value)
	}
	return r
}

// requestLines is of a request what is expected of one, a line each, so that two are the same if their lines are.
func requestLines(want *exec.ExpectedRequest, r *exec.PlannedRequest) string {
	var lines []string
	if !want.Method.IsZero() {
		lines = append(lines, "method: "+r.Method)
	}
	if !want.URL.IsZero() {
		lines = append(lines, "url: "+r.URL)
	}
	for _, name := range slices.Sorted(maps.Keys(want.Headers)) {
		if values, sent := r.Header[http.CanonicalHeaderKey(name)]; sent {
			lines = append(lines, "header "+http.CanonicalHeaderKey(name)+": "+strings.Join(values, ", "))
		}
	}
	switch {
	case !want.JSON.IsZero():
		lines = append(lines, "body:")
		if v, err := spec.ReadValue(r.Body); err == nil {
			lines = append(lines, pretty(normal(v)))
		} else {
			lines = append(lines, string(r.Body))
		}
	case !want.Base64.IsZero():
		lines = append(lines, "body:", base64.StdEncoding.EncodeToString(r.Body))
	case !want.Text.IsZero():
		lines = append(lines, "body:", string(r.Body))
	}
	return strings.Join(lines, "\n")
}
