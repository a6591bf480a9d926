package spec

import (
	"strconv"
	"strings"
)

// Section is any part of a tool file, even a scalar, that still knows its place and its path from the root, such as
// executor.http.url. The zero Section is absent.
type Section struct {
	n    *node
	path string
}

// Field is one key of a map and its value.
type Field struct {
	Key   Text
	Value Section
}

// IsZero tells whether the section is absent from the file.
func (s Section) IsZero() bool { return s.n == nil }

// Form is what the section is.
func (s Section) Form() Form {
	if s.n == nil {
		return FormAbsent
	}
	return s.n.form
}

// Pos is where the section starts.
func (s Section) Pos() Pos {
	if s.n == nil {
		return Pos{}
	}
	return s.n.pos()
}

// Text is the characters of a scalar, as written, whatever its form; not ok for null, a list or a map.
func (s Section) Text() (t Text, ok bool) {
	if s.n == nil || !s.n.form.Scalar() {
		return Text{}, false
	}
	return s.n.asText(), true
}

func (n *node) asText() Text { return Text{Value: n.text, Pos: n.pos(), exact: n.exact} }

// Plain tells whether the section is a scalar written without quotes.
func (s Section) Plain() bool { return s.n != nil && s.n.plain }

// Items are the entries of a list.
func (s Section) Items() []Section {
	if s.Form() != FormList {
		return nil
	}
	items := make([]Section, len(s.n.items))
	for i, n := range s.n.items {
		items[i] = Section{n, s.path + "[" + strconv.Itoa(i) + "]"}
	}
	return items
}

// Fields are the keys of a map with their values, in the order of the file.
func (s Section) Fields() []Field {
	if s.Form() != FormMap {
		return nil
	}
	fields := make([]Field, len(s.n.keys))
	for i, k := range s.n.keys {
		fields[i] = Field{Key: k.asText(), Value: s.child(k.text, s.n.items[i])}
	}
	return fields
}

// Get is the value of a key of a map; absent if there is none.
func (s Section) Get(key string) Section {
	if s.Form() != FormMap {
		return Section{}
	}
	for i, k := range s.n.keys {
		if k.text == key {
			return s.child(key, s.n.items[i])
		}
	}
	return Section{}
}

func (s Section) child(key string, n *node) Section {
	if s.path == "" {
		return Section{n, key}
	}
	return Section{n, s.path + "." + key}
}

// Path names the section from the root of its file, such as executor.command.argv[2].
func (s Section) Path() string { return s.path }

// At is the place of what a JSON pointer names within the section; of its nearest parent where the pointer leads
// nowhere.
func (s Section) At(pointer string) Pos {
	at := s
	if pointer == "" {
		return at.Pos()
	}
	for _, token := range strings.Split(strings.TrimPrefix(pointer, "/"), "/") {
		token = pointerEscapes.Replace(token)
		next := at.Get(token)
		if i, err := strconv.Atoi(token); err == nil && at.Form() == FormList && i >= 0 && i < len(at.n.items) {
			next = Section{n: at.n.items[i]}
		}
		if next.IsZero() {
			break
		}
		at = next
	}
	return at.Pos()
}

var pointerEscapes = strings.NewReplacer("~1", "/", "~0", "~")

// Errorf is a diagnostic at the section's place; its message starts with the section's path.
func (s Section) Errorf(rule, format string, args ...any) Diagnostic {
	if s.path != "" {
		format, args = "%s: "+format, append([]any{s.path}, args...)
	}
	return Errorf(s.Pos(), rule, format, args...)
}

// Want is the diagnostic for a section that is not what its place wants, such as "a duration such as 5s".
func (s Section) Want(wanted string) Diagnostic {
	have := s.Form().String()
	switch s.Form() {
	case FormText:
		have = shown(s.n.text)
	case FormNumber, FormBool:
		have = strings.Trim(shown(s.n.text), `"`)
	}
	return s.Errorf("type", "want %s, have %s", wanted, have)
}
