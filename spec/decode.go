package spec

import (
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Decode reads the section into a struct, strictly: an unknown key, a missing required one and a wrong form are
// diagnostics, all at once. A field takes the key that its tag names, `spec:"url,required"`. Its type says what is
// wanted: [Text] or string (any scalar but null stands for its characters), bool, int, [time.Duration], [Bytes],
// [Section] (anything), a slice (a list), a map with string keys, a struct (a map), or a pointer to one of these. A
// type with DecodeSection decides by itself. Of the keys marked one, as in `spec:"file,one"`, exactly one is given. A
// struct with Words names the keys that people bring from elsewhere. What editors are told of all this is [GrammarOf].
func (s Section) Decode(into any) Diagnostics {
	var ds Diagnostics
	s.decode(reflect.ValueOf(into).Elem(), &ds)
	return ds
}

type sectionDecoder interface{ DecodeSection(Section) Diagnostics }

// worded is a struct that knows the words people bring for its keys: the word, and what to write instead (a key of
// the struct, or a sentence when it holds a space); for "" what to write where they bring no map.
type worded interface{ Words() map[string]string }

var (
	sectionType  = reflect.TypeFor[Section]()
	textType     = reflect.TypeFor[Text]()
	durationType = reflect.TypeFor[time.Duration]()
)

func (s Section) decode(v reflect.Value, ds *Diagnostics) {
	if d, ok := v.Addr().Interface().(sectionDecoder); ok {
		*ds = append(*ds, d.DecodeSection(s)...)
		return
	}
	switch v.Type() {
	case sectionType:
		v.Set(reflect.ValueOf(s))
		return
	case textType:
		if text, ok := s.wantText(ds); ok {
			v.Set(reflect.ValueOf(text))
		}
		return
	case durationType:
		s.decodeDuration(v, ds)
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		s.decode(v.Elem(), ds)
	case reflect.Struct:
		s.decodeStruct(v, ds)
	case reflect.Slice:
		s.decodeList(v, ds)
	case reflect.Map:
		s.decodeMap(v, ds)
	default:
		s.decodeScalar(v, ds)
	}
}

func (s Section) want(ds *Diagnostics, wanted string) { *ds = append(*ds, s.Want(wanted)) }

func (s Section) wantText(ds *Diagnostics) (Text, bool) {
	text, ok := s.Text()
	if !ok {
		s.want(ds, "a text")
	}
	return text, ok
}

func (s Section) decodeScalar(v reflect.Value, ds *Diagnostics) {
	switch v.Kind() {
	case reflect.String:
		if text, ok := s.wantText(ds); ok {
			v.SetString(text.Value)
		}
	case reflect.Bool:
		if s.Form() != FormBool {
			s.want(ds, "true or false")
			return
		}
		v.SetBool(s.Value().(bool))
	case reflect.Int:
		text, _ := s.Text()
		n, err := strconv.Atoi(text.Value)
		if s.Form() != FormNumber || err != nil {
			s.want(ds, "a whole number")
			return
		}
		v.SetInt(int64(n))
	default:
		panic("spec: a section cannot be decoded into " + v.Type().String())
	}
}

func (s Section) decodeDuration(v reflect.Value, ds *Diagnostics) {
	text, _ := s.Text()
	d, err := time.ParseDuration(text.Value)
	if err != nil || d <= 0 {
		s.want(ds, "a duration such as 5s or 2m")
		return
	}
	v.SetInt(int64(d))
}

func (s Section) decodeList(v reflect.Value, ds *Diagnostics) {
	if s.Form() != FormList {
		s.want(ds, "a list")
		return
	}
	items := s.Items()
	v.Set(reflect.MakeSlice(v.Type(), len(items), len(items)))
	for i, item := range items {
		item.decode(v.Index(i), ds)
	}
}

func (s Section) decodeMap(v reflect.Value, ds *Diagnostics) {
	if s.Form() != FormMap {
		s.want(ds, "a map")
		return
	}
	v.Set(reflect.MakeMap(v.Type()))
	for _, f := range s.Fields() {
		value := reflect.New(v.Type().Elem()).Elem()
		f.Value.decode(value, ds)
		v.SetMapIndex(reflect.ValueOf(f.Key.Value), value)
	}
}

func (s Section) decodeStruct(v reflect.Value, ds *Diagnostics) {
	fields := fieldsOf(v.Type())
	if s.Form() != FormMap {
		s.want(ds, "a map with "+strings.Join(keysOf(fields), ", "))
		if hint := wordsOf(v)[""]; hint != "" {
			(*ds)[len(*ds)-1].Message += "; " + hint
		}
		return
	}
	given := make([]bool, len(fields))
	var unknown []Text
	for i, k := range s.n.keys {
		at := slices.IndexFunc(fields, func(f structField) bool { return f.key == k.text })
		if at < 0 {
			unknown = append(unknown, k.asText())
			continue
		}
		given[at] = true
		s.child(k.text, s.n.items[i]).decode(v.Field(fields[at].index), ds)
	}
	var meant []string // by the keys that are not known
	if len(unknown) > 0 {
		known, words := keysOf(fields), wordsOf(v)
		for _, key := range unknown {
			*ds = append(*ds, UnknownKey(s, key, known, words))
			meant = append(meant, meantKey(key.Value, known, words))
		}
	}
	for i, field := range fields {
		if field.required && !given[i] && !slices.Contains(meant, field.key) {
			*ds = append(*ds, s.Errorf("missing-key", "%s is missing", field.key))
		}
	}
	s.wantOne(fields, given, unknown, ds)
}

// wantOne holds the keys that are marked one to it. Where none is given, an unknown key is likely one of them, misspelt.
func (s Section) wantOne(fields []structField, given []bool, unknown []Text, ds *Diagnostics) {
	var choices, found []string
	for i, field := range fields {
		if field.one {
			choices = append(choices, field.key)
			if given[i] {
				found = append(found, field.key)
			}
		}
	}
	switch all := strings.Join(choices, ", "); {
	case len(choices) == 0 || len(found) == 1:
	case len(found) > 1:
		*ds = append(*ds, s.Errorf("one-key", "want exactly one of %s, have %s", all, strings.Join(found, " and ")))
	case len(unknown) == 0:
		*ds = append(*ds, s.Errorf("missing-key", "want exactly one of %s, have none", all))
	}
}

func wordsOf(v reflect.Value) map[string]string {
	if w, ok := v.Addr().Interface().(worded); ok {
		return w.Words()
	}
	return nil
}

// structField is a field with a spec tag.
type structField struct {
	key      string
	required bool
	one      bool
	index    int
	doc      string
}

func fieldsOf(t reflect.Type) []structField {
	fields := make([]structField, 0, t.NumField())
	for i := range t.NumField() {
		if tag := t.Field(i).Tag.Get("spec"); tag != "" {
			key, option, _ := strings.Cut(tag, ",")
			fields = append(fields, structField{key, option == "required", option == "one", i, t.Field(i).Tag.Get("doc")})
		}
	}
	return fields
}

// KeysOf are the keys of a struct with spec tags, in their order.
func KeysOf(config any) []string { return keysOf(fieldsOf(reflect.TypeOf(config))) }

func keysOf(fields []structField) []string {
	keys := make([]string, len(fields))
	for i, f := range fields {
		keys[i] = f.key
	}
	return keys
}
