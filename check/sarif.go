package check

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"github.com/toolspec/toolspec/spec"
)

// sarifLog is what a check found, as SARIF 2.1.0 has it.
type sarifLog struct {
	Schema  string     `json:"$schema"`
	Version string     `json:"version"`
	Runs    []sarifRun `json:"runs"`
}

type sarifRun struct {
	Tool       sarifTool     `json:"tool"`
	ColumnKind string        `json:"columnKind"`
	Results    []sarifResult `json:"results"`
}

type sarifTool struct {
	Driver sarifDriver `json:"driver"`
}

type sarifDriver struct {
	Name    string      `json:"name"`
	Version string      `json:"version,omitempty"`
	Rules   []sarifRule `json:"rules"`
}

type sarifRule struct {
	ID      string      `json:"id"`
	Short   sarifText   `json:"shortDescription"`
	Full    sarifText   `json:"fullDescription"`
	Help    sarifText   `json:"help"`
	Default sarifConfig `json:"defaultConfiguration"`
}

type sarifConfig struct {
	Level string `json:"level"`
}

type sarifText struct {
	Text     string `json:"text"`
	Markdown string `json:"markdown,omitempty"`
}

type sarifResult struct {
	RuleID       string            `json:"ruleId"`
	RuleIndex    int               `json:"ruleIndex"`
	Level        string            `json:"level"`
	Message      sarifText         `json:"message"`
	Locations    []sarifLocation   `json:"locations"`
	Fingerprints map[string]string `json:"partialFingerprints"`
}

type sarifLocation struct {
	Physical sarifPlace `json:"physicalLocation"`
}

type sarifPlace struct {
	Artifact sarifArtifact `json:"artifactLocation"`
	Region   sarifRegion   `json:"region"`
}

type sarifArtifact struct {
	URI string `json:"uri"`
}

type sarifRegion struct {
	Line   int `json:"startLine"`
	Column int `json:"startColumn"`
}

// levels are what SARIF calls the severities.
var levels = map[spec.Severity]string{spec.SeverityError: "error", spec.SeverityWarning: "warning", spec.SeverityInfo: "note"}

// SARIF is the log of a check, to be written as JSON for code hosts and editors that read SARIF 2.1.0: the rules with their help, and what was
// found, at addresses relative to dir. A fingerprint knows a finding again when it has moved to another line.
func SARIF(ds spec.Diagnostics, version, dir string) any {
	rules := sarifRules(ds)
	results := make([]sarifResult, 0, len(ds))
	twice := map[string]int{}
	for _, d := range ds {
		uri := address(d.File, dir)
		print := strings.Join([]string{d.Rule, uri, d.Message}, "\x00")
		twice[print]++
		sum := sha256.Sum256(fmt.Appendf(nil, "%s\x00%d", print, twice[print]))
		results = append(results, sarifResult{
			RuleID: d.Rule, RuleIndex: slices.IndexFunc(rules, func(r sarifRule) bool { return r.ID == d.Rule }),
			Level: levels[d.Severity], Message: sarifText{Text: d.Message},
			Locations:    []sarifLocation{{sarifPlace{sarifArtifact{uri}, sarifRegion{max(1, d.Line), max(1, d.Column)}}}},
			Fingerprints: map[string]string{"toolspecFinding/v1": hex.EncodeToString(sum[:])},
		})
	}
	return sarifLog{
		Schema: "https://json.schemastore.org/sarif-2.1.0.json", Version: "2.1.0",
		Runs: []sarifRun{{sarifTool{sarifDriver{"toolspec", version, rules}}, "unicodeCodePoints", results}},
	}
}

// sarifRules are the rules, and those of reading and compiling that found something.
func sarifRules(ds spec.Diagnostics) []sarifRule {
	var rules []sarifRule
	for _, r := range AllRules() {
		first, _, _ := strings.Cut(r.Doc, ". ")
		rules = append(rules, sarifRule{
			ID: r.Name, Short: sarifText{Text: strings.TrimSuffix(first, ".") + "."}, Full: sarifText{Text: r.Doc},
			Help: sarifText{
				Text:     fmt.Sprintf("%s\n\nbad: %s\ngood: %s", r.Doc, r.Bad, r.Good),
				Markdown: fmt.Sprintf("%s\n\n- bad: `%s`\n- good: `%s`", r.Doc, r.Bad, r.Good),
			},
			Default: sarifConfig{levels[r.Severity]},
		})
	}
	for _, d := range ds {
		if !slices.ContainsFunc(rules, func(r sarifRule) bool { return r.ID == d.Rule }) {
			text := sarifText{Text: "The file cannot be used as it stands: " + cmp.Or(d.Rule, "fault") + "."}
			rules = append(rules, sarifRule{d.Rule, text, text, text, sarifConfig{levels[d.Severity]}})
		}
	}
	return rules
}

// address is a file's path as a URI relative to dir; of a file on another drive, its full one.
func address(file, dir string) string {
	if filepath.IsAbs(file) {
		relative, err := filepath.Rel(dir, file)
		if err != nil {
			return (&url.URL{Scheme: "file", Path: "/" + strings.TrimPrefix(filepath.ToSlash(file), "/")}).String()
		}
		file = relative
	}
	return (&url.URL{Path: filepath.ToSlash(filepath.Clean(file))}).String()
}
