package spec

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/toolspec/toolspec/testdata/versus"
)

const benchSchema = `{"type":"object","required":["city"],"properties":{` +
	`"city":{"type":"string","description":"Name of the city, such as Oslo"},` +
	`"days":{"type":"integer","minimum":1,"maximum":16,"default":3},` +
	`"units":{"type":"string","enum":["metric","imperial"],"default":"metric"}}}`

var benchInput = []byte(`{"city":"Oslo","days":7,"units":"metric"}`)

// BenchmarkAccept is against what nobody can do without: decoding with digits kept, and validation.
func BenchmarkAccept(b *testing.B) {
	s, err := SchemaFromJSON([]byte(benchSchema))
	if err != nil {
		b.Fatal(err)
	}
	alone := jsonschema.MustCompileString("floor.json", benchSchema)
	versus.Floor(b, func() error {
		_, err := s.Accept(benchInput)
		return err
	}, func() error {
		var v any
		d := json.NewDecoder(bytes.NewReader(benchInput))
		d.UseNumber()
		if err := d.Decode(&v); err != nil {
			return err
		}
		return alone.Validate(v)
	})
}

func BenchmarkCompileSchema(b *testing.B) {
	root, ds := ReadDocument("schema.json", []byte(benchSchema))
	if ds.HasErrors() {
		b.Fatal(ds)
	}
	versus.Floor(b, func() error {
		_, ds := CompileSchema(root)
		return ds.Err()
	}, func() error {
		_, err := jsonschema.CompileString("floor.json", benchSchema)
		return err
	})
}

// BenchmarkReadValue is reading JSON from outside, against encoding/json with digits kept.
func BenchmarkReadValue(b *testing.B) {
	text := []byte(benchSchema)
	versus.Floor(b, func() error {
		_, err := ReadValue(text)
		return err
	}, func() error {
		var v any
		d := json.NewDecoder(bytes.NewReader(text))
		d.UseNumber()
		return d.Decode(&v)
	})
}

// BenchmarkWriteValue is writing JSON, against encoding/json.
func BenchmarkWriteValue(b *testing.B) {
	v, err := ReadValue([]byte(benchSchema))
	if err != nil {
		b.Fatal(err)
	}
	versus.Floor(b, func() error {
		_, err := encode(v)
		return err
	}, func() error {
		_, err := encodeOther(v)
		return err
	})
}
