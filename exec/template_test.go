package exec

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/toolspec/toolspec/spec"
)

func TestTemplateSmoke(t *testing.T) {
	s := &Site{Env: &Env{Policy: DefaultPolicy()}, needs: &needs{}}
	var v *Vars
	v = v.With("input", map[string]any{"city": "Oslo", "n": json.Number("12345678901234567890")})
	for in, want := range map[string]string{
		"plain": "plain", "$${x}": "${x}", "a ${input.city}!": "a Oslo!", "${input.n}": "12345678901234567890",
		`${ {"a": "}"}.a }`: "}", "${input.none.deep}-": "-", "${1+2}": "3", "${[1,2]} ": "[1,2]",
	} {
		tpl, ds := s.Template(spec.Text{Value: in})
		if ds.HasErrors() {
			t.Fatal(ds)
		}
		got, _, err := tpl.text(context.Background(), v)
		if err != nil || got != want {
			t.Errorf("%q: got %q, %v; want %q", in, got, err, want)
		}
	}
}
