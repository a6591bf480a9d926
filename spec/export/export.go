package export

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/toolspec/toolspec/spec"
)

// format is one way to write tools.
type format struct {
	name  string
	rules *rules                               // what the provider takes; nil where everything is written as it stands
	tool  func(x *export, s *spec.Spec) []byte // one tool
	join  func(tools [][]byte) []byte          // the document
}

// formats are all formats, in the order they are told in.
func formats() []format {
	return []format{strands(), bedrock(), anthropic(), openAI(), openAIStrict(), gemini(), mcp(), markdown()}
}

// Formats are the names of the formats, such as bedrock.
func Formats() []string {
	var names []string
	for _, f := range formats() {
		names = append(names, f.name)
	}
	return names
}

func find(name string) (format, error) {
	all := formats()
	if i := slices.IndexFunc(all, func(f format) bool { return f.name == name }); i >= 0 {
		return all[i], nil
	}
	if near := spec.Nearest(name, Formats()); near != "" {
		return format{}, fmt.Errorf("unknown format %q; did you mean %s?", name, near)
	}
	return format{}, fmt.Errorf("unknown format %q; known: %s", name, strings.Join(Formats(), ", "))
}

// Convert writes the specs, in their order, as the format's one document: what stands under tools in a request to the
// provider, or a page. Their names differ. A spec without an Input has no parameters. The losses tell everything that was
// rewritten on the way. The error is about the format's name.
func Convert(format string, specs []*spec.Spec) (doc []byte, losses spec.Diagnostics, err error) {
	f, err := find(format)
	if err != nil {
		return nil, nil, err
	}
	names := f.names(specs)
	x := &export{format: f}
	var tools [][]byte
	for _, s := range specs {
		x.spec, x.name = s, names[s.Name]
		x.tellName()
		tools = append(tools, f.tool(x, s))
	}
	if most := f.most(); most > 0 && len(specs) > most {
		x.losses.Add(spec.Pos{}, "many-tools", "%s takes at most %d tools in one request, here are %d", f.rules.who, most, len(specs))
		x.losses[len(x.losses)-1].Severity = spec.SeverityWarning
	}
	x.losses.Sort()
	return f.join(tools), x.losses, nil
}

func (f format) most() int {
	if f.rules == nil {
		return 0
	}
	return f.rules.tools
}

// Losses are what the format cannot take of one spec, as [Convert] tells it; none for an unknown format.
func Losses(format string, s *spec.Spec) spec.Diagnostics {
	_, losses, _ := Convert(format, []*spec.Spec{s})
	return losses
}

// export is the export of some tools.
type export struct {
	format format
	spec   *spec.Spec // the one at hand
	name   string     // and its name as exported
	losses spec.Diagnostics
}

// place is where something stands in a file, or what it was made of.
type place struct {
	pos  spec.Pos
	path string // from the root of the file, such as inputSchema.properties.city
}

// lose notes that the model is told less than the file says, or otherwise.
func (x *export) lose(at place, rule, format string, args ...any) {
	x.note(spec.SeverityWarning, at, rule, format, args...)
}

// rewrite notes that something is written otherwise and means the same.
func (x *export) rewrite(at place, rule, format string, args ...any) {
	x.note(spec.SeverityInfo, at, rule, format, args...)
}

func (x *export) note(severity spec.Severity, at place, rule, format string, args ...any) {
	if at.pos.File != x.spec.Pos.File { // a schema that a Go function brings
		at.pos = x.spec.Pos
		at.path = strings.TrimSuffix("inputSchema."+strings.TrimPrefix(at.path, "."), ".")
	}
	x.losses = append(x.losses, spec.Diagnostic{
		Pos: at.pos, Severity: severity, Rule: rule, Message: at.path + ": " + fmt.Sprintf(format, args...),
	})
}

// leave notes which parts of the contract the provider has no place for.
func (x *export) leave(keys ...string) {
	has := map[string]bool{
		"title": x.spec.Title != "", "tags": len(x.spec.Tags) > 0, "outputSchema": x.spec.Output != nil,
		"annotations": x.spec.Annotations != (spec.Annotations{}),
	}
	keys = slices.DeleteFunc(keys, func(key string) bool { return !has[key] })
	if len(keys) > 0 {
		at := place{x.spec.At("/" + keys[0]), strings.Join(keys, ", ")}
		x.rewrite(at, "contract", "left out: %s has no place for it", x.format.who())
	}
}

// who is the reader of the format, as messages call it.
func (f format) who() string {
	if f.rules == nil {
		return f.name
	}
	return f.rules.who
}

// input is the schema of a spec's input.
func input(s *spec.Spec) *spec.Schema {
	if s.Input == nil {
		return spec.NoParameters()
	}
	return s.Input
}

// array joins tools as a JSON array, each on lines of its own.
func array(tools [][]byte) []byte {
	doc := slices.Concat([]byte("["), bytes.Join(tools, []byte(",")), []byte("]"))
	var b bytes.Buffer
	if err := json.Indent(&b, doc, "", "  "); err != nil {
		panic("export: what was written is no JSON: " + err.Error())
	}
	b.WriteByte('\n')
	return b.Bytes()
}
