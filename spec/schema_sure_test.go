package spec

import (
	"encoding/json"
	"testing"
)

// checkSure holds what is told without the library against what the library says.
func checkSure(t *testing.T, schema *Schema, input []byte) {
	v, err := ReadValue(input)
	if err != nil {
		return
	}
	if schema.sure.fits(v) && schema.compiled.Validate(v) != nil {
		t.Errorf("%s does not fit %s, but is thought to for sure", input, schema.doc)
	}
}

// What usual inputs cost depends on this: they are known without the library, and only they.
func TestSureFit(t *testing.T) {
	const usual = `{required: [city], additionalProperties: false, properties: {
		city: {type: string, description: Where}, days: {type: integer, minimum: 1, maximum: 16, default: 3}, units: {type: string, enum: [c, f]},
		metric: {type: boolean}, sum: {type: number}, tags: {type: array, items: {type: string}}, any: {type: array}, in: {type: object, properties: {a: {}}}, odd: {pattern: x}}}`
	schema := compiled(t, usual)
	for input, want := range map[string]bool{
		`{"city": "Oslo", "days": 3, "units": "c", "metric": true, "sum": -4, "tags": ["a"], "any": [1], "in": {"a": 1, "b": 2}}`: true,
		`{"city": "Oslo"}`: true, `{}`: false, `{"city": null}`: false, `{"city": 1}`: false, `{"city": "Oslo", "other": 1}`: false,
		`{"city": "", "days": 0}`: false, `{"city": "", "days": 17}`: false, `{"city": "", "days": 16}`: true, `{"city": "", "days": 1.5}`: false,
		`{"city": "", "days": 1.0}`:  false, // it fits, and the library says so
		`{"city": "", "units": "k"}`: false, `{"city": "", "units": 1}`: false, `{"city": "", "metric": "true"}`: false, `{"city": "", "sum": "1"}`: false,
		`{"city": "", "tags": [1]}`: false, `{"city": "", "tags": "a"}`: false, `{"city": "", "in": []}`: false, `{"city": "", "odd": "x"}`: false, `[]`: false,
	} {
		v, err := ReadValue([]byte(input))
		if err != nil {
			t.Fatal(err)
		}
		if have := schema.sure.fits(v); have != want {
			t.Errorf("%s: have %v", input, have)
		}
		checkSure(t, schema, []byte(input))
	}
	for _, more := range []string{`{patternProperties: {}}`, `{properties: {}, dependentRequired: {}}`, `{additionalProperties: {}}`, `{minProperties: 1}`, `{x-more: 1}`} {
		if compiled(t, more).sure != nil {
			t.Errorf("%s says more than is known here", more)
		}
	}
	var none *sureFit
	if none.fits(json.Number("1")) {
		t.Error("nothing is sure of what was not read")
	}
}
