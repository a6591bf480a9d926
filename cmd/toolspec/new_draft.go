package main

import (
	"bytes"
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// object is a map of a tool file whose keys keep their order.
type object []member

type member struct {
	key   string
	value any
}

func (o *object) add(key string, value any) { *o = append(*o, member{key, value}) }

// MarshalJSON writes the keys in their order.
func (o object) MarshalJSON() ([]byte, error) {
	b := bytes.NewBufferString("{")
	for i, m := range o {
		if i > 0 {
			b.WriteByte(',')
		}
		if err := writePlainJSON(b, m.key); err != nil {
			return nil, err
		}
		b.WriteByte(':')
		if err := writePlainJSON(b, m.value); err != nil {
			return nil, err
		}
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

func writePlainJSON(b *bytes.Buffer, v any) error {
	e := json.NewEncoder(b)
	e.SetEscapeHTML(false)
	return e.Encode(v)
}

// draft is a tool file that is being written.
type draft struct {
	name        string
	description string
	parameters  []*parameter
	annotations object
	timeout     string
	executor    object
	command     string // that it requires; empty: none
	answer      object // what stands in for the world in its test
	notes       []string
}

// parameter is a field of the tool's input.
type parameter struct {
	source   string // what stood in the command line; one source is one parameter
	name     string
	kind     string // string, integer, number, boolean or array
	about    string
	pattern  string
	required bool
	given    any // the value that stood in the command line; nil: a placeholder did
	items    string
	value    any // that the test gives
}

func (d *draft) note(text string) {
	if !slices.Contains(d.notes, text) {
		d.notes = append(d.notes, text)
	}
}

// parameter gives the parameter of a source, and makes it where there is none yet.
func (d *draft) parameter(p parameter) *parameter {
	for _, known := range d.parameters {
		if known.source == p.source {
			if known.kind != p.kind {
				known.kind = "string"
			}
			known.pattern = keep(known.pattern, p.pattern)
			return known
		}
	}
	p.name = d.freeName(p.name, p.longer())
	d.parameters = append(d.parameters, &p)
	return &p
}

func keep(known, other string) string {
	if known != "" {
		return known
	}
	return other
}

var notInNames = regexp.MustCompile(`[^A-Za-z0-9_]+`)

// operators are words that an expression does not take for the name of a field.
var operators = []string{"and", "or", "not", "in", "contains", "matches", "startsWith", "endsWith", "let", "if", "else", "true", "false", "nil", "null"}

// longer is the name with that of where it stands before it: owner_name, query_id.
func (p *parameter) longer() string {
	if where, _, ok := strings.Cut(p.source, ":"); ok {
		return where + "_" + p.name
	}
	if parts := strings.Split(p.source, "."); len(parts) > 2 {
		return parts[len(parts)-2] + "_" + p.name
	}
	return p.name
}

// freeName makes a name for a parameter that expressions can write, and that no other has: the longer one where the other
// is taken.
func (d *draft) freeName(wanted, longer string) string {
	if name := plainName(wanted); !d.has(name) {
		return name
	}
	name := plainName(longer)
	free := name
	for i := 2; d.has(free); i++ {
		free = name + "_" + strconv.Itoa(i)
	}
	return free
}

func (d *draft) has(name string) bool {
	return slices.ContainsFunc(d.parameters, func(p *parameter) bool { return p.name == name })
}

func plainName(wanted string) string {
	name := strings.Trim(notInNames.ReplaceAllString(wanted, "_"), "_")
	if name == strings.ToUpper(name) {
		name = strings.ToLower(name)
	}
	switch {
	case name == "":
		name = "value"
	case name[0] >= '0' && name[0] <= '9' || slices.Contains(operators, name):
		name = "value_" + name
	}
	return name
}

// slot is the parameter as a template's slot.
func (p *parameter) slot() string { return "${input." + p.name + "}" }

// schema is the parameter as a property.
func (p *parameter) schema() object {
	s := object{{"type", p.kind}}
	if p.items != "" {
		s.add("items", object{{"type", p.items}})
	}
	if p.pattern != "" && p.kind == "string" {
		s.add("pattern", p.pattern)
	}
	if p.given != nil {
		if p.required {
			s.add("examples", []any{p.given})
		} else {
			s.add("default", p.given)
		}
	}
	s.add("description", p.about)
	return s
}

// sample is a value of the parameter for the tool's test.
func (p *parameter) sample() any {
	switch {
	case p.value != nil:
		return p.value
	case p.given != nil:
		return p.given
	case p.kind == "integer" || p.kind == "number":
		return 3
	case p.kind == "boolean":
		return true
	case p.kind == "array":
		return []any{"one"}
	}
	return "some-" + strings.ReplaceAll(p.name, "_", "-")
}

// file is the whole file, without its tests.
func (d *draft) file() object {
	o := object{{"name", d.name}, {"description", d.description}}
	if len(d.parameters) > 0 {
		o.add("inputSchema", d.schema())
	}
	if len(d.annotations) > 0 {
		o.add("annotations", d.annotations)
	}
	if d.timeout != "" {
		o.add("timeout", d.timeout)
	}
	if d.command != "" {
		o.add("requires", object{{"commands", []string{d.command}}})
	}
	o.add("executor", d.executor)
	return o
}

func (d *draft) schema() object {
	s, properties, required := object{{"type", "object"}}, object{}, []string{}
	for _, p := range d.parameters {
		properties.add(p.name, p.schema())
		if p.required {
			required = append(required, p.name)
		}
	}
	if len(required) > 0 {
		s.add("required", required)
	}
	s.add("properties", properties)
	return s
}

// input is what the test gives.
func (d *draft) input() object {
	input := object{}
	for _, p := range d.parameters {
		if p.required {
			input.add(p.name, p.sample())
		}
	}
	return input
}

// literal is text of a command line as it stands in a template.
func escapeSlots(text string) string { return strings.ReplaceAll(text, "${", "$${") }
