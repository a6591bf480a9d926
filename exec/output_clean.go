package exec

import (
	"bytes"
	"unicode/utf8"
	"unsafe"
)

// cleanText is bytes as text that can travel: what is not UTF-8, and NUL, becomes U+FFFD, and what terminals take for
// commands is removed.
func cleanText(b []byte) string {
	c := cleaner{}
	if c.plain(b) == len(b) {
		return string(b)
	}
	return string(c.end(c.clean(make([]byte, 0, len(b)+len(b)/8), b)))
}

// takeText is cleanText of bytes that nobody else has, or changes: what is text already is not copied.
func takeText(b []byte) string {
	if (&cleaner{}).plain(b) == len(b) {
		return ownText(b)
	}
	return cleanText(b)
}

// ownText is bytes that nobody changes any more as a text, not copied: an output may be large.
func ownText(b []byte) string {
	return unsafe.String(unsafe.SliceData(b), len(b)) // #nosec G103 -- see above
}

// mostControl is how long a control string may be: what is longer was none, or is nobody's to throw away.
const mostControl = 64 << 10

// cleaner cleans text that comes in pieces. It removes escape sequences (ESC and what belongs to it), control sequences (ESC [ to
// their final character) and control strings (ESC ] P X ^ _ to BEL or ST), each also where a C1 character stands for ESC and a
// letter. A control string that does not end, within a line if it begins with ESC ], loses no more than its beginning. Carriage
// returns, backspaces and tabs stay as they are: what a terminal would overwrite is not lost.
type cleaner struct {
	state   cleanState
	part    []byte // of a character, from the end of a piece
	control []byte // of a control string that has not ended
	osc     bool   // it may not go beyond its line
	bad     bool   // the last bytes were not UTF-8
}

type cleanState byte

const (
	cleanGround       cleanState = iota
	cleanEscape                  // after ESC
	cleanNF                      // after ESC and intermediate characters
	cleanCSI                     // in a control sequence
	cleanString                  // in a control string
	cleanStringEscape            // after ESC in one
)

const replacement = "\uFFFD"

// plain is how many bytes from the first are as they should be.
func (c *cleaner) plain(b []byte) int {
	for i := 0; i < len(b); {
		switch x := b[i]; {
		case x == 0 || x == 0x1b:
			return i
		case x < utf8.RuneSelf:
			i++
		default:
			r, size := utf8.DecodeRune(b[i:])
			if r == utf8.RuneError && size == 1 || isC1(r) {
				return i
			}
			i += size
		}
	}
	return len(b)
}

// isC1 tells a character that terminals take for ESC and a letter.
func isC1(r rune) bool { return r == 0x90 || r == 0x98 || r >= 0x9b && r <= 0x9f }

// clean appends to out what is left of a piece.
func (c *cleaner) clean(out, b []byte) []byte {
	if len(c.part) > 0 {
		b = append(c.part, b...)
		c.part = nil
	}
	for len(b) > 0 {
		if c.state == cleanGround {
			if n := c.plain(b); n > 0 {
				out, b, c.bad = append(out, b[:n]...), b[n:], false
				continue
			}
		}
		if !utf8.FullRune(b) {
			c.part = bytes.Clone(b)
			break
		}
		r, size := utf8.DecodeRune(b)
		out = c.next(out, r, b[:size])
		b = b[size:]
	}
	return out
}

// end appends what was kept back: there is no more to come.
func (c *cleaner) end(out []byte) []byte {
	if len(c.part) > 0 {
		out = c.next(out, utf8.RuneError, c.part[:1])
	}
	out = c.release(out)
	*c = cleaner{}
	return out
}

// next takes one character, or one byte that is none.
func (c *cleaner) next(out []byte, r rune, raw []byte) []byte {
	switch c.state {
	case cleanEscape:
		return c.escape(out, r, raw)
	case cleanNF:
		if r >= ' ' && r <= '/' {
			return out
		}
		if r >= '0' && r <= '~' {
			c.state = cleanGround
			return out
		}
	case cleanCSI:
		if r >= ' ' && r <= '?' {
			return out
		}
		if r >= '@' && r <= '~' {
			c.state = cleanGround
			return out
		}
	case cleanString, cleanStringEscape:
		return c.string(out, r, raw)
	}
	c.state = cleanGround // a sequence that breaks off is removed so far
	return c.ground(out, r, raw)
}

func (c *cleaner) ground(out []byte, r rune, raw []byte) []byte {
	bad := r == utf8.RuneError && len(raw) == 1
	switch {
	case bad && c.bad:
		return out // one stands for all
	case bad || r == 0:
		c.bad = bad
		return append(out, replacement...)
	case r == 0x1b:
		c.state = cleanEscape
	case r == 0x9b:
		c.state = cleanCSI
	case r == 0x9c:
	case isC1(r):
		c.begin(r == 0x9d)
	default:
		out = append(out, raw...)
	}
	c.bad = false
	return out
}

// escape takes what stands behind ESC.
func (c *cleaner) escape(out []byte, r rune, raw []byte) []byte {
	c.state = cleanGround
	switch {
	case r == '[':
		c.state = cleanCSI
	case r == ']' || r == 'P' || r == 'X' || r == '^' || r == '_':
		c.begin(r == ']')
	case r >= ' ' && r <= '/':
		c.state = cleanNF
	case r >= '0' && r <= '~':
	default:
		return c.ground(out, r, raw)
	}
	return out
}

func (c *cleaner) begin(osc bool) { c.state, c.osc, c.control = cleanString, osc, c.control[:0] }

// string takes what stands in a control string.
func (c *cleaner) string(out []byte, r rune, raw []byte) []byte {
	escaped := c.state == cleanStringEscape
	switch {
	case escaped && r == '\\', !escaped && (r == '\a' || r == 0x9c):
		c.state = cleanGround // it has ended
	case escaped: // ESC begins something else: this was none
		out = c.release(out)
		return c.escape(out, r, raw)
	case r == 0x1b:
		c.state = cleanStringEscape
	case isC1(r), c.osc && r == '\n', len(c.control) >= mostControl:
		return c.ground(c.release(out), r, raw)
	default:
		c.control = append(c.control, raw...)
	}
	return out
}

// release gives back what was taken for a control string and is none.
func (c *cleaner) release(out []byte) []byte {
	kept := c.control
	if c.state != cleanString && c.state != cleanStringEscape {
		kept = nil
	}
	c.state, c.control, c.bad = cleanGround, nil, false
	for len(kept) > 0 {
		r, size := utf8.DecodeRune(kept)
		out = c.ground(out, r, kept[:size])
		kept = kept[size:]
	}
	return out
}
