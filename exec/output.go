package exec

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/toolspec/toolspec/spec"
)

// outputFormat is how the bytes that a process writes, or a server answers, become a value.
type outputFormat string

const (
	outputText  outputFormat = "text"  // without its last line break
	outputJSON  outputFormat = "json"  // one value, its digits kept; null where there is nothing
	outputJSONL outputFormat = "jsonl" // a value a line
	outputCSV   outputFormat = "csv"   // an object a record, its keys from the first record; every field is text
	outputLines outputFormat = "lines" // a text a line
	outputBytes outputFormat = "bytes" // as they are
)

// outputFormats are all the formats, in the order of the documentation.
func outputFormats() []outputFormat {
	return []outputFormat{outputText, outputJSON, outputJSONL, outputCSV, outputLines, outputBytes}
}

// DecodeSection takes one of the formats.
func (f *outputFormat) DecodeSection(s spec.Section) spec.Diagnostics {
	text, _ := s.Text()
	*f = outputFormat(text.Value)
	if slices.Contains(outputFormats(), *f) {
		return nil
	}
	have := s.Form().String()
	if s.Form().Scalar() {
		have = fmt.Sprintf("%q", text.Value)
	}
	return spec.Diagnostics{s.Errorf("type", "want text, json, jsonl, csv, lines or bytes, have %s", have)}
}

// DescribeSection is one of the formats.
func (f *outputFormat) DescribeSection() spec.Grammar { return spec.Grammar{"enum": outputFormats()} }

// value makes the bytes a value. An error says what is wrong with them and is of code failed.
func (f outputFormat) value(b []byte) (any, error) {
	switch f {
	case outputJSON:
		return jsonOutput(b)
	case outputJSONL:
		return jsonlOutput(b)
	case outputCSV:
		return csvOutput(b)
	case outputLines:
		return linesOutput(b), nil
	case outputBytes:
		return append([]byte{}, b...), nil // nothing is no bytes, and not null
	}
	return cleanText(trimLineBreak(b)), nil
}

func badOutput(format string, args ...any) error {
	return spec.NewError(spec.CodeFailed, format, args...)
}

func trimLineBreak(b []byte) []byte {
	return bytes.TrimSuffix(bytes.TrimSuffix(b, []byte("\n")), []byte("\r"))
}

func trimMark(b []byte) []byte { return bytes.TrimPrefix(b, []byte("\xEF\xBB\xBF")) }

func jsonOutput(b []byte) (any, error) {
	b = trimMark(b)
	if len(bytes.TrimSpace(b)) == 0 {
		return nil, nil
	}
	value, err := spec.ReadValue(b)
	if err != nil {
		return nil, badOutput("the output is not JSON: %s; it starts with %q", err, beginning(b))
	}
	return value, nil
}

func jsonlOutput(b []byte) (any, error) {
	list := []any{}
	for i, line := range bytes.Split(trimMark(b), []byte("\n")) {
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		value, err := spec.ReadValue(line)
		if err != nil {
			return nil, badOutput("line %d of the output is not JSON: %s; it starts with %q", i+1, err, beginning(line))
		}
		list = append(list, value)
	}
	return list, nil
}

// csvOutput refuses a record that has more or fewer fields than the first, and names given twice: both would lose
// fields silently.
func csvOutput(b []byte) (any, error) {
	r := csv.NewReader(strings.NewReader(cleanText(trimMark(b))))
	list := []any{}
	header, err := r.Read()
	if errors.Is(err, io.EOF) {
		return list, nil
	}
	for i, name := range header {
		if slices.Contains(header[:i], name) {
			return nil, badOutput("the output's first line names the column %q twice", name)
		}
	}
	for err == nil {
		var record []string
		if record, err = r.Read(); err == nil {
			object := make(map[string]any, len(header))
			for i, name := range header {
				object[name] = record[i]
			}
			list = append(list, object)
		}
	}
	if !errors.Is(err, io.EOF) {
		return nil, badOutput("the output is not CSV: %s", err)
	}
	return list, nil
}

func linesOutput(b []byte) any {
	list := []any{}
	text := cleanText(trimLineBreak(b))
	if text == "" {
		return list
	}
	for line := range strings.SplitSeq(text, "\n") {
		list = append(list, strings.TrimSuffix(line, "\r"))
	}
	return list
}

// escapes are what programs write to colour and move on a terminal: control sequences, titles and links, and the
// short forms.
var escapes = regexp.MustCompile("\x1b(?:\\[[0-?]*[ -/]*[@-~]|\\][^\x07\x1b]*(?:\x07|\x1b\\\\)?|[ -/]+[0-~]|[0-~])")

// cleanText is bytes as text that can travel: bytes that are not UTF-8, and NUL, become U+FFFD, and terminal escapes
// are removed.
func cleanText(b []byte) string {
	text := string(b)
	if strings.IndexByte(text, 0x1b) >= 0 {
		text = escapes.ReplaceAllLiteralString(text, "")
	}
	if strings.IndexByte(text, 0) >= 0 {
		text = strings.ReplaceAll(text, "\x00", "\uFFFD")
	}
	return strings.ToValidUTF8(text, "\uFFFD")
}

// shownBytes is how much of an output stands in an error message.
const shownBytes = 2 << 10

// beginning is the first line or so, for a message.
func beginning(b []byte) string {
	const most = 80
	if len(b) <= most {
		return cleanText(b)
	}
	return cleanText(wholeRunesBefore(b[:most])) + "…"
}

// endOf is the end of an output, for a message.
func endOf(b []byte) string {
	if len(b) <= shownBytes {
		return strings.TrimSpace(cleanText(b))
	}
	return "…" + strings.TrimSpace(cleanText(wholeRunesAfter(b[len(b)-shownBytes:])))
}

// wholeRunesBefore drops the start of a character that a cut has split at the end of b.
func wholeRunesBefore(b []byte) []byte {
	for i := len(b) - 1; i >= 0 && i >= len(b)-utf8.UTFMax; i-- {
		if utf8.RuneStart(b[i]) {
			if !utf8.FullRune(b[i:]) {
				return b[:i]
			}
			break
		}
	}
	return b
}

// wholeRunesAfter drops the rest of a character that a cut has split at the start of b.
func wholeRunesAfter(b []byte) []byte {
	for i := 0; i < len(b) && i < utf8.UTFMax; i++ {
		if utf8.RuneStart(b[i]) {
			return b[i:]
		}
	}
	return b
}
