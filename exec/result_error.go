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
	text            *Template // the text; or, as a whole slot that stands for all, whatever error takes
	code, retryable *Tree     // of a map in the file; nil where it has none
	isMap           bool      // the file has a map
}

// faultConfig is an error that says more than its text.
type faultConfig struct {
	Text      spec.Text    `spec:"text,required" doc:"What went wrong. Where its whole text is null there is no error."`
	Code      spec.Section `spec:"code" doc:"What sort of error it is; default failed."`
	Retryable spec.Section `spec:"retryable" doc:"Whether the same call may succeed later; default false."`
}

// Grammars says what may stand in these sections.
func (faultConfig) Grammars() map[string]spec.Grammar {
	return map[string]spec.Grammar{
		"code":      orTemplate(spec.Grammar{"enum": faultCodes}),
		"retryable": orTemplate(spec.Grammar{"type": "boolean"}),
	}
}

// orTemplate is what may stand where a template may give it.
func orTemplate(g spec.Grammar) spec.Grammar {
	return spec.Grammar{"anyOf": []spec.Grammar{g, {"type": "string", "pattern": `\$\{`}}}
}

var faultKeys = spec.KeysOf(faultConfig{})

// faultCodes are the codes that a tool file may give; the others are the program's own to say.
var faultCodes = []string{
	string(spec.CodeInvalidInput), string(spec.CodeNotFound), string(spec.CodeDenied), string(spec.CodeNeedsCredential),
	string(spec.CodeTimeout), string(spec.CodeUnavailable), string(spec.CodeFailed), string(spec.CodeInternal),
}

func (s *Site) compileFault(sec spec.Section) (*fault, spec.Diagnostics) {
	text, ok := sec.Text()
	switch {
	case sec.IsZero():
		return nil, nil
	case ok:
		t, ds := s.Template(text)
		return &fault{text: t}, ds
	case sec.Form() != spec.FormMap:
		return nil, spec.Diagnostics{sec.Errorf("type", `want a text, or {text, code, retryable}, which is null where there is no error, have %s`, sec.Form())}
	}
	f, ds := &fault{isMap: true}, checkFault(sec)
	var faults spec.Diagnostics
	text, _ = sec.Get("text").Text()
	f.text, faults = s.Template(text)
	ds = append(ds, faults...)
	f.code, faults = s.Tree(sec.Get("code"))
	ds = append(ds, faults...)
	f.retryable, faults = s.Tree(sec.Get("retryable"))
	return f, append(ds, faults...)
}

// checkFault checks the keys of an error that is a map, and what can be known of their values.
func checkFault(sec spec.Section) spec.Diagnostics {
	var c faultConfig
	ds := sec.Decode(&c)
	isTemplate := func(s spec.Section) bool { t, _ := s.Text(); return strings.Contains(t.Value, "${") }
	code, isText := c.Code.Text()
	if at := c.Code; !at.IsZero() && !isTemplate(at) && !(isText && slices.Contains(faultCodes, code.Value)) {
		ds = append(ds, at.Want("one of "+strings.Join(faultCodes, ", ")))
	}
	if at := c.Retryable; !at.IsZero() && !isTemplate(at) && at.Form() != spec.FormBool {
		ds = append(ds, at.Want("true or false"))
	}
	return ds
}

// eval gives the error, nil if there is none; err tells that the expression itself failed.
func (f *fault) eval(ctx context.Context, v *Vars) (e *spec.Error, err error) {
	if f.isMap {
		e, err = f.evalMap(ctx, v)
	} else if value, fault := f.text.value(ctx, v); fault != nil {
		err = fault
	} else {
		e, err = faultOf(value)
	}
	if err != nil {
		inner := spec.AsError(err)
		return nil, &spec.Error{Code: inner.Code, Message: "result.error: " + inner.Message, Err: err}
	}
	return e, nil
}

// evalMap is the error of a map in the file: there is one if its text is not null.
func (f *fault) evalMap(ctx context.Context, v *Vars) (*spec.Error, error) {
	text, null, err := f.text.text(ctx, v)
	if err != nil || null && f.text.whole() {
		return nil, err
	}
	e := textFault(text)
	if e == nil {
		return nil, nil
	}
	code, err := f.code.eval(ctx, v)
	if err != nil {
		return nil, err
	}
	retryable, err := f.retryable.eval(ctx, v)
	if err != nil {
		return nil, err
	}
	return e, describeFault(e, code, retryable)
}

// faultOf is the error that a value is.
func faultOf(value any) (*spec.Error, error) {
	value, err := spec.Plain(value)
	if err != nil {
		return nil, err
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

// mapFault is the error of a map that an expression made: it is one even if its text turns out to be nothing.
func mapFault(m map[string]any) (*spec.Error, error) {
	for key := range m {
		if !slices.Contains(faultKeys, key) {
			return nil, badFault(m)
		}
	}
	e := textFault(renderText(m["text"]))
	if e == nil {
		e = spec.NewError(spec.CodeFailed, "the tool failed without saying why")
	}
	return e, describeFault(e, m["code"], m["retryable"])
}

// describeFault gives an error its code and tells whether it may pass.
func describeFault(e *spec.Error, code, retryable any) error {
	if code != nil {
		name := renderText(code)
		if !slices.Contains(faultCodes, name) {
			e.Message += fmt.Sprintf(" (result.error gave the code %q, which is none of %s)", name, strings.Join(faultCodes, ", "))
			name = string(spec.CodeFailed)
		}
		e.Code = spec.Code(name)
	}
	switch retryable := retryable.(type) {
	case nil:
	case bool:
		e.Retryable = retryable
	default:
		return spec.NewError(spec.CodeInternal, "want true or false as retryable, have %s", describe(retryable))
	}
	return nil
}

func badFault(value any) error {
	shown, _ := json.Marshal(value)
	return spec.NewError(spec.CodeInternal, "want null, a text or {text, code, retryable}, have %.200s", shown)
}
