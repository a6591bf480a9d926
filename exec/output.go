package exec

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
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

// value makes the bytes a value, which takes them over. What is no text may take so much room in memory, in bytes. An error says what is
// wrong with them and is of code failed; secrets are not in it.
func (f outputFormat) value(b []byte, room int, v *vault) (any, error) {
	switch f {
	case outputJSON:
		return jsonOutput(b, room, v)
	case outputJSONL:
		return jsonlOutput(b, room, v)
	case outputCSV:
		return csvOutput(b, room)
	case outputLines:
		return linesOutput(b, room)
	case outputBytes:
		return append([]byte{}, b...), nil // nothing is no bytes, and not null
	}
	return takeText(trimLineBreak(b)), nil
}

// roomFor is how much memory values may take where so many bytes may be read: on their way to a result they are there three times, about,
// and all that is to take no more than what may be read and 16 MB.
func roomFor(read int) int { return (read + 16_000_000) / 10 * 3 }

// What a value takes, about: it is written down here, and not looked up, because nobody else has it.
const (
	roomOfText   = 32
	roomOfField  = 72
	roomOfRecord = 64 + 8*40 + 40 // of the list, too
)

func tooMuch(f outputFormat) error {
	return badOutput("the output makes more values than there is room for in memory when it is read as %s; ask for less of it, take it as text, or have the operator allow more (read)", f)
}

func badOutput(format string, args ...any) error {
	return spec.NewError(spec.CodeFailed, format, args...)
}

func trimLineBreak(b []byte) []byte {
	return bytes.TrimSuffix(bytes.TrimSuffix(b, []byte("\n")), []byte("\r"))
}

func trimMark(b []byte) []byte { return bytes.TrimPrefix(b, []byte("\xEF\xBB\xBF")) }

func jsonOutput(b []byte, room int, v *vault) (any, error) {
	b = trimMark(b)
	if len(bytes.TrimSpace(b)) == 0 {
		return nil, nil
	}
	value, err := spec.ReadValueWithin(ownText(b), &room)
	switch {
	case errors.Is(err, spec.ErrNoRoom):
		return nil, tooMuch(outputJSON)
	case err != nil:
		return nil, badOutput("the output is not JSON: %s; it starts with %q", err, beginning(b, firstBytes, v))
	}
	return value, nil
}

func jsonlOutput(b []byte, room int, v *vault) (any, error) {
	list, number := []any{}, 0
	for line := range bytes.SplitSeq(trimMark(b), []byte("\n")) {
		number++
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		value, err := spec.ReadValueWithin(ownText(line), &room)
		switch {
		case errors.Is(err, spec.ErrNoRoom):
			return nil, tooMuch(outputJSONL)
		case err != nil:
			return nil, badOutput("line %d of the output is not JSON: %s; it starts with %q", number, err, beginning(line, firstBytes, v))
		}
		room -= roomOfText // of the list
		list = append(list, value)
	}
	return list, nil
}

// csvOutput refuses a record that has more or fewer fields than the first, and names given twice: both would lose
// fields silently.
func csvOutput(b []byte, room int) (any, error) {
	text := takeText(trimMark(b))
	if mostFields(text)*roomOfField > room {
		return nil, tooMuch(outputCSV)
	}
	r := csv.NewReader(strings.NewReader(text))
	list := []any{}
	header, err := r.Read()
	r.ReuseRecord = true // but not of the header
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
			if room -= roomOfRecord + roomOfText*len(header) + roomOfField*max(0, len(header)-8); room < 0 {
				return nil, tooMuch(outputCSV)
			}
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

// mostFields is how many fields the longest record has: all of them are read before anybody can look at them.
func mostFields(text string) (most int) {
	fields, quoted := 1, false
	for i := range len(text) {
		switch c := text[i]; {
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == ',':
			fields++
		case c == '\n':
			most, fields = max(most, fields), 1
		}
	}
	return max(most, fields)
}

func linesOutput(b []byte, room int) (any, error) {
	text := takeText(trimLineBreak(b))
	if text == "" {
		return []any{}, nil
	}
	n := strings.Count(text, "\n") + 1
	if n*roomOfText > room {
		return nil, tooMuch(outputLines)
	}
	list := make([]any, 0, n)
	for line := range strings.SplitSeq(text, "\n") {
		list = append(list, strings.TrimSuffix(line, "\r"))
	}
	return list, nil
}

const (
	shownBytes = 2 << 10 // how much of an output stands in an error message
	firstBytes = 80      // and of one that is not what it should be
)

// beginning is the start of an output, for a message. Secrets are taken out before it is cut: a piece of one would be left, and
// nobody would know it.
func beginning(b []byte, most int, v *vault) string {
	window := wholeRunesBefore(b[:min(len(b), most+v.longest())])
	text := []byte(v.mask(cleanText(window)))
	if len(text) > most {
		return string(wholeRunesBefore(text[:most])) + "…"
	}
	if len(window) < len(b) {
		return string(text) + "…"
	}
	return string(text)
}

// endOf is the end of an output, for a message, cut as the beginning is.
func endOf(b []byte, v *vault) string {
	window := wholeRunesAfter(b[max(0, len(b)-shownBytes-v.longest()):])
	text := []byte(v.mask(cleanText(window)))
	if len(text) > shownBytes {
		return "…" + strings.TrimSpace(string(wholeRunesAfter(text[len(text)-shownBytes:])))
	}
	if len(window) < len(b) {
		return "…" + strings.TrimSpace(string(text))
	}
	return strings.TrimSpace(string(text))
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
