package export_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/toolspec/toolspec/spec"
	"github.com/toolspec/toolspec/spec/export"
)

// corpus are the tools of the shared data that load, each name once.
func corpus(t *testing.T) (specs []*spec.Spec) {
	t.Helper()
	f, err := os.Open("../../../shared/data/tool-corpus.jsonl")
	if os.IsNotExist(err) && os.Getenv("CI") == "" {
		t.Skip("*** NOT TESTED: the corpus of real tool specs is not beside this checkout (../shared/data)")
	}
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	in := bufio.NewScanner(f)
	in.Buffer(nil, 1<<20)
	refused, twice := 0, map[string]int{}
	for n := 0; in.Scan(); n++ {
		var tool struct {
			Name, Description string
			Parameters        json.RawMessage
			Annotations       json.RawMessage
		}
		if err := json.Unmarshal(in.Bytes(), &tool); err != nil {
			t.Fatal(err)
		}
		if strings.TrimSpace(tool.Description) == "" {
			tool.Description = "Says nothing of itself."
		}
		if twice[tool.Name]++; twice[tool.Name] > 1 {
			tool.Name += fmt.Sprintf("-%d", twice[tool.Name])
		}
		file, err := json.Marshal(map[string]any{"name": tool.Name, "description": tool.Description, "inputSchema": tool.Parameters, "executor": map[string]string{"expr": "1"}})
		if err != nil {
			t.Fatal(err)
		}
		s, ds := spec.Parse(fmt.Sprintf("%04d.json", n), file)
		if ds.HasErrors() {
			refused++ // for a default that breaks its own schema; other tests see to it
			continue
		}
		specs = append(specs, s)
	}
	t.Logf("%d tools, %d more are refused", len(specs), refused)
	if len(specs) < 3500 {
		t.Fatalf("only %d tools load", len(specs))
	}
	return specs
}

// TestCorpus exports every tool of the corpus to every format: each document obeys its provider's rules, and all that was
// lost on the way is told.
func TestCorpus(t *testing.T) {
	specs := corpus(t)
	for _, format := range export.Formats() {
		t.Run(format, func(t *testing.T) { t.Parallel(); testExport(t, format, specs) })
	}
}

// TestArchivesObey does the same with the archives, which are harder.
func TestArchivesObey(t *testing.T) {
	for path, specs := range archives(t) {
		for _, format := range export.Formats() {
			t.Run(path+" "+format, func(t *testing.T) { testExport(t, format, specs) })
		}
	}
}

func testExport(t *testing.T, format string, specs []*spec.Spec) {
	doc, losses, err := export.Convert(format, specs)
	if err != nil {
		t.Fatal(err)
	}
	checkLosses(t, losses)
	if format == "markdown" {
		if n := bytes.Count(doc, []byte("\n## ")); n < len(specs) {
			t.Errorf("%d of %d tools are on the page", n, len(specs))
		}
		return
	}
	tools := toolsIn(t, format, doc)
	if len(tools) != len(specs) {
		t.Fatalf("%d of %d tools are exported", len(tools), len(specs))
	}
	byFile := map[string]spec.Diagnostics{}
	for _, l := range losses {
		byFile[l.File] = append(byFile[l.File], l)
	}
	for i, s := range specs {
		j := &judge{where: s.Pos.File + " " + s.Name, brief: i%10 != 0 && len(specs) > 100}
		judges[format](j, tools[i])
		for _, fault := range j.faults {
			t.Error(fault)
		}
		checkAccount(t, format, s, tools[i], byFile[s.Pos.File])
	}
}

func checkLosses(t *testing.T, losses spec.Diagnostics) {
	t.Helper()
	for _, l := range losses {
		if l.Severity == spec.SeverityError || l.Rule == "" || !strings.Contains(l.Message, ": ") && l.Rule != "many-tools" || !l.IsValid() && l.Rule != "many-tools" {
			t.Errorf("%v %s: %v", l.Severity, l.Rule, l)
		}
	}
}

func checkAccount(t *testing.T, format string, s *spec.Spec, tool object, losses spec.Diagnostics) {
	t.Helper()
	for _, gap := range gaps(t, format, s, tool, losses) {
		t.Errorf("%s, %s: %s", s.Pos.File, s.Name, gap)
	}
}

func gaps(t *testing.T, format string, s *spec.Spec, tool object, losses spec.Diagnostics) []string {
	a := accountFor(losses)
	root := "inputSchema"
	var in any = map[string]any{"type": "object", "properties": map[string]any{}}
	if s.Input != nil {
		in, root = decoded(t, s.Input.JSON()), s.Input.Section().Path()
	}
	var out any
	if schema := schemaIn(format, tool); schema != nil {
		out = schema
	}
	a.in(root, in, out)
	a.out(root, in, out)
	slices.Sort(a.gaps)
	return a.gaps
}

// TestEachLossIsMissed: with any warning about a keyword taken away, the account no longer holds. So the account is one.
func TestEachLossIsMissed(t *testing.T) {
	missed, all := 0, 0
	for _, specs := range archives(t) {
		for _, format := range []string{"bedrock", "openai-strict", "gemini"} {
			doc, _, err := export.Convert(format, specs)
			if err != nil {
				t.Fatal(err)
			}
			tools := toolsIn(t, format, doc)
			for i, s := range specs {
				losses := export.Losses(format, s)
				for n, l := range losses {
					if !slices.Contains([]string{"keyword", "format", "default", "identifier"}, l.Rule) {
						continue
					}
					all++
					// else something around it is told
					if found := gaps(t, format, s, tools[i], slices.Delete(slices.Clone(losses), n, n+1)); len(found) > 0 {
						missed++
					}
				}
			}
		}
	}
	t.Logf("%d of %d losses are missed when they are not told", missed, all)
	if missed < all*3/4 {
		t.Errorf("only %d of %d losses are missed when they are not told: the account proves little", missed, all)
	}
}
