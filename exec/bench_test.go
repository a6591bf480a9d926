package exec

import (
	"bytes"
	"context"
	"encoding/json"
	"testing"

	"github.com/toolspec/toolspec/spec"
)

const three = "inputSchema: {type: object, required: [city], properties: {city: {type: string}, days: {type: integer, minimum: 1}, metric: {type: boolean}}}\n"

const threeInput = `{"city": "Oslo", "days": 3, "metric": true}`

// A call costs little more than the least that it can: reading the input and validating it.
func BenchmarkFuncCall(b *testing.B) {
	tool := compile(b, three+"executor: {func: f}\n", func(context.Context, *Call) (any, error) { return "fine", nil })
	b.Run("call", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if r := tool.Call(b.Context(), use(threeInput)); r.Status != spec.StatusSuccess {
				b.Fatal(text(r))
			}
		}
	})
	b.Run("floor", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			d := json.NewDecoder(bytes.NewReader([]byte(threeInput)))
			d.UseNumber()
			var v any
			if err := d.Decode(&v); err != nil {
				b.Fatal(err)
			}
			if err := tool.Spec.Input.Validate(v); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("accept", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := tool.Spec.Input.Accept([]byte(threeInput)); err != nil {
				b.Fatal(err)
			}
		}
	})
}
