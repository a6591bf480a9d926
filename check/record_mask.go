package check

import (
	"cmp"
	"encoding/base64"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/toolspec/toolspec/spec"
)

// masks are texts that are not written, and what is written instead; the longest first, for one may hold another.
type masks []mask

type mask struct{ secret, shown string }

// shortestMasked is the shortest secret that is looked for within other texts: a shorter one is found everywhere.
const shortestMasked = 4

// masks are those of the program's secrets, of the parameters that their schema or their name says are secret, and of
// whatever in the input and in what came back looks like one.
func (r *Recording) masks() masks {
	var m masks
	for _, name := range slices.Sorted(maps.Keys(r.Secrets)) {
		m = append(m, mask{r.Secrets[name], "secret:" + name})
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
	slices.SortStableFunc(m, func(a, b mask) int { return cmp.Compare(len(b.secret), len(a.secret)) })
	return m
}

// find adds what looks like a secret in a value; under is the key that it stands under.
func (m *masks) find(v any, under string) {
	switch v := v.(type) {
	case string:
		for _, s := range secretsIn(v, under) {
			*m = append(*m, mask{s.value, "secret:" + cmp.Or(under, "value")})
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

// secretArgs are the secret texts of an object, and of those within it.
func secretArgs(args, schema map[string]any) (found []mask) {
	properties, _ := schema["properties"].(map[string]any)
	for _, name := range sortedKeys(args) {
		property, _ := properties[name].(map[string]any)
		switch value := args[name].(type) {
		case string:
			if secretKey.MatchString(name) || property["writeOnly"] == true || property["format"] == "password" {
				found = append(found, mask{value, "secret:" + name})
			}
		case map[string]any:
			found = append(found, secretArgs(value, property)...)
		}
	}
	return found
}

// text is a text with its secrets masked.
func (m masks) text(text string) string {
	for _, x := range m {
		switch {
		case text == x.secret:
			return x.shown
		case len(x.secret) >= shortestMasked:
			text = strings.ReplaceAll(text, x.secret, x.shown)
		}
	}
	return text
}

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
	}
	return v
}

// bytes are what a program wrote: a text where it is one.
func (m masks) bytes(b []byte) any {
	if isText(b) {
		return m.text(string(b))
	}
	return map[string]any{"base64": base64.StdEncoding.EncodeToString([]byte(m.text(string(b))))}
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
		if len(m) > 0 {
			fields[i].Value = jsonOf(m.value(value))
		}
	}
	return object(fields...), nil
}
