package exec

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
)

// tailBytes is how much of the end of a cut output is kept.
const tailBytes = 16 << 10

// capture keeps the start and the end of what is written to it and counts the rest: a process that is read no further
// would stand still.
type capture struct {
	limit int // the most that is kept
	head  []byte
	tail  []byte
	total int64
}

func newCapture(limit int) *capture { return &capture{limit: max(limit, 2*tailBytes)} }

// Write never fails.
func (c *capture) Write(p []byte) (int, error) {
	n := len(p)
	c.total += int64(n)
	room := c.limit - tailBytes - len(c.head)
	if room > 0 {
		taken := min(room, len(p))
		c.head = append(c.head, p[:taken]...)
		p = p[taken:]
	}
	if len(p) > tailBytes {
		p = p[len(p)-tailBytes:]
	}
	c.tail = append(c.tail, p...)
	if len(c.tail) > 2*tailBytes {
		c.tail = slices.Delete(c.tail, 0, len(c.tail)-tailBytes)
	}
	return n, nil
}

// lastPart is the end that is kept.
func (c *capture) lastPart() []byte { return c.tail[max(0, len(c.tail)-tailBytes):] }

// lost is how many bytes between the start and the end are gone.
func (c *capture) lost() int64 { return c.total - int64(len(c.head)) - int64(len(c.lastPart())) }

// bytes is all that was written, if nothing is lost.
func (c *capture) bytes() []byte {
	if len(c.tail) == 0 {
		return c.head
	}
	return slices.Concat(c.head, c.lastPart())
}

// text is what was written as text, with a line that says so where something is lost.
func (c *capture) text() string {
	if c.lost() == 0 {
		return cleanText(c.bytes())
	}
	return fmt.Sprintf("%s\n[… %d of %d bytes left out …]\n%s",
		cleanText(wholeRunesBefore(c.head)), c.lost(), c.total, cleanText(wholeRunesAfter(c.lastPart())))
}

// end is the end of it, for a message.
func (c *capture) end() string {
	if len(c.tail) > 0 {
		return endOf(c.lastPart())
	}
	return endOf(c.head)
}

const (
	progressPause = 100 * time.Millisecond // between two messages; lines that come sooner are left out
	progressBytes = 500                    // of a message
)

// progressLines reports the lines written to it as progress, beside handing everything on. A carriage return ends a line too: programs
// draw bars with it.
type progressLines struct {
	next   io.Writer
	report func(string)
	now    func() time.Time
	line   []byte
	last   time.Time
}

// Write fails as what follows does.
func (p *progressLines) Write(b []byte) (int, error) {
	for _, c := range b {
		switch {
		case c == '\n' || c == '\r':
			p.flush()
		case len(p.line) < progressBytes:
			p.line = append(p.line, c)
		}
	}
	return p.next.Write(b)
}

func (p *progressLines) flush() {
	text := strings.TrimSpace(cleanText(wholeRunesBefore(p.line)))
	p.line = p.line[:0]
	if now := p.now(); text != "" && now.Sub(p.last) >= progressPause {
		p.last = now
		p.report(text)
	}
}
