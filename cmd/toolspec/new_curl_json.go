package main

import (
	"encoding/json"
	"errors"
	"io"
	"regexp"
	"strconv"
	"strings"
)

var bareMark = regexp.MustCompile(`"(?:[^"\\]|\\.)*"|[\x{F0000}-\x{FFFFD}]|[A-Z][A-Z0-9_]*`)

// readTree reads JSON in which placeholders may stand for values; not ok for a text that is none.
func readTree(a *target, text string) (tree any, ok bool) {
	text = bareMark.ReplaceAllStringFunc(text, func(token string) string {
		switch {
		case token[0] == '"':
			return token
		case marked(token):
			return `"` + token + `"`
		}
		return `"` + a.text(lineWord{{name: token}}) + `"`
	})
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	tree, err := treeOf(d)
	if err != nil {
		return nil, false
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, false
	}
	switch tree.(type) {
	case object, []any:
		return tree, true
	}
	return nil, false
}

// treeOf reads a value, the keys of objects in their order.
func treeOf(d *json.Decoder) (any, error) {
	token, err := d.Token()
	if err != nil {
		return nil, err
	}
	switch token {
	case json.Delim('{'):
		o := object{}
		for d.More() {
			key, err := d.Token()
			if err != nil {
				return nil, err
			}
			value, err := treeOf(d)
			if err != nil {
				return nil, err
			}
			o.drop(key.(string))
			o.add(key.(string), value)
		}
		_, err = d.Token()
		return o, err
	case json.Delim('['):
		list := []any{}
		for d.More() {
			value, err := treeOf(d)
			if err != nil {
				return nil, err
			}
			list = append(list, value)
		}
		_, err = d.Token()
		return list, err
	}
	return token, nil
}

// mostFields is how many fields of a body become parameters; more are for the author to choose.
const mostFields = 30

// tree is JSON whose values are parameters: the fields of its objects, by their names; path tells two of one name apart.
func (c *curlLine) tree(a *target, v any, name, path string) any {
	many := len(c.parameters) >= mostFields
	switch v := v.(type) {
	case object:
		for i, m := range v {
			v[i].value = c.tree(a, m.value, m.key, path+"."+m.key)
		}
		return v
	case []any:
		if texts, ok := scalarTexts(v); ok && !many && name != "" {
			if p, ok := c.listParameter("body", path, name, texts); ok {
				return p.slot()
			}
		}
		for i := range v {
			v[i] = c.tree(a, v[i], "", path+"."+strconv.Itoa(i))
		}
		return v
	case string:
		if name == "" || many {
			return c.constant(a, v)
		}
		return c.jsonText(a, name, path, v)
	case json.Number, bool:
		if name == "" || many {
			return v
		}
		kind := "boolean"
		if n, isNumber := v.(json.Number); isNumber {
			if kind, _ = kindOfValue(string(n)); kind == "string" {
				kind = "number" // such as 1e5
			}
		}
		return c.parameter(parameter{
			source: path, name: name, kind: kind, about: "Value of " + strings.TrimPrefix(path, "body.") + " in the body", given: v, required: true,
		}).slot()
	}
	return v
}

// jsonText is a text under a name; unlike in a form it is a text whatever its characters are.
func (c *curlLine) jsonText(a *target, name, path, text string) string {
	if isSecret(name) || marked(text) || isUpperPlaceholder(text) {
		return c.value(a, "body", name, text)
	}
	p := parameter{source: path, name: name, kind: "string", about: "Value of " + strings.TrimPrefix(path, "body.") + " in the body", given: text, required: true}
	return c.parameter(p).slot()
}

// scalarTexts are the entries of a list of texts, or of numbers.
func scalarTexts(list []any) (texts []string, ok bool) {
	for _, v := range list {
		switch v := v.(type) {
		case string:
			if kind, _ := kindOfValue(v); kind != "string" {
				return nil, false
			}
			texts = append(texts, v)
		case json.Number:
			texts = append(texts, string(v))
		default:
			return nil, false
		}
	}
	return texts, len(texts) > 0
}
