package spec

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Severity is how much a [Diagnostic] matters.
type Severity uint8

// The severities. Only SeverityError keeps a file from being used.
const (
	SeverityError Severity = iota
	SeverityWarning
	SeverityInfo
)

var severityNames = [...]string{"error", "warning", "info"}

// String is the severity's name, as check prints it.
func (s Severity) String() string { return severityNames[s] }

// MarshalText writes the severity's name.
func (s Severity) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads a severity's name.
func (s *Severity) UnmarshalText(text []byte) error {
	for i, name := range severityNames {
		if name == string(text) {
			*s = Severity(i)
			return nil
		}
	}
	return fmt.Errorf("severity: want error, warning or info, have %q", text)
}

// Diagnostic is one thing that is wrong in a tool file, with its place. Rule is the short stable name of the check
// that found it ("syntax", "unknown-key", "template", …).
//
// In JSON it is {file, line, column, severity, rule, message}.
type Diagnostic struct {
	Pos
	Severity Severity `json:"severity"`
	Rule     string   `json:"rule"`
	Message  string   `json:"message"`
}

// Error gives file:line:column: message.
func (d Diagnostic) Error() string {
	if at := d.Pos.String(); at != "" {
		return at + ": " + d.Message
	}
	return d.Message
}

// Diagnostics is all that is wrong with one or several files, modelled on go/scanner.ErrorList.
type Diagnostics []Diagnostic

// Errorf is one diagnostic of severity error.
func Errorf(pos Pos, rule, format string, args ...any) Diagnostic {
	return Diagnostic{Pos: pos, Severity: SeverityError, Rule: rule, Message: fmt.Sprintf(format, args...)}
}

// Add appends one diagnostic of severity error.
func (ds *Diagnostics) Add(pos Pos, rule, format string, args ...any) {
	*ds = append(*ds, Errorf(pos, rule, format, args...))
}

// Sort orders by file, line, column, and drops repeats.
func (ds *Diagnostics) Sort() {
	slices.SortStableFunc(*ds, func(a, b Diagnostic) int {
		return cmp.Or(
			cmp.Compare(a.Pos.File, b.Pos.File),
			cmp.Compare(a.Pos.Line, b.Pos.Line),
			cmp.Compare(a.Pos.Column, b.Pos.Column),
			cmp.Compare(a.Severity, b.Severity),
		)
	})
	seen := make(map[Diagnostic]bool, len(*ds))
	*ds = slices.DeleteFunc(*ds, func(d Diagnostic) bool {
		again := seen[d]
		seen[d] = true
		return again
	})
}

// HasErrors tells whether one of them keeps its file from being used.
func (ds Diagnostics) HasErrors() bool {
	return slices.ContainsFunc(ds, func(d Diagnostic) bool { return d.Severity == SeverityError })
}

// Err is nil without errors, else the diagnostics as one error, a line each.
func (ds Diagnostics) Err() error {
	if !ds.HasErrors() {
		return nil
	}
	return ds
}

// Error is a line for each.
func (ds Diagnostics) Error() string {
	lines := make([]string, len(ds))
	for i, d := range ds {
		lines[i] = d.Error()
	}
	return strings.Join(lines, "\n")
}
