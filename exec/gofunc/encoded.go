package gofunc

import (
	"encoding"
	"encoding/json"
	"math/big"
	"reflect"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
)

// known are types that say less of themselves than is known of them.
var known = map[reflect.Type]jsonschema.Schema{
	reflect.TypeFor[time.Time]():   {Type: "string", Format: "date-time"},
	reflect.TypeFor[json.Number](): {Type: "number"},
	reflect.TypeFor[big.Int]():     {Type: "integer"},
}

// ownForms are the types within t that encoding/json writes in a form of their own, which a schema read from their
// fields would refuse: bytes are base64, and who marshals himself writes what he likes.
func ownForms(t reflect.Type) map[reflect.Type]*jsonschema.Schema {
	forms := map[reflect.Type]*jsonschema.Schema{}
	collect(t, forms, map[reflect.Type]bool{})
	return forms
}

func collect(t reflect.Type, forms map[reflect.Type]*jsonschema.Schema, seen map[reflect.Type]bool) {
	if seen[t] {
		return
	}
	seen[t] = true
	if form := ownForm(t); form != nil {
		forms[t] = form
		return
	}
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Map:
		collect(t.Elem(), forms, seen)
	case reflect.Struct:
		for field := range t.Fields() {
			collect(field.Type, forms, seen)
		}
	}
}

func ownForm(t reflect.Type) *jsonschema.Schema {
	if form, ok := known[t]; ok {
		return &form
	}
	switch {
	case t.Kind() == reflect.Pointer || t.Kind() == reflect.Interface:
	case does[json.Marshaler](t) || does[json.Unmarshaler](t):
		return &jsonschema.Schema{}
	case does[encoding.TextMarshaler](t) || does[encoding.TextUnmarshaler](t):
		return &jsonschema.Schema{Type: "string"}
	case t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Uint8:
		return &jsonschema.Schema{Type: "string", ContentEncoding: "base64"}
	}
	return nil
}

func does[I any](t reflect.Type) bool {
	i := reflect.TypeFor[I]()
	return t.Implements(i) || reflect.PointerTo(t).Implements(i)
}
