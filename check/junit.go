package check

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/toolspec/toolspec/spec"
)

// JUnit writes verdicts as the XML that build servers read: a suite a tool, a case a test. A file that is broken, so that its
// tests cannot be run, is a suite with one case, an error.
func JUnit(w io.Writer, verdicts []Verdict, broken spec.Diagnostics) error {
	all := junitSuites{Name: "toolspec"}
	all.addBroken(broken)
	for _, v := range verdicts {
		if n := len(all.Suites); n == 0 || all.Suites[n-1].Name != v.Tool || all.Suites[n-1].File != v.Pos.File {
			all.Suites = append(all.Suites, junitSuite{Name: v.Tool, File: v.Pos.File})
		}
		suite := &all.Suites[len(all.Suites)-1]
		c := junitCase{Name: v.Test, Class: v.Tool, File: v.Pos.File, Line: v.Pos.Line, Time: seconds(v.Took)}
		suite.took += v.Took
		all.took += v.Took
		suite.Tests, all.Tests = suite.Tests+1, all.Tests+1
		if len(v.Faults) > 0 {
			suite.Failures, all.Failures = suite.Failures+1, all.Failures+1
			c.Failure = &junitFailure{Message: v.Faults[0].Message, Type: "expectation", Text: v.FaultText()}
		}
		suite.Cases = append(suite.Cases, c)
	}
	all.Time = seconds(all.took)
	for i := range all.Suites {
		all.Suites[i].Time = seconds(all.Suites[i].took)
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	e := xml.NewEncoder(w)
	e.Indent("", "  ")
	if err := e.Encode(all); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

func (all *junitSuites) addBroken(broken spec.Diagnostics) {
	for _, d := range broken {
		if n := len(all.Suites); n == 0 || all.Suites[n-1].File != d.File {
			all.Suites = append(all.Suites, junitSuite{Name: d.File, File: d.File, Tests: 1, Errors: 1, Cases: []junitCase{{
				Name: "the file can be read", Class: d.File, File: d.File, Line: d.Line, Time: seconds(0),
				Error: &junitFailure{Message: d.Message, Type: "file"},
			}}})
			all.Tests, all.Errors = all.Tests+1, all.Errors+1
		}
		all.Suites[len(all.Suites)-1].Cases[0].Error.Text += fmt.Sprintf("%s: %s\n", d.Pos, d.Message)
	}
}

func seconds(d time.Duration) string { return fmt.Sprintf("%.3f", d.Seconds()) }

// FaultText is what is wrong with a test for people: each fault with its place, and its diff below.
func (v Verdict) FaultText() string {
	var b strings.Builder
	for _, f := range v.Faults {
		fmt.Fprintf(&b, "%s: %s\n", f.Pos, f.Message)
		if f.Diff != "" {
			for line := range strings.SplitSeq(f.Diff, "\n") {
				b.WriteString("    " + line[:min(2, len(line))] + visible(line[min(2, len(line)):]) + "\n")
			}
		}
	}
	return b.String()
}

type junitSuites struct {
	XMLName  xml.Name     `xml:"testsuites"`
	Name     string       `xml:"name,attr"`
	Tests    int          `xml:"tests,attr"`
	Failures int          `xml:"failures,attr"`
	Errors   int          `xml:"errors,attr"`
	Time     string       `xml:"time,attr"`
	Suites   []junitSuite `xml:"testsuite"`
	took     time.Duration
}

type junitSuite struct {
	Name     string      `xml:"name,attr"`
	File     string      `xml:"file,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Errors   int         `xml:"errors,attr"`
	Time     string      `xml:"time,attr"`
	Cases    []junitCase `xml:"testcase"`
	took     time.Duration
}

type junitCase struct {
	Name    string        `xml:"name,attr"`
	Class   string        `xml:"classname,attr"`
	File    string        `xml:"file,attr"`
	Line    int           `xml:"line,attr"`
	Time    string        `xml:"time,attr"`
	Failure *junitFailure `xml:"failure"`
	Error   *junitFailure `xml:"error"`
}

type junitFailure struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr"`
	Text    string `xml:",chardata"`
}
