package exec

import (
	"regexp"
	"slices"
	"strings"

	"github.com/toolspec/toolspec/spec"
)

// stepConfig are the keys of a step beside those that name a kind.
type stepConfig struct {
	ID    spec.Text    `spec:"id,required" doc:"What later steps call its value: steps.ID."`
	When  spec.Text    `spec:"when" doc:"A condition; where it is false the step is null."`
	Each  spec.Text    `spec:"each" doc:"An expression for a list; the step runs once per item, as item, and gives the list."`
	Input spec.Section `spec:"input" doc:"The input of a tool or of a Go function, a map whose texts are templates."`
	Tool  spec.Text    `spec:"tool" doc:"The name of another tool, which this step calls."`
}

// Grammars says what an id is, and what may stand as input.
func (stepConfig) Grammars() map[string]spec.Grammar {
	return map[string]spec.Grammar{
		"id":    {"type": "string", "pattern": stepID.String(), "not": spec.Grammar{"enum": reserved}},
		"input": {},
		"tool":  {"not": spec.Grammar{"pattern": `\$\{`}},
	}
}

// steps is the section of the kind pipeline.
type steps []spec.Section

// DescribeSection is a list of steps, which the kinds describe: each may stand in a step.
func (*steps) DescribeSection() spec.Grammar {
	return spec.Grammar{"type": "array", "items": spec.Definition("step"), "minItems": 1}
}

var stepKeys = spec.KeysOf(stepConfig{})

// stepWords are what people bring from elsewhere.
var stepWords = map[string]string{
	"name": "id", "if": "when", "for": "each", "foreach": "each", "for_each": "each", "forEach": "each", "loop": "each", "with": "input", "args": "input", "arguments": "input",
	"uses": "tool", "call": "tool", "run": "command", "retry": "write it in the step's request, as http: {url: …, retry: {attempts: 3}}",
	"type": "the kind of a step is a key of it, such as http: {url: …}", "kind": "the kind of a step is a key of it, such as http: {url: …}",
	"url": "write http: {url: …}", "argv": "write command: {argv: …}", "shell": "write command: {shell: …}",
}

// stepID is what can stand after the dot in steps.ID.
var stepID = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// reserved are the words that have a meaning of their own in expressions.
var reserved = []string{
	"and", "or", "not", "in", "contains", "matches", "startsWith", "endsWith", "let", "if", "else", "true", "false", "nil", "null",
}

// pipeline runs steps one after the other.
type pipeline struct {
	steps []*pipelineStep
}

// pipelineStep is one step of a pipeline, compiled: it calls another tool, or has an executor of its own.
type pipelineStep struct {
	id       string
	at       spec.Section
	kind     string // tool, or that of its executor
	reads    []*Expr
	when     *Expr
	each     *Expr
	tool     spec.Text
	input    *Tree // of a tool, or of a Go function
	executor Executor
}

const maxSteps = 200 // each is checked against all before it

// newPipeline is the kind pipeline: its section is a list of steps.
func newPipeline(site *Site, config spec.Section) (Executor, spec.Diagnostics) {
	if config.Form() != spec.FormList || len(config.Items()) == 0 {
		return nil, spec.Diagnostics{config.Errorf("type", "want a list of steps such as - {id: place, tool: geocode, input: {name: '${input.city}'}}")}
	}
	if steps := config.Items(); len(steps) > maxSteps {
		return nil, spec.Diagnostics{steps[maxSteps].Errorf("limit", "a pipeline has at most 200 steps")}
	}
	var ds spec.Diagnostics
	p := &pipeline{}
	for _, item := range config.Items() {
		st, faults := site.With("steps", p.shape()).compileStep(item, p.ids())
		ds = append(ds, faults...)
		p.steps = append(p.steps, st)
	}
	return p, ds
}

func (p *pipeline) ids() []string {
	ids := make([]string, len(p.steps))
	for i, st := range p.steps {
		ids[i] = st.id
	}
	return ids
}

// shape is what is known of steps: which there are so far.
func (p *pipeline) shape() *spec.Shape { return closed(p.ids()...) }

// shows is what the pipeline leaves behind for the expressions of result.
func (p *pipeline) shows() map[string]*spec.Shape { return map[string]*spec.Shape{"steps": p.shape()} }

// compileStep always gives a step, so that later ones can refer to it even where it is wrong.
func (s *Site) compileStep(sec spec.Section, earlier []string) (*pipelineStep, spec.Diagnostics) {
	st := &pipelineStep{at: sec}
	before := len(s.needs.exprs)
	if sec.Form() != spec.FormMap {
		return st, spec.Diagnostics{sec.Errorf("type", "want a step such as {id: place, tool: geocode}, have %s", sec.Form())}
	}
	ds := st.readID(sec, earlier)
	kinds, faults := s.stepKinds(sec)
	ds = append(ds, faults...)
	inner := s
	if each := sec.Get("each"); !each.IsZero() {
		st.each, faults = s.stepExpr(each, s.withoutSecrets().Expr)
		ds = append(ds, faults...)
		inner = s.With("item", open())
	}
	if when := sec.Get("when"); !when.IsZero() {
		st.when, faults = s.stepExpr(when, s.withoutSecrets().Condition)
		ds = append(ds, faults...)
	}
	if len(kinds) == 1 {
		st.kind = kinds[0]
		ds = append(ds, inner.compileAction(st, sec, st.kind)...)
	}
	st.reads = slices.Clone(s.needs.exprs[before:])
	return st, ds
}

func (st *pipelineStep) readID(sec spec.Section, earlier []string) spec.Diagnostics {
	id := sec.Get("id")
	if id.IsZero() {
		id = sec.Get("name") // said with the keys that are not known; what follows may refer to it
	}
	if id.IsZero() {
		return spec.Diagnostics{sec.Errorf("missing-key", "id is missing")}
	}
	text, ok := id.Text()
	st.id = text.Value
	switch {
	case !ok || !stepID.MatchString(st.id):
		return spec.Diagnostics{id.Errorf("step", "want a name of letters, digits and _, to be used as steps.NAME, have %q", st.id)}
	case slices.Contains(reserved, st.id):
		return spec.Diagnostics{id.Errorf("step", "%s is a word of the expression language; choose another name", st.id)}
	case slices.Contains(earlier, st.id):
		return spec.Diagnostics{id.Errorf("step", "there is a step %s already", st.id)}
	}
	return nil
}

// stepKinds are the keys of a step that say what it does; there must be exactly one.
func (s *Site) stepKinds(sec spec.Section) (found []string, ds spec.Diagnostics) {
	known := append(slices.Clone(stepKeys), s.Kinds.Names()...)
	for _, f := range sec.Fields() {
		key := f.Key.Value
		_, isKind := s.Kinds[key]
		switch {
		case isKind || key == "tool":
			found = append(found, key)
			ds = append(ds, s.Env.Policy.refuseKind(sec.Path(), f.Key)...)
		case !slices.Contains(stepKeys, key):
			ds = append(ds, spec.UnknownKey(sec, f.Key, known, stepWords))
		}
	}
	if len(found) != 1 && len(ds) == 0 {
		ds = append(ds, sec.Errorf("step", "want exactly one of tool, %s, have %d", strings.Join(s.Kinds.Names(), ", "), len(found)))
	}
	return found, ds
}

func (s *Site) stepExpr(sec spec.Section, compile func(spec.Text) (*Expr, spec.Diagnostics)) (*Expr, spec.Diagnostics) {
	text, ok := sec.Text()
	if !ok {
		return nil, spec.Diagnostics{sec.Errorf("type", "want an expression, have %s", sec.Form())}
	}
	return compile(text)
}

// compileAction compiles what the step does.
func (s *Site) compileAction(st *pipelineStep, sec spec.Section, kind string) (ds spec.Diagnostics) {
	var faults spec.Diagnostics
	if input := sec.Get("input"); !input.IsZero() {
		if kind != "tool" && kind != "func" {
			ds = append(ds, input.Errorf("step", "a %s in place sees the tool's own input, and takes no other", kind))
		}
		st.input, faults = s.Tree(input)
		ds = append(ds, faults...)
	}
	if kind != "tool" {
		inPlace := *s
		inPlace.inStep = true
		st.executor, faults = s.Kinds[kind].Build(&inPlace, sec.Get(kind))
		if typed, ok := st.executor.(Typed); ok && st.input != nil {
			if _, err := typed.InputSchema(); err != nil {
				ds = append(ds, sec.Get(kind).Errorf("func", "%v", err))
			}
		}
		return append(ds, faults...)
	}
	name, ok := sec.Get("tool").Text()
	switch st.tool = name; {
	case !ok || name.Value == "" || strings.Contains(name.Value, "${"):
		ds = append(ds, sec.Get("tool").Errorf("step", "want the name of a tool; it is literal"))
	case name.Value == s.Spec.Name:
		ds = append(ds, sec.Get("tool").Errorf("step", "the tool %s calls itself", name.Value))
	}
	return ds
}

// open is the shape of what may be anything.
func open() *spec.Shape { return &spec.Shape{Open: true} }

// Uses are the names of the tools that the tool's steps call, with their places, each as often as it is called.
func (t *Tool) Uses() []spec.Text {
	p, ok := t.executor.(*pipeline)
	if !ok {
		return nil
	}
	return p.uses()
}

func (p *pipeline) uses() []spec.Text {
	var names []spec.Text
	for _, st := range p.steps {
		if inner, ok := st.executor.(*pipeline); ok {
			names = append(names, inner.uses()...)
		} else if st.executor == nil {
			names = append(names, st.tool)
		}
	}
	return names
}
