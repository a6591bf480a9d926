package spec_test

import (
	"encoding/json"
	"errors"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/toolspec/toolspec/exec"
	"github.com/toolspec/toolspec/spec"
)

// unseen are the faults of tool files that a schema of draft-07 cannot see, or that we do not burden it with, by rule and
// what is said of them. Any other fault must be seen.
var unseen = []struct{ rule, message, why string }{
	{"syntax", "", "there is no document for a schema to look at, or it was not read as it stands"},
	{"duplicate-key", "", "a schema sees one value for a key"},
	{"number", "", "a schema does not see how a number was written"},
	{"limit", "", "what is nested within each other is not counted"},
	{"default", "", "a default is held to another schema, its own"},
	{"template", "", "an expression is a text"},
	{"url", "", "a url is a text"},
	{"argv", "literal text", "a program's name is a text"},
	{"func", "has no Go function", "the program knows which there are"},
	{"step", "already", "that ids differ is no matter of form"},
	{"step", "takes no other", "which kind stands beside it is not looked at"},
	{"http", "is not a file's to set", "a header's name is told apart whatever its case"},
	{"code", "must not name the program", "what an argument does to the program before it is not looked at"},
	{"http", "spliced into JSON text", "a header's name is told apart whatever its case"},
	{"http", "of a text body it is literal", "a header's name is told apart whatever its case"},
	{"type", "300-299", "which end is higher is no matter of form"},
	{"result", "only a document has a name", "all media share their keys"},
	{"schema", "RE2", "a regular expression is a text"},
	{"schema", "leads nowhere|leads back", "where a reference leads"},
	{"schema", "in which fields stand under properties", "a field may have any name that no keyword has"},
	{"schema", "regexProperties", "other keys of a schema say nothing"},
	{"schema", "since 2020-12|since draft-06|have \"true\"", "all drafts share their grammar"},
	{"tests", "already", "that names differ is no matter of form"},
	{"tests", "stands in for nothing|there is no command|there is no request", "which kind the executor is of is not looked at"},
	{"unknown-key", "stub.steps.", "which steps there are is not looked at"},
	{"unknown-key", "stub.env.", "the operator's policy says which variables there are"},
	{"tests", "the name of a header|value of a header", "what a header may hold is no matter of form"},
	{"tests", "a path in dir.scratch|cannot be beside|the same file", "a path is a text"},
	{"type", "exclusiveMinimum: want true or false", "all drafts share their grammar"},
}

func TestGrammarIsASchemaOfDraft7(t *testing.T) {
	if compileGrammar(t).Draft != jsonschema.Draft7 {
		t.Error("it is read as another draft")
	}
	if _, err := spec.SchemaFromJSON(grammarText(t)); err != nil {
		t.Error(err)
	}
}

func grammarText(t *testing.T) []byte {
	t.Helper()
	text, err := json.Marshal(exec.StandardKinds().Grammar())
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// compileGrammar has the library compile it, which holds it to the meta-schema of the draft that it names.
func compileGrammar(t *testing.T) *jsonschema.Schema {
	t.Helper()
	compiled, err := jsonschema.CompileString("tool.json", string(grammarText(t)))
	if err != nil {
		t.Fatalf("%#v", err)
	}
	return compiled
}

// TestGrammarDescribesEveryProperty looks at every schema within the schema.
func TestGrammarDescribesEveryProperty(t *testing.T) {
	var whole any
	if err := json.Unmarshal(grammarText(t), &whole); err != nil {
		t.Fatal(err)
	}
	described := 0
	var look func(at string, v any)
	look = func(at string, v any) {
		m, _ := v.(map[string]any)
		list, _ := v.([]any)
		for i, each := range list {
			look(at+"/"+strconv.Itoa(i), each)
		}
		for key, value := range m {
			if ref, ok := value.(string); ok && key == "$ref" && len(m) > 1 {
				t.Errorf("%s: beside the reference %s draft-07 hears nothing", at, ref)
			}
			properties, _ := value.(map[string]any)
			if key == "properties" && !strings.HasSuffix(at, "/properties") {
				for name, p := range properties {
					described++
					if text, _ := p.(map[string]any)["description"].(string); text == "" && !strings.Contains(at, "/allOf/") {
						t.Errorf("%s/properties/%s has no description", at, name)
					}
				}
			}
			look(at+"/"+key, value)
		}
	}
	look("", whole)
	if described < 80 {
		t.Errorf("only %d properties found", described)
	}
}

// TestGrammarKnowsWhatIsRight holds every tool file of the house to the schema: what loads fits it, and of what is
// refused it sees every fault but the unseen ones.
func TestGrammarKnowsWhatIsRight(t *testing.T) {
	compiled := compileGrammar(t)
	good, faults, excused := 0, 0, make([]int, len(unseen))
	for name, src := range toolFiles(t) {
		root, _ := spec.ReadDocument(name, src)
		if root.IsZero() {
			continue
		}
		refused := leavesOf(compiled.Validate(root.Value()))
		ds := diagnose(name, src)
		if !ds.HasErrors() {
			good++
			for _, r := range refused {
				t.Errorf("%s: all is well, but the schema refuses %s: %s", name, r.InstanceLocation, r.Message)
			}
			continue
		}
		seen := placesOf(root, refused)
		for _, d := range ds {
			if i := indexUnseen(d); i >= 0 {
				excused[i]++
			} else if faults++; d.Severity == spec.SeverityError && !seen[d.Pos] {
				t.Errorf("%s: %s: the schema does not see it: %s", d.Pos, d.Rule, d.Message)
			}
		}
	}
	for i, n := range excused {
		if n == 0 {
			t.Errorf("no file shows a fault that is unseen as %s %q", unseen[i].rule, unseen[i].message)
		}
	}
	if good < 70 || faults < 200 {
		t.Errorf("only %d good files and %d faults found", good, faults)
	}
}

func indexUnseen(d spec.Diagnostic) int {
	for i, u := range unseen {
		if u.rule == d.Rule && regexp.MustCompile(u.message).MatchString(d.Message) {
			return i
		}
	}
	return -1
}

// diagnose says what is wrong with a file where it is loaded, by errors of its form above all.
func diagnose(name string, src []byte) spec.Diagnostics {
	s, ds := spec.Parse(name, src)
	if s != nil {
		_, more := exec.StandardKinds().Compile(&exec.Env{Policy: exec.DefaultPolicy()}, s)
		ds = append(ds, more...)
	}
	return ds
}

// toolFiles are the tool files of the house: those shipped, and those in archives.
func toolFiles(t *testing.T) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	for _, dir := range []string{"../toolspecs", "../testdata/diagnostics", "../testdata/calls", "../testdata/script", "../testdata/authors"} {
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if errors.Is(err, fs.ErrNotExist) || err == nil && (d.IsDir() || strings.Contains(path, "/expr/")) {
				return nil
			}
			if err != nil {
				return err
			}
			src, err := os.ReadFile(path)
			switch filepath.Ext(path) {
			case ".yaml":
				files[path] = src
			case ".txtar":
				for _, f := range txtar.Parse(src).Files {
					if strings.HasSuffix(f.Name, ".yaml") || strings.HasSuffix(f.Name, ".json") && strings.Contains(string(f.Data), `"executor"`) {
						files[path+"/"+f.Name] = f.Data
					}
				}
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return files
}

// leavesOf are the refusals that have no other behind them.
func leavesOf(err error) []*jsonschema.ValidationError {
	var invalid *jsonschema.ValidationError
	if !errors.As(err, &invalid) {
		return nil
	}
	if len(invalid.Causes) == 0 {
		return []*jsonschema.ValidationError{invalid}
	}
	var all []*jsonschema.ValidationError
	for _, cause := range invalid.Causes {
		all = append(all, leavesOf(cause)...)
	}
	return all
}

// placesOf are the places where something is refused: of the value, of what it stands in, and, as one of them may be at
// fault for which a map or a list is refused, of what is in it.
func placesOf(root spec.Section, refused []*jsonschema.ValidationError) map[spec.Pos]bool {
	places := map[spec.Pos]bool{}
	for _, r := range refused {
		where, _ := url.PathUnescape(r.InstanceLocation)
		at := root
		places[at.Pos()] = true
		for _, token := range strings.Split(where, "/")[1:] {
			token = strings.NewReplacer("~1", "/", "~0", "~").Replace(token)
			if i, err := strconv.Atoi(token); err == nil && i < len(at.Items()) {
				at = at.Items()[i]
			} else {
				for _, f := range at.Fields() {
					places[f.Key.Pos] = places[f.Key.Pos] || f.Key.Value == token
				}
				at = at.Get(token)
			}
			places[at.Pos()] = true
		}
		for _, f := range at.Fields() {
			places[f.Key.Pos], places[f.Value.Pos()] = true, true
		}
		for _, item := range at.Items() {
			places[item.Pos()] = true
		}
	}
	return places
}
