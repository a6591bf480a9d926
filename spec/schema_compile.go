package spec

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/url"
	"regexp"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v5"
)

// schemaCompiler compiles one schema.
type schemaCompiler struct {
	assumed       draft // where none is declared
	assertFormats bool
	remotes       map[string]string // documents by address, for references elsewhere: only tests of Validate have any

	draft   draft
	root    Section // with texts where they are wanted
	library *jsonschema.Compiler
	parts   []*part
	metered bool // see multiplies
	weight  int  // of all parts
	faults  Diagnostics
}

// schemaAddress is what the library takes for the address of every schema, so that no path of ours stands in it.
const schemaAddress = "toolspec:schema"

// compile reads the schema, has it compiled, and outlines what defaults, repair and expressions need of it.
func (c *schemaCompiler) compile(root Section) (*Schema, Diagnostics) {
	meta := c.findDraft(root)
	text := &texts{root: root.n, draft: c.draft}
	root.n = text.schema(root.n)
	c.root = root
	r := &schemaReader{
		draft: c.draft, remote: c.remotes != nil, byPlace: map[string]*part{},
		patterns: map[string]*regexp.Regexp{}, dynamic: map[string][]*part{},
	}
	top := r.read(root, "", &resource{anchors: map[string]*part{}})
	r.resolve()
	r.checkCycles()
	if len(r.parts) > MaxSchemas {
		r.fault(root, "a schema holds at most 2,500 schemas, this one %d", len(r.parts))
	}
	c.parts, c.faults = r.parts, append(c.faults, r.faults...)
	if c.faults.HasErrors() {
		return nil, c.faults
	}
	c.metered = len(r.refs) > 0 && multiplies(r.parts)
	for _, p := range r.parts {
		c.weight += p.weight()
	}
	s := &Schema{source: root, meter: c.meter(top), draft: c.draft, targets: r.targets()}
	if s.compiled = c.compileWithLibrary(root, meta); s.compiled == nil {
		return nil, c.faults
	}
	if c.remotes != nil {
		return s, nil
	}
	if s.outline = c.outline(top); c.faults.HasErrors() {
		return nil, c.faults
	}
	s.shape = sync.OnceValue(func() *Shape { return shapeOf(s.outline, !s.open) })
	return s, c.faults
}

func (c *schemaCompiler) compileWithLibrary(root Section, meta *jsonschema.Draft) *jsonschema.Schema {
	c.library = jsonschema.NewCompiler()
	if meta = c.ordinary(meta); meta != nil {
		c.library.Draft = meta
	}
	c.library.AssertFormat = c.assertFormats
	if c.library.Formats = silentFormats(); c.assertFormats {
		c.library.Formats = assertingFormats()
	}
	c.library.LoadURL = func(address string) (io.ReadCloser, error) {
		if doc, ok := c.remotes[address]; ok {
			return io.NopCloser(strings.NewReader(doc)), nil
		}
		return nil, fmt.Errorf("%s is not in this file", address)
	}
	err := c.library.AddResource(schemaAddress, bytes.NewReader(root.JSON()))
	if err != nil {
		c.faults = append(c.faults, root.Errorf("schema", "%s", err))
		return nil
	}
	compiled, err := c.library.Compile(schemaAddress)
	if err == nil {
		return compiled
	}
	var invalid *jsonschema.ValidationError
	if !errors.As(err, &invalid) {
		message := strings.ReplaceAll(strings.TrimPrefix(errors.Unwrap(err).Error(), "jsonschema: "), schemaAddress, "")
		c.faults = append(c.faults, root.Errorf("schema", "%s", message))
		return nil
	}
	for _, leaf := range leaves(invalid) {
		at := root
		for _, token := range libraryTokens(leaf.InstanceLocation) {
			at = at.step(token)
		}
		c.faults = append(c.faults, at.Errorf("schema", "%s", leaf.Message))
	}
	return nil
}

// compiledPart is a part as the library has compiled it.
func (c *schemaCompiler) compiledPart(p *part) *jsonschema.Schema {
	var b strings.Builder
	for _, token := range pointerTokens(p.pointer) {
		b.WriteString("/" + url.PathEscape(pointerToken(token)))
	}
	compiled, err := c.library.Compile(schemaAddress + "#" + b.String())
	if err != nil {
		panic("spec: a part of a compiled schema does not compile: " + err.Error())
	}
	return compiled
}

// libraryTokens are the keys in a pointer as the library writes them.
func libraryTokens(pointer string) []string {
	tokens := pointerTokens(pointer)
	for i, t := range tokens {
		if plain, err := url.PathUnescape(t); err == nil {
			tokens[i] = plain
		}
	}
	return tokens
}

// leaves are the failures that have no other behind them.
func leaves(e *jsonschema.ValidationError) []*jsonschema.ValidationError {
	if len(e.Causes) == 0 {
		return []*jsonschema.ValidationError{e}
	}
	var all []*jsonschema.ValidationError
	for _, cause := range e.Causes {
		all = append(all, leaves(cause)...)
	}
	return all
}
