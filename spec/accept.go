package spec

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
)

// Accepted is an input as the executor sees it.
type Accepted struct {
	Args     map[string]any // numbers are json.Number, integers without point or exponent
	Repaired []string       // JSON pointers of what was repaired; "" is the input itself
}

// Accept reads an input, fills defaults, repairs what can be repaired without loss, and validates. An absent input,
// null and "" are {}. Its error is an *Error of code invalid_input that names every failure, a line each.
func (s *Schema) Accept(input json.RawMessage) (Accepted, error) {
	var r repairs
	args, plain, err := r.readArgs(input)
	if err != nil {
		return Accepted{}, err
	}
	defaults := filling{room: maxFilled}
	defaults.fill(s.outline, args)
	if !plain { // integers may have a point or an exponent
		r.all(s.outline, args, &defaults)
	}
	failures, err := s.failures(args)
	if before := len(r.done); len(failures) > 0 && plain {
		if r.all(s.outline, args, &defaults); len(r.done) > before {
			failures, err = s.failures(args)
		}
	}
	if defaults.room < 0 {
		err = NewError(CodeInvalidInput, "the input asks for so many defaults that they would make more than 200,000 values; give fewer items")
	}
	if err != nil {
		return Accepted{}, err
	}
	if !s.open {
		failures = append(failures, s.undeclared(args)...)
	}
	if len(failures) > 0 {
		return Accepted{}, refusal("The input", failures)
	}
	return Accepted{Args: args, Repaired: r.done}, nil
}

// Defaulted are the JSON pointers, sorted, of what is in the arguments by a default: the input that they were made of does not have it.
// It reads the input once more, so that accepting costs nothing for those who do not ask.
func (a Accepted) Defaulted(input json.RawMessage) []string {
	var r repairs
	given, _, err := r.readArgs(input)
	if err != nil {
		return nil
	}
	return defaulted(nil, given, a.Args, "")
}

// defaulted appends the pointers of what a value has and the given one had not.
func defaulted(pointers []string, given, value any, at string) []string {
	if text, ok := given.(string); ok {
		given, _, _ = decodeInput(text) // which may have been repaired
	}
	switch value := value.(type) {
	case map[string]any:
		was, _ := given.(map[string]any)
		for _, name := range sortedKeys(value) {
			pointer := at + "/" + pointerToken(name)
			if inner, ok := was[name]; ok {
				pointers = defaulted(pointers, inner, value[name], pointer)
			} else {
				pointers = append(pointers, pointer)
			}
		}
	case []any:
		was, _ := given.([]any)
		for i := range min(len(was), len(value)) {
			pointers = defaulted(pointers, was[i], value[i], at+"/"+strconv.Itoa(i))
		}
	}
	return pointers
}

// all repairs an input, and fills what the repaired values leave open.
func (r *repairs) all(o *outline, args map[string]any, defaults *filling) {
	if r.value(o, args, ""); len(r.done) > 0 {
		defaults.fill(o, args)
	}
}

// readArgs reads an input; plain when no number in it has a point or an exponent. An object that comes as a text of JSON,
// as some clients pass on what a model wrote, is repaired like any other.
func (r *repairs) readArgs(input json.RawMessage) (args map[string]any, plain bool, err error) {
	text := strings.TrimSpace(string(input))
	if text == "" || text == "null" || text == `""` {
		return map[string]any{}, true, nil
	}
	v, plain, err := decodeInput(text)
	if err != nil {
		return nil, false, err
	}
	args, ok := v.(map[string]any)
	if text, isText := v.(string); isText {
		if v, alsoPlain, err := decodeInput(text); err == nil {
			if args, ok = v.(map[string]any); ok {
				plain, r.done = alsoPlain, append(r.done, "")
			}
		}
	}
	if !ok {
		return nil, false, NewError(CodeInvalidInput, "the input must be a JSON object such as {\"name\": \"value\"}, was %s", shownValue(v))
	}
	return args, plain, nil
}

// undeclared are the fields of an input that the root does not declare.
func (s *Schema) undeclared(args map[string]any) []failure {
	var names []string
	for name := range args {
		if s.outline.find(name) == nil {
			names = append(names, name)
		}
	}
	if names == nil {
		return nil
	}
	slices.Sort(names)
	return unknownFields(nil, names, s.outline.names())
}

func (o *outline) names() []string {
	names := make([]string, len(o.fields))
	for i, f := range o.fields {
		names[i] = f.name
	}
	return names
}

func sortedKeys(m map[string]any) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
