package exec

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/toolspec/toolspec/spec"
)

// fault is result.error, compiled: when what the executor answered is a failure.
type fault struct {
	tree *Tree
}

// faultKeys are what an error may hold where it is more than a text.
var faultKeys = []string{"text", "code", "retryable"}

// faultCodes are the codes that a tool file may give; the others are the program's own to say.
var faultCodes = []string{
	string(spec.CodeInvalidInput), string(spec.CodeNotFound), string(spec.CodeDenied), string(spec.CodeNeedsCredential),
	string(spec.CodeTimeout), string(spec.CodeUnavailable), string(spec.CodeFailed), string(spec.CodeInternal),
}

func (s *Site) compileFault(sec spec.Section) (*fault, spec.Diagnostics) {
	if sec.IsZero() {
		return nil, nil
	}
	var ds spec.Diagnostics
	switch sec.Form() {
	case spec.FormText:
	case spec.FormMap:
		for _, f := range sec.Fields() {
			if !slices.Contains(faultKeys, f.Key.Value) {
				ds = append(ds, spec.UnknownKey(sec, f.Key, faultKeys, nil))
			}
		}
		if code, ok := sec.Get("code").Text(); ok && !strings.Contains(code.Value, "${") && !slices.Contains(faultCodes, code.Value) {
			ds = append(ds, sec.Get("code").Errorf("result", "want one of %s, have %q", strings.Join(faultCodes, ", "), code.Value))
		}
		if sec.Get("text").IsZero() {
			ds = append(ds, sec.Errorf("missing-key", "text is missing"))
		}
	default:
		return nil, spec.Diagnostics{sec.Errorf("type", `want a text, or {text, code, retryable}, which is null where there is no error, have %s`, sec.Form())}
	}
	tree, faults := s.Tree(sec)
	return &fault{tree}, append(ds, faults...)
}

// eval gives the error, nil if there is none; err tells that the expression itself failed.
func (f *fault) eval(ctx context.Context, v *Vars) (e *spec.Error, err error) {
	value, err := f.tree.eval(ctx, v)
	if err == nil {
		value, err = spec.Plain(value)
	}
	if err != nil {
		inner := spec.AsError(err)
		return nil, &spec.Error{Code: inner.Code, Message: "result.error: " + inner.Message, Err: err}
	}
	switch value := value.(type) {
	case nil:
		return nil, nil
	case string:
		return textFault(value), nil
	case json.Number:
		return textFault(string(value)), nil
	case map[string]any:
		return mapFault(value)
	}
	return nil, badFault(value)
}

// textFault is an error of code failed; an empty text is what many an API writes for none.
func textFault(text string) *spec.Error {
	if strings.TrimSpace(text) == "" {
		return nil
	}
	return spec.NewError(spec.CodeFailed, "%s", text)
}

func mapFault(m map[string]any) (*spec.Error, error) {
	for key := range m {
		if !slices.Contains(faultKeys, key) {
			return nil, badFault(m)
		}
	}
	text, code, retryable := m["text"], m["code"], m["retryable"]
	if text == nil {
		return nil, nil
	}
	e := spec.NewError(spec.CodeFailed, "%s", renderText(text))
	if code != nil {
		name := fmt.Sprint(code)
		if !slices.Contains(faultCodes, name) {
			e.Message += fmt.Sprintf(" (result.error gave the code %q, which is none of %s)", name, strings.Join(faultCodes, ", "))
			name = string(spec.CodeFailed)
		}
		e.Code = spec.Code(name)
	}
	e.Retryable = retryable == true
	return e, nil
}

func badFault(value any) error {
	shown, _ := json.Marshal(value)
	return spec.NewError(spec.CodeInternal, "result.error: want null, a text or {text, code, retryable}, have %.200s", shown)
}
