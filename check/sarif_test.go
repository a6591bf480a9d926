package check_test

import (
	"encoding/json"
	"net/url"
	"regexp"
	"testing"

	"github.com/toolspec/toolspec/check"
	"github.com/toolspec/toolspec/spec"
)

// sarifLog is what SARIF 2.1.0 asks of a log, as far as ours has it, read by other names than it is written by.
type sarifLog struct {
	Version string `json:"version"`
	Runs    []struct {
		ColumnKind string `json:"columnKind"`
		Tool       struct {
			Driver struct {
				Name  string `json:"name"`
				Rules []struct {
					ID               string `json:"id"`
					ShortDescription struct{ Text string }
					FullDescription  struct{ Text string }
					Help             struct{ Text, Markdown string }
					Default          struct{ Level string } `json:"defaultConfiguration"`
				} `json:"rules"`
			} `json:"driver"`
		} `json:"tool"`
		Results []struct {
			RuleID    string `json:"ruleId"`
			RuleIndex int    `json:"ruleIndex"`
			Level     string `json:"level"`
			Message   struct{ Text string }
			Locations []struct {
				PhysicalLocation struct {
					ArtifactLocation struct{ URI string }
					Region           struct{ StartLine, StartColumn int }
				}
			}
			PartialFingerprints map[string]string
		} `json:"results"`
	} `json:"runs"`
}

func sarif(t *testing.T, ds spec.Diagnostics) sarifLog {
	t.Helper()
	text, err := json.Marshal(check.SARIF(ds, "1.0.0", "/home/ada"))
	if err != nil {
		t.Fatal(err)
	}
	var log sarifLog
	if err := json.Unmarshal(text, &log); err != nil {
		t.Fatal(err)
	}
	if len(log.Runs) != 1 || log.Version != "2.1.0" || log.Runs[0].Tool.Driver.Name != "toolspec" || log.Runs[0].ColumnKind != "unicodeCodePoints" {
		t.Fatalf("no log of ours: %s", text)
	}
	return log
}

var level = regexp.MustCompile(`^(none|note|warning|error)$`)

// TestSARIF holds the log to what the standard asks: every result has a rule that is described, a place that counts from 1, a
// relative address and a fingerprint of its own.
func TestSARIF(t *testing.T) {
	files := []*check.File{
		file("tools/a b.yaml", []byte("name: a\ndescription: A.\ninputSchema: {properties: {x: {type: string}, y: {type: string}}}\nexecutor: {expr: input.z}\n")),
		file("/home/ada/tools/ö:1.yaml", []byte("name: a\n")),
		file("a:b.yaml", []byte("name: a\n")),
		file("/srv/x.yaml", []byte("[")),
	}
	run := sarif(t, check.Lint(files, check.Options{Together: true})).Runs[0]
	seen, uris := map[string]bool{}, map[string]bool{}
	for _, r := range run.Results {
		if r.RuleIndex < 0 || r.RuleIndex >= len(run.Tool.Driver.Rules) || run.Tool.Driver.Rules[r.RuleIndex].ID != r.RuleID {
			t.Errorf("%s: has no rule", r.RuleID)
		}
		if !level.MatchString(r.Level) || r.Message.Text == "" || len(r.Locations) != 1 {
			t.Errorf("%s: level %q, message %q, %d places", r.RuleID, r.Level, r.Message.Text, len(r.Locations))
			continue
		}
		place := r.Locations[0].PhysicalLocation
		uri, err := url.Parse(place.ArtifactLocation.URI)
		if err != nil || uri.IsAbs() || place.Region.StartLine < 1 || place.Region.StartColumn < 1 {
			t.Errorf("%s: place %+v %v", r.RuleID, place, err)
		}
		uris[place.ArtifactLocation.URI] = true
		print := r.PartialFingerprints["toolspecFinding/v1"]
		if print == "" || seen[print] {
			t.Errorf("%s: fingerprint %q", r.RuleID, print)
		}
		seen[print] = true
	}
	for _, want := range []string{"tools/a%20b.yaml", "tools/%C3%B6:1.yaml", "../../srv/x.yaml", "./a:b.yaml"} {
		if !uris[want] {
			t.Errorf("no result at %s: %v", want, uris)
		}
	}
	for _, r := range run.Tool.Driver.Rules {
		if r.ID == "" || r.ShortDescription.Text == "" || r.FullDescription.Text == "" || r.Help.Text == "" || !level.MatchString(r.Default.Level) {
			t.Errorf("rule %+v", r)
		}
	}
}

// TestFingerprintsStay: what moved to another line is the same finding, and two that read the same are two.
func TestFingerprintsStay(t *testing.T) {
	at := func(line int) spec.Diagnostic {
		return spec.Diagnostic{Pos: spec.Pos{File: "a.yaml", Line: line, Column: 1}, Rule: "tokens", Message: "much"}
	}
	print := func(i int, ds ...spec.Diagnostic) string {
		return sarif(t, ds).Runs[0].Results[i].PartialFingerprints["toolspecFinding/v1"]
	}
	if print(0, at(1)) != print(0, at(7)) {
		t.Error("the fingerprint changes with the line")
	}
	if print(0, at(1), at(2)) == print(1, at(1), at(2)) {
		t.Error("two findings have one fingerprint")
	}
}

// TestSARIFOfNothing: code hosts want an empty list of results, not null.
func TestSARIFOfNothing(t *testing.T) {
	if run := sarif(t, nil).Runs[0]; run.Results == nil || len(run.Tool.Driver.Rules) == 0 {
		t.Errorf("have %+v", run)
	}
}
