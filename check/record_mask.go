package check

import (
	"cmp"
	"encoding/base64"
	"encoding/json"
	"errors"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/toolspec/toolspec/exec"
	"github.com/toolspec/toolspec/spec"
)

// masks are texts that are not written, and what is written instead; the longest first, for one may hold another.
type masks []mask

type mask struct {
	secret, shown string
	path          bool // a directory of this machine: what begins with its name is not it
}

// shortestMasked is the shortest secret that is looked for within other texts: a shorter one is found everywhere.
const shortestMasked = 4

// leastForm is the shortest that a secret may be in another spelling, such as base64, to be looked for.
const leastForm = 6

// masks are those of the program's secrets, of the parameters that their schema or their name says are secret, and of
// whatever in the input and in what came back looks like one, in every spelling; and of the paths of this machine.
func (r *Recording) masks() masks {
	var m masks
	for _, name := range slices.Sorted(maps.Keys(r.Secrets)) {
		m = append(m, mask{r.Secrets[name], "secret:" + name, false})
	}
	if args, ok := readObject(r.input); ok {
		schema, _ := readObject(r.tool.Spec.Input.JSON())
		m = append(m, secretArgs(args, schema)...)
		m.find(args, "")
	}
	for _, a := range r.answers {
		m.find(a.Value, topStep(a.Step))
		if p := a.Process; p != nil {
			m.find(string(p.Stdout), "")
			m.find(string(p.Stderr), "")
		}
		if a.Response != nil {
			if value, err := spec.ReadValue(a.Response.Body); err == nil {
				m.find(value, "")
			} else {
				m.find(string(a.Response.Body), "")
			}
			for name, values := range a.Response.Header {
				m.find(strings.Join(values, ", "), name)
			}
		}
	}
	m = slices.DeleteFunc(m, func(x mask) bool { return x.secret == "" || strings.HasPrefix(x.secret, "secret:") })
	for _, x := range m {
		for _, form := range exec.WrittenForms(x.secret) {
			if form != x.secret && len(form) >= leastForm {
				m = append(m, mask{form, x.shown, false})
			}
		}
	}
	for _, a := range r.answers {
		for _, dir := range sortedKeys(a.Paths) {
			m = append(m, mask{dir, a.Paths[dir], true})
		}
	}
	slices.SortStableFunc(m, func(a, b mask) int { return cmp.Compare(len(b.secret), len(a.secret)) })
	return m
}

// find adds what looks like a secret in a value; under is the key that it stands under.
func (m *masks) find(v any, under string) {
	switch v := v.(type) {
	case string:
		for _, s := range secretsIn(v, under) {
			*m = append(*m, mask{s.value, "secret:" + cmp.Or(under, "value"), false})
		}
	case map[string]any:
		for _, key := range sortedKeys(v) {
			m.find(v[key], key)
		}
	case []any:
		for _, item := range v {
			m.find(item, under)
		}
	}
}

func readObject(text json.RawMessage) (map[string]any, bool) {
	v, err := spec.ReadValue(text)
	m, ok := v.(map[string]any)
	return m, ok && err == nil
}

// secretArgs are the secret values of an object, and of those within it.
func secretArgs(args, schema map[string]any) (found []mask) {
	properties, _ := schema["properties"].(map[string]any)
	for _, name := range sortedKeys(args) {
		property, _ := properties[name].(map[string]any)
		found = append(found, secretsWithin(args[name], property)...)
		if secretKey.MatchString(name) || property["writeOnly"] == true || property["format"] == "password" {
			for _, text := range leaves(args[name]) {
				found = append(found, mask{text, "secret:" + name, false})
			}
		}
	}
	return found
}

// secretsWithin are those of the objects that a value is, or that its lists hold.
func secretsWithin(value any, schema map[string]any) (found []mask) {
	switch value := value.(type) {
	case map[string]any:
		return secretArgs(value, schema)
	case []any:
		items, _ := schema["items"].(map[string]any)
		for _, item := range value {
			found = append(found, secretsWithin(item, items)...)
		}
	}
	return found
}

// leaves are the texts and numbers that a value is, or holds.
func leaves(v any) (all []string) {
	switch v := v.(type) {
	case string:
		all = append(all, v)
	case json.Number:
		all = append(all, v.String())
	case map[string]any:
		for _, key := range sortedKeys(v) {
			all = append(all, leaves(v[key])...)
		}
	case []any:
		for _, item := range v {
			all = append(all, leaves(item)...)
		}
	}
	return all
}

// text is a text with its secrets masked, and the paths of this machine.
func (m masks) text(text string) string {
	for _, x := range m {
		switch {
		case text == x.secret:
			return x.shown
		case x.path:
			text = replacePath(text, x.secret, x.shown)
		case len(x.secret) >= shortestMasked:
			text = strings.ReplaceAll(text, x.secret, x.shown)
		}
	}
	return text
}

// replacePath replaces a directory where it stands itself, or before what is in it: /home/ad is no part of /home/ada.
func replacePath(text, dir, with string) string {
	var b strings.Builder
	for {
		at := strings.Index(text, dir)
		if at < 0 {
			return b.String() + text
		}
		before, after := text[:at], text[at+len(dir):]
		if pathBefore.MatchString(before) || pathAfter.MatchString(after) {
			b.WriteString(before + dir)
		} else {
			b.WriteString(before + with)
		}
		text = after
	}
}

// What a longer path has before and behind the name of a directory.
var (
	pathBefore = regexp.MustCompile(`[\w.-]$`)
	pathAfter  = regexp.MustCompile(`^[.-]*\w`)
)

// value is a plain value with its secrets masked, in its keys too.
func (m masks) value(v any) any {
	switch v := v.(type) {
	case string:
		return m.text(v)
	case map[string]any:
		out := make(map[string]any, len(v))
		for key, value := range v {
			out[m.text(key)] = m.value(value)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, value := range v {
			out[i] = m.value(value)
		}
		return out
	case []byte:
		return base64.StdEncoding.EncodeToString(v)
	case json.Number:
		if text := m.text(v.String()); slices.ContainsFunc(m, func(x mask) bool { return x.secret == v.String() }) {
			return text
		}
	}
	return v
}

// binary is bytes that are no text, in base64. A path may stand in them with its length, and stays.
func (m masks) binary(b []byte) string {
	secrets := slices.DeleteFunc(slices.Clone(m), func(x mask) bool { return x.path })
	return base64.StdEncoding.EncodeToString([]byte(secrets.text(string(b))))
}

// bytes are what a program wrote: a text where it is one.
func (m masks) bytes(b []byte) any {
	if isText(b) {
		return m.text(string(b))
	}
	return map[string]any{"base64": m.binary(b)}
}

// maskedInput is the input as it was given, its keys in their order and its secrets masked.
func (r *Recording) maskedInput(m masks) (json.RawMessage, error) {
	if len(strings.TrimSpace(string(r.input))) == 0 {
		return nil, nil
	}
	fields, err := spec.ReadMembers(r.input)
	if err != nil {
		return nil, errors.New("the input is no JSON object, which a file could hold")
	}
	for i, f := range fields {
		value, err := spec.ReadValue(f.Value)
		if err != nil {
			return nil, err
		}
		if masked := m.value(value); !reflect.DeepEqual(masked, value) {
			fields[i].Value = jsonOf(masked)
		}
	}
	return object(fields...), nil
}
