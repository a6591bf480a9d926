package spec

import "strings"

// behindEntries are the places after the last entry of a list with dashes: before the next key of the root and the
// comments that belong to it, or at the end.
func (p *addition) behindEntries() (all []candidate) {
	dash := p.tests.Pos()
	written := p.entry(p.margin(dash))
	end := p.behindKey("tests")
	for _, skip := range []func(line string) bool{isMarginComment, isNothing, isComment} {
		line := end
		for line > dash.Line && skip(p.lines.text(line-1)) {
			line--
		}
		all = append(all, p.beforeLine(line, written))
	}
	return all
}

// behindKey is the line where what stands below a key of the root has ended.
func (p *addition) behindKey(key string) int {
	end, from := len(p.lines.starts)+1, p.root.Get(key).Pos().Line
	if strings.HasSuffix(p.text, "\n") || strings.HasSuffix(p.text, "\r") {
		end-- // nothing stands behind the last break
	}
	for _, f := range p.root.Fields() {
		if line := f.Key.Pos.Line; line > from && line < end {
			end = line
		}
	}
	return min(end, p.documentEnd())
}

// documentEnd is the line with three dots, else one behind the last.
func (p *addition) documentEnd() int {
	for line := 1; line <= len(p.lines.starts); line++ {
		if strings.HasPrefix(p.lines.text(line), "...") {
			return line
		}
	}
	return len(p.lines.starts) + 1
}

func isNothing(line string) bool       { return strings.TrimSpace(line) == "" }
func isMarginComment(line string) bool { return isNothing(line) || line[0] == '#' }
func isComment(line string) bool {
	return isNothing(line) || strings.HasPrefix(strings.TrimSpace(line), "#")
}

// beforeLine puts lines before a line of the file, or at its end.
func (p *addition) beforeLine(line int, written string) candidate {
	if line <= len(p.lines.starts) {
		at := p.lines.starts[line-1]
		if at == len(p.text) && at > 0 && !endsLine(p.text) {
			written = p.eol + written
		}
		return candidate{at, at, written}
	}
	if at := len(p.text); !endsLine(p.text) {
		return candidate{at, at, p.eol + written}
	}
	return candidate{len(p.text), len(p.text), written}
}

func endsLine(text string) bool {
	return strings.HasSuffix(text, "\n") || strings.HasSuffix(text, "\r")
}

// newKey is the key tests with its one entry: at the end, or before another key of the root.
func (p *addition) newKey() []candidate {
	written := p.indent + "tests:" + p.eol + p.entry(p.indent+p.dashes)
	all := []candidate{p.beforeLine(p.documentEnd(), written)}
	fields := p.root.Fields()
	for i := len(fields) - 1; i >= 0; i-- {
		all = append(all, p.beforeLine(fields[i].Key.Pos.Line, written))
	}
	return all
}

// entry is the test as the entry of a list with dashes.
func (p *addition) entry(margin string) string {
	w := yamlWriter{unit: "  ", width: 120} // within an entry the dash takes two columns
	return strings.ReplaceAll(margin+"- "+w.block(p.item, margin+"  ")+"\n", "\n", p.eol)
}

// insideBrackets are the places before a closing bracket that may be the list's.
func (p *addition) insideBrackets(list Section) (all []candidate) {
	open := p.offset(list.Pos())
	from := open + 1
	if items := list.Items(); len(items) > 0 {
		from = p.offset(items[len(items)-1].Pos())
	} else if close := strings.IndexByte(p.text[open:], ']'); !p.flow && close > 0 {
		after, _, _ := strings.Cut(p.text[open+close+1:], "\n")
		if strings.TrimSpace(after) == "" { // nothing but an empty list: it becomes one with dashes
			at := open - len(p.text[:open]) + len(strings.TrimRight(p.text[:open], " \t"))
			written := p.eol + strings.TrimSuffix(p.entry(p.indent+p.dashes), p.eol)
			all = append(all, candidate{at, open + close + 1, written})
		}
	}
	for i := from; i < len(p.text) && len(all) < maxCandidates; i++ {
		if p.text[i] == ']' {
			margin := p.indent
			all = append(all, p.beforeBracket(i, margin, func(nested string) string { return p.written(nested) })...)
		}
	}
	return all
}

// insideBraces are the places before a closing brace that may be the root's.
func (p *addition) insideBraces() (all []candidate) {
	for i := len(p.text) - 1; i >= 0 && len(all) < maxCandidates; i-- {
		if p.text[i] != '}' {
			continue
		}
		margin := ""
		all = append(all, p.beforeBracket(i, margin, func(nested string) string {
			if nested == "" {
				return `"tests": [` + p.written("") + `]`
			}
			return `"tests": [` + p.eol + nested + p.unit + p.written(nested+p.unit) + p.eol + nested + `]`
		})...)
	}
	return all
}

// written is the test in braces: on lines of its own if it stands that deep, else on one line.
func (p *addition) written(nested string) string {
	if nested == "" {
		return writeJSONLine(p.item)
	}
	return strings.ReplaceAll(writeJSONLines(p.item, nested, p.unit), "\n", p.eol)
}

// beforeBracket puts an entry behind what stands before a closing bracket: in the same line, or in the next if the
// bracket has a line of its own; behind a comment too.
func (p *addition) beforeBracket(at int, margin string, entry func(nested string) string) []candidate {
	before := strings.TrimRight(p.text[:at], " \t\r\n")
	comma := ","
	if strings.HasSuffix(before, "[") || strings.HasSuffix(before, "{") || strings.HasSuffix(before, ",") {
		comma = ""
	}
	if !strings.ContainsAny(p.text[len(before):at], "\r\n") {
		if comma != "" || strings.HasSuffix(before, ",") {
			comma += " "
		}
		if p.isSpread() && (strings.HasSuffix(before, "[") || strings.HasSuffix(before, "{")) {
			nested := margin + p.unit
			text := p.eol + nested + entry(nested) + p.eol + margin
			return []candidate{{len(before), at, text}}
		}
		return []candidate{{len(before), len(before), comma + entry("")}}
	}
	nested := margin + p.unit
	own := func(comma string) candidate {
		return candidate{at, at, comma + nested + entry(nested) + p.eol + margin}
	}
	behind := candidate{len(before), len(before), comma + p.eol + nested + entry(nested)}
	if line := before[strings.LastIndexAny(before, "\r\n")+1:]; strings.Contains(line, "#") { // it may be a comment's
		return []candidate{own(""), own(comma), behind}
	}
	return []candidate{behind, own(comma)}
}

// isSpread tells whether the root's keys stand on lines of their own.
func (p *addition) isSpread() bool { return p.flow && p.indent != "" }
