package exec

import (
	"reflect"
	"testing"

	"github.com/expr-lang/expr/parser"

	"github.com/toolspec/toolspec/spec"
)

// TestPathsAreParsedAsTheLibraryDoes holds the trees that are made here to those of the library's parser, places
// included.
func TestPathsAreParsedAsTheLibraryDoes(t *testing.T) {
	names := map[string]*spec.Shape{"input": nil, "output": nil}
	for _, source := range []string{
		"input", "input.city", " input.a.b ", "input.a_1.B2._c", "output.not", "output.in", "output.matches", "output.let", "output.if", "output.true",
		"output.nil", "output.map", "output.len", "output.not.in.or", "input.and", "input.null", "input.else",
		"input.", "input..a", ".input", "input.1", "input.1a", "input .a", "input. a", "input?.a", "input.é", "input.a()", "input\n.a", "\tinput.a", "input.a b", "é.a", "input.$env",
	} {
		have, haveErr := (&checker{names: names, source: source}).parse()
		want, wantErr := parser.Parse(source)
		if (haveErr == nil) != (wantErr == nil) || wantErr == nil && !reflect.DeepEqual(have, want) {
			t.Errorf("%q: have %#v (%v), want %#v (%v)", source, have, haveErr, want, wantErr)
		}
	}
}
