package exec

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/toolspec/toolspec/spec"
)

func total(r spec.ToolResult) (n int) {
	for _, c := range r.Content {
		n += sizeOf(c)
	}
	return n
}

func TestLimitShortensAndSaysSo(t *testing.T) {
	records := make([]any, 1204)
	for i := range records {
		records[i] = map[string]any{"id": i, "name": "a name of some length", "tags": []any{"x", "y"}}
	}
	for name, c := range map[string]struct {
		value any
		limit string
		want  []string
	}{
		"records":  {map[string]any{"results": records}, "{bytes: 4KiB}", []string{"`results` has ", " of 1,204 items", "a name of some length"}},
		"items":    {records, "{items: 3}", []string{"the list has 3 of 1,204 items", `"id":2`}},
		"text":     {"first\n" + strings.Repeat("ü line\n", 20000) + "last", "{bytes: 2KiB}", []string{"first\n", "bytes left out here", "last"}},
		"one line": {strings.Repeat("日", 50000), "{bytes: 2KiB}", []string{"bytes left out here"}},
		"in text":  {map[string]any{"id": 7, "log": strings.Repeat("x", 100000)}, "{bytes: 2KiB}", []string{`"id":7`, "1 long texts lost their middle"}},
		"both":     {[]any{strings.Repeat("a", 9000), strings.Repeat("b", 9000)}, "{bytes: 2KiB}", []string{"aaa", "bbb", "2 long texts"}},
		"keys":     {wide(5000), "{bytes: 2KiB}", []string{"1 maps lost keys", `"k00000"`}},
		"default":  {strings.Repeat("x", 1<<20), "{}", []string{"of 1,048,576 bytes left out"}},
	} {
		t.Run(name, func(t *testing.T) {
			tool := compile(t, "executor: {func: f}\nresult: {limit: "+c.limit+"}\n", give(c.value))
			r := tool.Call(t.Context(), use(`{}`))
			have := text(r)
			if !r.Metadata.Truncated || r.Status != spec.StatusSuccess {
				t.Errorf("have %+v", r.Metadata)
			}
			if total(r) > tool.result.limit.bytes {
				t.Errorf("have %d bytes, want at most %d", total(r), tool.result.limit.bytes)
			}
			if !utf8.ValidString(have) {
				t.Error("a character was cut in half")
			}
			for _, want := range c.want {
				if !strings.Contains(have, want) {
					t.Errorf("want %q in %.300s … %s", want, have, have[max(0, len(have)-300):])
				}
			}
		})
	}
}

func wide(n int) map[string]any {
	m := map[string]any{}
	for i := range n {
		m[fmt.Sprintf("k%05d", i)] = i
	}
	return m
}

func TestLimitNamesTheParametersThatGiveTheRest(t *testing.T) {
	schema := "inputSchema: {type: object, properties: {offset: {type: integer}, q: {type: string}}}\n"
	tool := compile(t, schema+"executor: {func: f}\n", give(strings.Repeat("x", 1<<20)))
	if have := text(tool.Call(t.Context(), use(`{}`))); !strings.Contains(have, "with `offset`") {
		t.Errorf("have %.200s", have[len(have)/2-100:])
	}
}

func blocksOf(sizes ...int) (blocks []spec.Content) {
	for _, size := range sizes {
		blocks = append(blocks, spec.TextBlock(strings.Repeat("x", size)))
	}
	return blocks
}

func TestLimitKeepsSmallBlocksWhole(t *testing.T) {
	if have := share(blocksOf(10, 1000, 1000), 110); have != 50 {
		t.Errorf("have %d, want 50", have)
	}
	if have := share(blocksOf(10, 10), 100); have != 80 {
		t.Errorf("have %d, want 80", have)
	}
}

func TestSizeIsThatOfTheEncoding(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		v := randomJSON(random, 4)
		m := measure{random.IntN(4), 20 + random.IntN(100), random.IntN(4)}
		s := &shortened{measure: m}
		block, err := spec.JSONBlock(s.shorten(v, ""))
		if err != nil {
			t.Fatal(err)
		}
		if have := m.size(v, unlimited); have < len(block.JSON) {
			t.Fatalf("have %d, want at least %d: %s", have, len(block.JSON), block.JSON)
		}
	}
}

func TestShortJSONFitsWhateverItIs(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for range 2000 {
		v, most := randomJSON(random, 6), 10+random.IntN(2000)
		block, err := spec.JSONBlock(shortJSON(v, 0, most).value)
		if err != nil {
			t.Fatal(err)
		}
		if _, isText := v.(string); len(block.JSON) > most && !isText { // a text alone is never a json block
			t.Fatalf("have %d bytes, want at most %d: %s", len(block.JSON), most, block.JSON)
		}
	}
}

func randomJSON(r *rand.Rand, depth int) any {
	switch n := r.IntN(8); {
	case depth == 0 || n < 3:
		return []any{nil, true, json.Number("12.50"), strings.Repeat("é\"\n\x01 ", r.IntN(100)), ""}[r.IntN(5)]
	case n < 6:
		list := make([]any, r.IntN(6))
		for i := range list {
			list[i] = randomJSON(r, depth-1)
		}
		return list
	}
	m := map[string]any{}
	for i := range r.IntN(6) {
		m[fmt.Sprintf("key%d", i)] = randomJSON(r, depth-1)
	}
	return m
}
