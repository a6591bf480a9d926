package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/toolspec/toolspec/exec"
)

// writePlan prints what a call would do, for people.
func writePlan(w io.Writer, dry *exec.DryRun) error {
	var b bytes.Buffer
	for i, p := range dry.Plans {
		if i > 0 {
			b.WriteByte('\n')
		}
		if p.Step != "" {
			fmt.Fprintf(&b, "step %s\n", p.Step)
		}
		printPlan(&b, p)
		width := 0
		for _, s := range p.From {
			width = max(width, len(s.Name))
		}
		for _, s := range p.From {
			fmt.Fprintf(&b, "  from  %-*s  %s\n", width, s.Name, s.From)
		}
	}
	if dry.Unavailable != "" {
		fmt.Fprintf(&b, "\nnot here: %s\n", dry.Unavailable)
	}
	b.WriteString("\nNothing was done.\n")
	_, err := w.Write(b.Bytes())
	return err
}

func printPlan(b *bytes.Buffer, p exec.Plan) {
	switch {
	case p.Command != nil:
		printCommand(b, p.Command)
	case p.Request != nil:
		printRequest(b, p.Request)
	case p.Func != nil:
		fmt.Fprintf(b, "Go function %s\n  input %s\n", p.Func.Name, oneLine(p.Func.Input))
	case p.Tool != nil:
		fmt.Fprintf(b, "tool %s\n  input %s\n", p.Tool.Name, oneLine(p.Tool.Input))
		if p.Tool.Unavailable != "" {
			fmt.Fprintf(b, "  not here: %s\n", p.Tool.Unavailable)
		}
	case p.Expr != "":
		fmt.Fprintf(b, "expression %s\n  gives %s\n", p.Expr, p.Value)
	case p.Skipped:
		b.WriteString("is not run: its when is false\n")
	case len(p.Waits) > 0:
		fmt.Fprintf(b, "waits for %s\n  file  %s\n", strings.Join(p.Waits, ", "), oneLine(p.Template))
	default:
		fmt.Fprintf(b, "the kind %s does not tell what it would do\n", p.Kind)
	}
}

func printCommand(b *bytes.Buffer, c *exec.PlannedCommand) {
	words := make([]string, len(c.Argv))
	for i, arg := range c.Argv {
		words[i] = shellWord(arg)
	}
	fmt.Fprintf(b, "%s\n  program  %s\n  cwd      %s\n", strings.Join(words, " "), c.Program, c.Dir)
	if c.Sandbox != nil {
		fmt.Fprintf(b, "  sandbox  %s\n", grantedText(*c.Sandbox))
	}
	for _, name := range slices.Sorted(maps.Keys(c.Env)) {
		fmt.Fprintf(b, "  env      %s=%s\n", name, shellWord(c.Env[name]))
	}
	if len(c.Inherited) > 0 {
		fmt.Fprintf(b, "  env      %s (inherited)\n", strings.Join(c.Inherited, " "))
	}
	if c.Stdin != "" {
		fmt.Fprintf(b, "  stdin\n%s", indented(c.Stdin))
	}
}

func printRequest(b *bytes.Buffer, r *exec.PlannedRequest) {
	fmt.Fprintf(b, "%s %s\n", r.Method, r.URL)
	if r.Tries > 1 {
		fmt.Fprintf(b, "  attempts  %d at most\n", r.Tries)
	}
	for _, name := range slices.Sorted(maps.Keys(r.Header)) {
		for _, value := range r.Header[name] {
			fmt.Fprintf(b, "  %s: %s\n", name, value)
		}
	}
	switch {
	case len(r.Body) == 0:
	case utf8.Valid(r.Body) && bytes.IndexByte(r.Body, 0) < 0:
		fmt.Fprintf(b, "  body\n%s", indented(string(r.Body)))
	default:
		fmt.Fprintf(b, "  body, %d bytes; --json shows them\n", len(r.Body))
	}
}

func indented(text string) string {
	return "    " + strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\n", "\n    ") + "\n"
}

func oneLine(v any) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return err.Error()
	}
	return strings.TrimSpace(b.String())
}

// shellWord is a text as a person would write it in a shell, so that its ends are seen.
func shellWord(text string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_./:=@%+,", r)
	}
	if text != "" && !strings.ContainsFunc(text, func(r rune) bool { return !plain(r) }) {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}
