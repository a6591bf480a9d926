package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/toolspec/toolspec/spec"
)

// writeResult prints a result for people: text as it is, JSON indented, the rest by name; an error goes to stderr.
func writeResult(std stdio, r spec.ToolResult) error {
	w := std.out
	if r.Status == spec.StatusError {
		w = std.err
	}
	for _, block := range r.Content {
		if err := writeBlock(w, block); err != nil {
			return err
		}
	}
	return nil
}

func writeBlock(w io.Writer, block spec.Content) error {
	var err error
	switch {
	case block.Text != nil:
		_, err = fmt.Fprintln(w, *block.Text)
	case block.JSON != nil:
		var b bytes.Buffer
		if err = json.Indent(&b, block.JSON, "", "  "); err == nil {
			_, err = fmt.Fprintln(w, b.String())
		}
	case block.Resource != nil:
		_, err = fmt.Fprintf(w, "[resource %s, %d bytes]\n%s", block.Resource.URI, len(block.Resource.Bytes), block.Resource.Text)
	default:
		_, err = fmt.Fprintln(w, describeMedia(block))
	}
	return err
}

// describeMedia names a block that a terminal cannot show.
func describeMedia(block spec.Content) string {
	for label, m := range map[string]*spec.Media{"image": block.Image, "document": block.Document, "audio": block.Audio, "video": block.Video} {
		switch {
		case m == nil:
		case m.Source.Location != nil:
			return fmt.Sprintf("[%s %s at %s]", label, m.Format, m.Source.Location.URI)
		case m.Name != "":
			return fmt.Sprintf("[%s %s %q, %d bytes; --json shows them]", label, m.Format, m.Name, len(m.Source.Bytes))
		default:
			return fmt.Sprintf("[%s %s, %d bytes; --json shows them]", label, m.Format, len(m.Source.Bytes))
		}
	}
	return "[an empty block]"
}

// printDiagnostics prints what is wrong with the files of the set, with carets on a terminal.
func (s *set) printDiagnostics(w io.Writer) { printDiagnostics(w, s.diagnostics()) }

func printDiagnostics(w io.Writer, ds spec.Diagnostics) {
	printDiagnosticsBut(w, ds, func(spec.Pos) bool { return false })
}

// printDiagnosticsBut shows no line that is hidden.
func printDiagnosticsBut(w io.Writer, ds spec.Diagnostics, hidden func(spec.Pos) bool) {
	snippets := isTerminal(w)
	for _, d := range ds {
		fmt.Fprintf(w, "%s: %s: %s\n", d.Pos, d.Severity, strings.ReplaceAll(d.Message, "\n", "\n    "))
		if !snippets || hidden(d.Pos) {
			continue
		}
		if src, err := readToolFile(d.Pos.File); err == nil {
			fmt.Fprint(w, spec.Snippet(src, d))
		}
	}
}

// readToolFile reads what may be a tool file, and nothing larger, nor what is no file.
func readToolFile(path string) ([]byte, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular() || info.Size() > spec.MaxFileBytes:
		return nil, fmt.Errorf("%s is no file of at most %d KiB", path, spec.MaxFileBytes>>10)
	}
	return os.ReadFile(path) // #nosec G304 -- what the user names, or lies in the directory that is read
}

// isTerminal tells whether a person reads along.
func isTerminal(w io.Writer) bool {
	if s, ok := w.(*screen); ok {
		w = s.to
	}
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0 && os.Getenv("TERM") != "dumb"
}
