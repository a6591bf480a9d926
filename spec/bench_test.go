package spec

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v5"
)

const benchSchema = `{"type":"object","required":["city"],"properties":{` +
	`"city":{"type":"string","description":"Name of the city, such as Oslo"},` +
	`"days":{"type":"integer","minimum":1,"maximum":16,"default":3},` +
	`"units":{"type":"string","enum":["metric","imperial"],"default":"metric"}}}`

var benchInput = []byte(`{"city":"Oslo","days":7,"units":"metric"}`)

func BenchmarkAccept(b *testing.B) {
	s, err := SchemaFromJSON([]byte(benchSchema))
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := s.Accept(benchInput); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkAcceptFloor is what nobody can do without: decoding with digits kept, and validation.
func BenchmarkAcceptFloor(b *testing.B) {
	s, err := jsonschema.CompileString("floor.json", benchSchema)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		var v any
		d := json.NewDecoder(bytes.NewReader(benchInput))
		d.UseNumber()
		if err := d.Decode(&v); err != nil {
			b.Fatal(err)
		}
		if err := s.Validate(v); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkCompileSchema(b *testing.B) {
	root, ds := ReadDocument("schema.json", []byte(benchSchema))
	if ds.HasErrors() {
		b.Fatal(ds)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, ds := CompileSchema(root); ds.HasErrors() {
			b.Fatal(ds)
		}
	}
}

func BenchmarkCompileSchemaFloor(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := jsonschema.CompileString("floor.json", benchSchema); err != nil {
			b.Fatal(err)
		}
	}
}
