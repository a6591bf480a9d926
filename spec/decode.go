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
// type with DecodeSection decides by itself. A struct with Words names the keys that people bring from elsewhere.
func (s Section) Decode(into any) Diagnostics {
	var ds Diagnostics
	s.decode(reflect.ValueOf(into).Elem(), &ds)
	return ds
}

type sectionDecoder interface{ DecodeSection(Section) Diagnostics }

// worded is a struct that knows the words people bring for its keys: the word, and what to write instead (a key of
// the struct, or a sentence when it holds a space).
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

func (s Section) want(ds *Diagnostics, wanted string) {
	have := s.Form().String()
	if s.Form().Scalar() {
		have = strconv.Quote(s.n.text)
	}
	*ds = append(*ds, s.Errorf("type", "want %s, have %s", wanted, have))
}

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
	if s.Form() != FormMap {
		s.want(ds, "a map with "+strings.Join(structKeys(v.Type()), ", "))
		return
	}
	var words map[string]string
	if w, ok := v.Addr().Interface().(worded); ok {
		words = w.Words()
	}
	known := structKeys(v.Type())
	for _, f := range s.Fields() {
		i := slices.Index(known, f.Key.Value)
		if i < 0 {
			*ds = append(*ds, unknownKey(s, f.Key, known, words))
			continue
		}
		f.Value.decode(v.FieldByIndex(structFields(v.Type())[i].Index), ds)
	}
	for _, field := range structFields(v.Type()) {
		key, required := fieldKey(field)
		if required && s.Get(key).IsZero() {
			*ds = append(*ds, s.Errorf("missing-key", "%s is missing", key))
		}
	}
}

func structFields(t reflect.Type) []reflect.StructField {
	var fields []reflect.StructField
	for field := range t.Fields() {
		if field.Tag.Get("spec") != "" {
			fields = append(fields, field)
		}
	}
	return fields
}

func structKeys(t reflect.Type) []string {
	var keys []string
	for _, field := range structFields(t) {
		key, _ := fieldKey(field)
		keys = append(keys, key)
	}
	return keys
}

func fieldKey(field reflect.StructField) (key string, required bool) {
	key, option, _ := strings.Cut(field.Tag.Get("spec"), ",")
	return key, option == "required"
}
