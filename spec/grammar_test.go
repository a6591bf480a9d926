package spec_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/toolspec/toolspec/spec"
)

type boat struct {
	Name   spec.Text               `spec:"name,required" doc:"Its name."`
	Length int                     `spec:"length" doc:"In metres."`
	Wait   time.Duration           `spec:"wait" doc:"Before it sails."`
	Hold   *spec.Bytes             `spec:"hold" doc:"How much it holds."`
	Flags  []bool                  `spec:"flags" doc:"Which are up."`
	Crew   map[string]spec.Section `spec:"crew" doc:"Who sails."`
	Oars   string                  `spec:"oars,one" doc:"It is rowed."`
	Sail   string                  `spec:"sail,one" doc:"It is sailed."`
	hidden int
}

func (*boat) Grammars() map[string]spec.Grammar {
	return map[string]spec.Grammar{"crew": {"type": "object"}, "length": {"minimum": 1}, "": {"title": "A boat"}}
}

func TestGrammarOf(t *testing.T) {
	have, err := json.Marshal(spec.GrammarOf([]boat{{hidden: 1}}))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`{"items":{"additionalProperties":false,"oneOf":[{"required":["oars"]},{"required":["sail"]}],"properties":{`,
		`"name":{"description":"Its name.","type":["string","number","boolean"]}`,
		`"length":{"description":"In metres.","minimum":1,"type":"integer"}`,
		`"crew":{"additionalProperties":{},"description":"Who sails.","type":"object"}`,
		`"flags":{"description":"Which are up.","items":{"type":"boolean"},"type":"array"}`,
		`"hold":{"anyOf":[`,
		`},"required":["name"],"title":"A boat","type":"object"},"type":"array"}`,
	} {
		if !strings.Contains(string(have), want) {
			t.Errorf("want %s in\n%s", want, have)
		}
	}
}

type silent struct{ spec.Text }

func (*silent) DecodeSection(spec.Section) spec.Diagnostics { return nil }

type stray struct {
	A bool `spec:"a" doc:"A."`
}

func (stray) Grammars() map[string]spec.Grammar { return map[string]spec.Grammar{"b": {}} }

// TestGrammarsSayEnough has declarations that would leave an editor without a word.
func TestGrammarsSayEnough(t *testing.T) {
	for want, config := range map[string]any{
		"the key undescribed of": struct {
			A bool `spec:"undescribed"`
		}{},
		"the key open of": struct {
			A []spec.Section `spec:"open" doc:"Anything?"`
		}{},
		"has DecodeSection and no DescribeSection":  silent{},
		"speaks of a key that there is not: b":      stray{},
		"a section cannot be decoded into chan int": make(chan int),
	} {
		func() {
			defer func() {
				if said := fmt.Sprint(recover()); !strings.Contains(said, want) {
					t.Errorf("have %q, want %q", said, want)
				}
			}()
			spec.GrammarOf(config)
		}()
	}
}

func TestSizesAndDurationsOfTheGrammar(t *testing.T) {
	type config struct {
		Size spec.Bytes    `spec:"size" doc:"A size."`
		Wait time.Duration `spec:"wait" doc:"A wait."`
	}
	doc, err := json.Marshal(spec.GrammarOf(config{}).With(spec.Grammar{"$schema": "http://json-schema.org/draft-07/schema#"}))
	if err != nil {
		t.Fatal(err)
	}
	schema, err := spec.SchemaFromJSON(doc)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{
		"size: 1", "size: 0", "size: -5", "size: 64KiB", "size: '64 MiB'", "size: 64KB", "size: KiB", "size: '12'", "size: x", "size: 0KiB", "size: 1.5", "size: null",
		"wait: 5s", "wait: 1h30m", "wait: .5s", "wait: 1.5h", "wait: 0s", "wait: 5", "wait: 5 s", "wait: -5s", "wait: +5ms", "wait: 00.0s", "wait: s", "wait: 1µs", "wait: true",
	} {
		sec, _ := spec.ReadDocument("a.yaml", []byte(text))
		var c config
		if decoded, fits := sec.Decode(&c), schema.Validate(sec.Value()); decoded.HasErrors() != (fits != nil) {
			t.Errorf("%s: decoded %v, but the grammar says %v", text, decoded, fits)
		}
	}
}
