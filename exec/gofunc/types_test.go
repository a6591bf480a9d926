package gofunc_test

import (
	"context"
	"encoding/json"
	"math/big"
	"net/netip"
	"net/url"
	"testing"
	"time"

	"github.com/toolspec/toolspec/exec/gofunc"
	"github.com/toolspec/toolspec/spec"
)

type inner struct {
	Name string `json:"name"`
}

type everything struct {
	Time     time.Time         `json:"time"`
	Duration time.Duration     `json:"duration"`
	Bytes    []byte            `json:"bytes"`
	Raw      json.RawMessage   `json:"raw"`
	Any      any               `json:"any"`
	Number   json.Number       `json:"number"`
	Pointer  *inner            `json:"pointer"`
	List     []inner           `json:"list"`
	Map      map[string]inner  `json:"map"`
	Addr     netip.Addr        `json:"addr"`
	URL      *url.URL          `json:"url"`
	Big      *big.Int          `json:"big"`
	Ints     map[string][]int8 `json:"ints"`
	Array    [2]int            `json:"array"`
	Float    float32           `json:"float"`
	inner
}

// Whatever JSON makes of a Go type, the schema derived from the type must not refuse it.
func TestSchemasFitWhatGoWrites(t *testing.T) {
	full := everything{Raw: json.RawMessage(`{"a":1}`), Bytes: []byte{0, 1}, Any: []int{1}, Number: "1.5", Pointer: &inner{}, List: []inner{{}},
		Map: map[string]inner{"a": {}}, Addr: netip.MustParseAddr("::1"), URL: &url.URL{Host: "x"}, Big: big.NewInt(5), Ints: map[string][]int8{"x": {1}}}
	for name, out := range map[string]everything{"full": full, "empty": {Raw: json.RawMessage("null"), Number: "0"}} {
		tool, err := gofunc.Tool("all", "All.", func(context.Context, struct{}) (everything, error) { return out, nil })
		if err != nil {
			t.Fatal(err)
		}
		if r := call(t, tool, `{}`); r.Status != spec.StatusSuccess {
			t.Errorf("%s: have %s\nschema %s", name, text(t, r), tool.Spec.Output.JSON())
		}
		back, err := gofunc.Tool("back", "Back.", func(_ context.Context, in everything) (everything, error) { return in, nil })
		if err != nil {
			t.Fatal(err)
		}
		input, err := json.Marshal(out)
		if err != nil {
			t.Fatal(err)
		}
		if r := call(t, back, string(input)); r.Status != spec.StatusSuccess && name == "full" {
			t.Errorf("%s: have %s\nschema %s", name, text(t, r), back.Spec.Input.JSON())
		}
	}
}
