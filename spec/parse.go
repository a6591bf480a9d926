package spec

import (
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// toolFile is the outermost map of a tool file: every key that there is.
type toolFile struct {
	Name         Text          `spec:"name,required" doc:"The tool's name: letters, digits, _ . -, at most 128, not starting with - or a dot."`
	Title        Text          `spec:"title" doc:"A name for people."`
	Description  Text          `spec:"description,required" doc:"What the tool does, when to use it and when not: this is all a model knows of it."`
	Tags         []Text        `spec:"tags" doc:"Words to select tools by."`
	InputSchema  Section       `spec:"inputSchema" doc:"JSON Schema of the input, plain or wrapped as {json: …}. Absent: no parameters."`
	OutputSchema Section       `spec:"outputSchema" doc:"JSON Schema of the tool's value; its root is an object."`
	Annotations  Annotations   `spec:"annotations" doc:"MCP's hints: readOnlyHint, destructiveHint, idempotentHint, openWorldHint."`
	Timeout      time.Duration `spec:"timeout" doc:"How long one call may take, such as 5s or 2m; default 30s."`
	Limits       Limits        `spec:"limits" doc:"How many calls of the tool may run at once, and begin in a time."`
	Requires     Requires      `spec:"requires" doc:"Commands, environment variables and operating systems the tool needs."`
	Executor     Section       `spec:"executor,required" doc:"What does the work: exactly one of command, http, expr, func, pipeline."`
	Result       Section       `spec:"result" doc:"How the value becomes the result that the model reads."`
	Tests        Section       `spec:"tests" doc:"Calls of the tool with stubs in place of the world, and what must come of them; toolspec test runs them."`
}

// FileKeys are the outermost keys of a tool file, in the order of the format.
func FileKeys() []string { return keysOf(fieldsOf(reflect.TypeFor[toolFile]())) }

var toolName = regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}$`)

// Parse reads one tool file; file is only named, never opened. The spec is nil if the document cannot be read. With other
// errors it is a draft, without a digest: no tool comes of it, but its executor can be compiled for what is wrong there.
func Parse(file string, src []byte) (*Spec, Diagnostics) {
	root, unread := ReadDocument(file, src)
	if root.IsZero() {
		return nil, unread
	}
	if fault := foreignFault(root); fault != nil {
		ds := append(unread, *fault)
		ds.Sort()
		return nil, ds
	}
	var f toolFile
	ds := root.Decode(&f)
	s := &Spec{
		Name: f.Name.Value, Title: f.Title.Value, Description: f.Description.Value, Annotations: f.Annotations,
		Timeout: f.Timeout, Limits: f.Limits, Requires: f.Requires, Result: f.Result, Tests: f.Tests, Pos: f.Name.Pos, root: root,
	}
	for _, tag := range f.Tags {
		s.Tags = append(s.Tags, tag.Value)
	}
	s.checkWords(f, &ds)
	if s.Input = readSchema(f.InputSchema, &ds); s.Input == nil && !f.InputSchema.IsZero() {
		s.Input = anyInput() // of a draft: what is wrong with the schema is said, expressions over it are not to blame
	}
	s.Output = readSchema(f.OutputSchema, &ds)
	checkSystems(f.Requires.OS, &ds)
	s.Kind, s.Config = oneKind(f.Executor, &ds)
	ds = slices.DeleteFunc(ds, func(d Diagnostic) bool { return follows(d, unread) })
	ds = append(ds, unread...)
	ds.Sort()
	if !ds.HasErrors() {
		s.Digest = digest(root)
	}
	return s, ds
}

// foreignFault is what is wrong with a document that was never meant as a tool; nil if it was. It repeats nothing that stands there: a
// link leads anywhere, to keys and passwords too, and what is wrong with tools is told to many.
func foreignFault(root Section) *Diagnostic {
	known, words := FileKeys(), (*toolFile).Words(nil)
	isMeant := func(f Field) bool {
		return slices.Contains(known, f.Key.Value) || meantKey(f.Key.Value, known, words) != ""
	}
	var d Diagnostic
	switch form := root.Form(); {
	case form == FormText || form == FormNumber:
		d = root.Errorf("type", "want a map with %s, have %s", strings.Join(known, ", "), form)
	case len(root.Fields()) > 0 && !slices.ContainsFunc(root.Fields(), isMeant):
		d = root.Errorf("document", "this is no tool file: not one of its keys is a tool's, which has name, description, executor")
	default:
		return nil
	}
	return &d
}

// follows tells whether something wrong with a value is but a consequence of its not having been read as it stands.
func follows(d Diagnostic, unread Diagnostics) bool {
	return slices.ContainsFunc(unread, func(u Diagnostic) bool { return u.Pos == d.Pos })
}

func (s *Spec) checkWords(f toolFile, ds *Diagnostics) {
	if fault := NameFault(s.Name); fault != "" && !f.Name.IsZero() {
		ds.Add(f.Name.Pos, "name", "name: %s", fault)
	}
	if !f.Description.IsZero() && strings.TrimSpace(s.Description) == "" {
		ds.Add(f.Description.Pos, "description", "description: want a sentence that says what the tool does and when to use it, have nothing")
	}
}

// NameFault says what keeps a text from being the name of a tool; empty if nothing does.
func NameFault(name string) string {
	switch {
	case toolName.MatchString(name):
		return ""
	case name == "":
		return "want a name such as city_days, have nothing"
	case len(name) > 128:
		return fmt.Sprintf("want at most 128 characters, have %d", utf8.RuneCountInString(name))
	case name[0] == '-' || name[0] == '.':
		return fmt.Sprintf("%q must not start with %q", name, name[:1])
	}
	return "want letters, digits, _, . and - only, have " + shown(name)
}

func readSchema(s Section, ds *Diagnostics) *Schema {
	if s.IsZero() {
		return nil
	}
	schema, faults := CompileSchema(s)
	*ds = append(*ds, faults...)
	return schema
}

// systems are what Go calls the operating systems that it builds for.
var systems = []string{"aix", "android", "darwin", "dragonfly", "freebsd", "illumos", "ios", "linux", "netbsd", "openbsd", "plan9", "solaris", "windows"}

func checkSystems(names []Text, ds *Diagnostics) {
	for _, name := range names {
		if !name.IsZero() && !slices.Contains(systems, name.Value) {
			ds.Add(name.Pos, "requires", "requires.os: want names such as linux, darwin (macOS) or windows, have %s", shown(name.Value))
		}
	}
}

// oneKind is the one key of an executor and what stands under it.
func oneKind(executor Section, ds *Diagnostics) (kind string, config Section) {
	fields := executor.Fields()
	switch {
	case executor.IsZero(): // said already
	case executor.Form() != FormMap:
		executor.want(ds, "a map with one key, the kind, such as {command: {argv: [date]}}")
	case len(fields) == 0:
		*ds = append(*ds, executor.Errorf("executor", "want exactly one kind, such as {command: {argv: [date]}}, have none"))
	default:
		for _, f := range fields[1:] {
			ds.Add(f.Key.Pos, "executor", "executor: want exactly one kind, have %s beside %s", f.Key.Value, fields[0].Key.Value)
		}
		return fields[0].Key.Value, fields[0].Value
	}
	return "", Section{}
}
