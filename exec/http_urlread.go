package exec

import (
	"strings"

	"github.com/toolspec/toolspec/spec"
)

// urlReader takes a url of a tool file apart. It works on a sketch of it, in which every slot is one NUL byte.
type urlReader struct {
	env   *Env
	sec   spec.Section
	text  spec.Text
	parts []part
	ds    spec.Diagnostics
}

func (r *urlReader) read() *urlTemplate {
	sketch := r.sketch()
	if sketch == "" {
		return nil
	}
	originEnd := r.originEnd(sketch)
	if originEnd < 0 {
		r.fault(0, "want a url that starts with https:// or http://, have %q", r.text.Value)
		return nil
	}
	if i := strings.IndexByte(sketch, '#'); i >= 0 {
		r.fault(i, "what stands after # is never sent; leave it out, or write %%23 for the character itself")
	}
	origin, rest := cutParts(r.parts, originEnd)
	u := &urlTemplate{origin: &Template{parts: origin}}
	r.readOrigin(u)
	rest = r.encodeLiterals(rest, originEnd)
	path, query := rest, []part(nil)
	if i := strings.IndexByte(sketchOf(rest), '?'); i >= 0 {
		path, query = cutParts(rest, i)
		_, query = cutParts(query, 1)
	}
	u.path = templatesOf(splitParts(path, '/'))
	if len(u.path) > 0 {
		u.path = u.path[1:] // what stands before the first slash: nothing
	}
	if len(query) > 0 {
		u.query = templatesOf(splitParts(query, '&'))
	}
	return u
}

// sketch is empty when a literal holds a control character, or nothing stands there at all.
func (r *urlReader) sketch() string {
	offset := 0
	for _, p := range r.parts {
		if i := strings.IndexFunc(p.literal, isControl); i >= 0 {
			r.fault(offset+i, "a url holds no line breaks or control characters")
			return ""
		}
		offset += sketchLen(p)
	}
	if offset == 0 {
		r.fault(0, "want a url such as https://example.com/page, have nothing")
	}
	return sketchOf(r.parts)
}

// originEnd is where scheme, host and port end; negative if there are none.
func (r *urlReader) originEnd(sketch string) int {
	i := strings.IndexAny(sketch, "/?#")
	if i > 0 && sketch[i-1] == ':' && strings.HasPrefix(sketch[i:], "//") {
		if j := strings.IndexAny(sketch[i+2:], "/?#"); j >= 0 {
			return i + 2 + j
		}
		return len(sketch)
	}
	switch {
	case sketch[0] != 0:
		return -1
	case i < 0:
		return len(sketch)
	}
	return i
}

// readOrigin checks what can be known of scheme and host.
func (r *urlReader) readOrigin(u *urlTemplate) {
	offset := 0
	for _, p := range u.origin.parts {
		if p.expr != nil && !p.expr.readsOnly("env") {
			r.fault(offset, "${%s} stands in the scheme or the host of the url, where only env may: values belong in the path, the query or the body; or the whole url is one template, such as url: '${input.url}'", p.expr.source)
			return
		}
		offset += sketchLen(p)
	}
	text, ok := u.origin.literal()
	if !ok {
		return
	}
	parsed, fault := parseURL(text)
	if fault != "" {
		r.fault(0, "%s", fault)
		return
	}
	host := parsed.Hostname()
	if err := r.env.reach.checkName(host, false); err != nil {
		r.fault(0, "%s", err)
	} else if err := r.env.reach.checkListed(host); err != nil {
		r.fault(0, "%s%s", err, r.env.Policy.toAllow("add %s to egress.hosts", host))
	}
	u.fixed = parsed.Scheme + "://" + parsed.Host
}

// encodeLiterals encodes what the author wrote and may not stand in a url, such as a blank; what is encoded already
// stays.
func (r *urlReader) encodeLiterals(parts []part, offset int) []part {
	encoded := make([]part, len(parts))
	for i, p := range parts {
		encoded[i] = p
		if p.expr == nil {
			if at := badEscape(p.literal); at >= 0 {
				r.fault(offset+at, "%% starts a character written as two hexadecimal digits; write %%25 for the character itself")
			}
			encoded[i].literal = encodeStray(p.literal)
		}
		offset += sketchLen(p)
	}
	return encoded
}

// fault places a diagnostic at an offset of the sketch.
func (r *urlReader) fault(offset int, format string, args ...any) {
	d := r.sec.Errorf("url", format, args...)
	d.Pos = r.text.At(r.textOffset(offset))
	r.ds = append(r.ds, d)
}

// textOffset is where an offset of the sketch is in the text as it is written.
func (r *urlReader) textOffset(offset int) int {
	pieces, _ := scanTemplate(r.text)
	written := 0
	for _, p := range pieces {
		size := 1
		if p.slot == nil {
			size = len(p.literal)
		}
		switch {
		case offset < size && p.slot == nil:
			return written + offset + strings.Count(p.literal[:offset], "${") // each is written $${
		case offset < size:
			return p.slot.start
		case p.slot != nil:
			written = p.slot.end
		default:
			written += size + strings.Count(p.literal, "${")
		}
		offset -= size
	}
	return written
}

func isControl(c rune) bool { return c < ' ' || c == 0x7F }

func badEscape(text string) int {
	for i := 0; i < len(text); i++ {
		if text[i] == '%' && (i+2 >= len(text) || !isHex(text[i+1]) || !isHex(text[i+2])) {
			return i
		}
	}
	return -1
}

func isHex(c byte) bool { return c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F' }

func sketchLen(p part) int {
	if p.expr != nil {
		return 1
	}
	return len(p.literal)
}

func sketchOf(parts []part) string {
	var b strings.Builder
	for _, p := range parts {
		if p.expr != nil {
			b.WriteByte(0)
			continue
		}
		b.WriteString(p.literal)
	}
	return b.String()
}

// cutParts cuts at an offset of the sketch.
func cutParts(parts []part, at int) (head, tail []part) {
	for i, p := range parts {
		size := sketchLen(p)
		if at >= size {
			at -= size
			continue
		}
		head = append(head, parts[:i]...)
		if at == 0 {
			return head, parts[i:]
		}
		return append(head, part{literal: p.literal[:at]}), append([]part{{literal: p.literal[at:]}}, parts[i+1:]...)
	}
	return parts, nil
}

// splitParts splits at a byte of the literal texts.
func splitParts(parts []part, separator byte) [][]part {
	var split [][]part
	var current []part
	for _, p := range parts {
		if p.expr != nil {
			current = append(current, p)
			continue
		}
		for i, text := range strings.Split(p.literal, string(separator)) {
			if i > 0 {
				split, current = append(split, current), nil
			}
			if text != "" {
				current = append(current, part{literal: text})
			}
		}
	}
	return append(split, current)
}

func templatesOf(split [][]part) []*Template {
	templates := make([]*Template, len(split))
	for i, parts := range split {
		templates[i] = &Template{parts: parts}
	}
	return templates
}
