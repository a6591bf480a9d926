package export

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/toolspec/toolspec/spec"
)

// schema is a JSON Schema on its way to a provider, in the words of 2020-12, its keywords in the author's order.
type schema struct {
	at       place
	literal  string // true or false, for a schema that is one
	keywords []*keyword
	lifted   bool     // of a field: it stood in one form of the object, or under a condition
	notes    []string // what the description is to say beside its own words
}

// keyword is one keyword of a schema: with the schemas that it holds, or else what it says.
type keyword struct {
	name  string
	at    place
	said  json.RawMessage // as the author wrote it, or as it is rewritten
	one   *schema
	list  []*schema
	named []*field
	to    spec.Section // what a reference names
}

// field is a named schema.
type field struct {
	name string
	at   place
	*schema
}

func (s *schema) get(name string) *keyword {
	if i := s.index(name); i >= 0 {
		return s.keywords[i]
	}
	return nil
}

func (s *schema) index(name string) int {
	return slices.IndexFunc(s.keywords, func(k *keyword) bool { return k.name == name })
}

func (s *schema) has(name string) bool { return s.index(name) >= 0 }

func (s *schema) drop(names ...string) {
	s.keywords = slices.DeleteFunc(s.keywords, func(k *keyword) bool { return slices.Contains(names, k.name) })
}

// set says something by a keyword: in its place, or at the end.
func (s *schema) set(name string, said json.RawMessage) *keyword {
	k := s.get(name)
	if k == nil {
		k = &keyword{name: name, at: s.under(name)}
		s.keywords = append(s.keywords, k)
	}
	k.said = said
	return k
}

// under is the place of a keyword that is filled in.
func (s *schema) under(keyword string) place { return place{s.at.pos, s.at.path + "." + keyword} }

// setTypes says which types are allowed, first of all keywords where it is new.
func (s *schema) setTypes(types []string) {
	said := encoded(types)
	if len(types) == 1 {
		said = text(types[0])
	}
	if s.has("type") {
		s.set("type", said)
		return
	}
	s.keywords = slices.Insert(s.keywords, 0, &keyword{name: "type", at: s.under("type"), said: said})
}

// types are the types that the keyword type names.
func (s *schema) types() []string { return textsOf(s.get("type")) }

// textsOf are the texts that a keyword says: one, or a list.
func textsOf(k *keyword) []string {
	if k == nil {
		return nil
	}
	var list []string
	if json.Unmarshal(k.said, &list) == nil {
		return list
	}
	var one string
	if json.Unmarshal(k.said, &one) == nil {
		return []string{one}
	}
	return nil
}

// values are the values that enum or const lists; nil if there is neither.
func (s *schema) values() []json.RawMessage {
	if k := s.get("const"); k != nil {
		return []json.RawMessage{k.said}
	}
	var list []json.RawMessage
	if k := s.get("enum"); k != nil {
		_ = json.Unmarshal(k.said, &list) // a list it is
	}
	return list
}

func (k *keyword) field(name string) *field {
	if i := slices.IndexFunc(k.named, func(f *field) bool { return f.name == name }); i >= 0 {
		return k.named[i]
	}
	return nil
}

// fields are the properties; none where there are none.
func (s *schema) fields() []*field {
	if k := s.get("properties"); k != nil {
		return k.named
	}
	return nil
}

// inner are the schemas in a keyword.
func (k *keyword) inner() []*schema {
	all := slices.Clone(k.list)
	if k.one != nil {
		all = append(all, k.one)
	}
	for _, f := range k.named {
		all = append(all, f.schema)
	}
	return all
}

// remark has the description say one more thing.
func (s *schema) remark(note string) {
	if note != "" && !slices.Contains(s.notes, note) {
		s.notes = append(s.notes, note)
	}
}

// description is what the schema says of itself in words.
func (s *schema) description() string {
	k := s.get("description")
	if k == nil {
		return ""
	}
	return strings.Join(textsOf(k), "")
}

// sentences joins a text and what is noted beside it.
func sentences(text string, notes []string) string {
	for _, note := range notes {
		if text = strings.TrimRight(text, " \n"); text != "" {
			if !strings.ContainsAny(text[len(text)-1:], ".!?:;") {
				text += "."
			}
			text += " "
		}
		text += note
	}
	return text
}

// json is the schema as it is written.
func (s *schema) json() []byte {
	if s.literal != "" {
		return []byte(s.literal)
	}
	var o object
	for _, k := range s.keywords {
		o.put(k.name, k.json())
	}
	return o.bytes()
}

// size is how many keywords and fields a schema has, with all within it.
func (s *schema) size() int {
	n := len(s.keywords)
	for _, k := range s.keywords {
		if k.one != nil {
			n += k.one.size()
		}
		for _, f := range k.named {
			n += 1 + f.size()
		}
		for _, inner := range k.list {
			n += inner.size()
		}
	}
	return n
}

func (k *keyword) json() []byte {
	switch {
	case k.one != nil:
		return k.one.json()
	case k.named != nil:
		var o object
		for _, f := range k.named {
			o.put(f.name, f.json())
		}
		return o.bytes()
	case k.list != nil:
		var all [][]byte
		for _, s := range k.list {
			all = append(all, s.json())
		}
		return slices.Concat([]byte("["), bytes.Join(all, []byte(",")), []byte("]"))
	}
	return k.said
}

// clone is a copy that can be rewritten without the other.
func (s *schema) clone() *schema {
	c := *s
	c.keywords = make([]*keyword, len(s.keywords))
	c.notes = slices.Clone(s.notes)
	for i, k := range s.keywords {
		c.keywords[i] = k.clone()
	}
	return &c
}

// clone is a copy that can be rewritten without the other.
func (k *keyword) clone() *keyword {
	c := *k
	if k.one != nil {
		c.one = k.one.clone()
	}
	c.list, c.named = nil, nil
	for _, s := range k.list {
		c.list = append(c.list, s.clone())
	}
	if k.named != nil {
		c.named = []*field{}
	}
	for _, f := range k.named {
		c.named = append(c.named, &field{f.name, f.at, f.schema.clone()})
	}
	return &c
}
