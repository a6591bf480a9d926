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

// The steps in which a capture makes room: little is usual, and copying much from one to the next would take twice the memory.
const (
	firstRoom = 64 << 10
	nextRoom  = 1 << 20
	cutRoom   = 128 // for saying what is left out
)

// capture keeps the start and the end of what is written to it and counts the rest: a process that is read no further
// would stand still. What is to be text is made so on the way in, so that there is never more of it than is kept.
type capture struct {
	limit   int // the most that is kept
	vault   *vault
	isText  bool
	cleaner *cleaner // nil: what comes is kept as it is, or all has come
	piece   []byte   // cleaned
	head    []byte
	tail    []byte
	total   int64 // bytes that came
	stored  int64 // bytes of what was made of them
	isDone  bool
	gone    int64 // bytes between head and tail, once it is done
}

func newCapture(limit int, v *vault) *capture {
	return &capture{limit: max(limit, 2*tailBytes), vault: v}
}

// newTextCapture keeps text, as [cleanText] makes it.
func newTextCapture(limit int, v *vault) *capture {
	c := newCapture(limit, v)
	c.isText, c.cleaner = true, &cleaner{}
	return c
}

// Write never fails.
func (c *capture) Write(p []byte) (int, error) {
	n := len(p)
	c.total += int64(n)
	if c.cleaner != nil {
		c.piece = c.cleaner.clean(c.piece[:0], p)
		p = c.piece
	}
	c.store(p)
	return n, nil
}

func (c *capture) store(p []byte) {
	c.stored += int64(len(p))
	if room := c.limit - tailBytes - len(c.head); room > 0 {
		taken := min(room, len(p))
		c.grow(taken)
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
}

// grow makes room at the head for so much more.
func (c *capture) grow(more int) {
	need := len(c.head) + more
	if need <= cap(c.head) {
		return
	}
	room := c.limit + cutRoom // the end goes there, too
	switch {
	case need <= 4<<10:
		return // append knows best
	case need <= firstRoom:
		room = min(room, firstRoom)
	case need <= nextRoom:
		room = min(room, nextRoom)
	}
	c.head = append(make([]byte, 0, room), c.head...)
}

// done tells that nothing more comes.
func (c *capture) done() {
	if c.isDone {
		return
	}
	c.isDone = true
	if c.cleaner != nil {
		c.store(c.cleaner.end(nil))
		c.cleaner, c.piece = nil, nil
	}
	c.tail = c.tail[max(0, len(c.tail)-tailBytes):]
	if c.gone = c.stored - int64(len(c.head)) - int64(len(c.tail)); c.gone > 0 {
		c.head, c.tail = c.vault.beforeCut(wholeRunesBefore(c.head)), c.vault.afterCut(wholeRunesAfter(c.tail))
	}
}

// lost is how many bytes between the start and the end are gone.
func (c *capture) lost() int64 {
	c.done()
	return c.gone
}

// bytes is all that was kept. What is written into the room behind the head is the same every time.
func (c *capture) bytes() []byte {
	c.done()
	switch {
	case len(c.tail) == 0:
		return c.head
	case c.lost() > 0:
		return slices.Concat(c.head, c.tail)
	}
	return append(c.head, c.tail...)
}

// text is what was written as text, with a line that says so where something is lost.
func (c *capture) text() string {
	whole := c.bytes
	if c.lost() > 0 {
		whole = c.cut
	}
	if c.isText {
		return ownText(whole())
	}
	return cleanText(whole())
}

// cut is the start and the end, and between them what is missing.
func (c *capture) cut() []byte {
	note := fmt.Sprintf("\n[… %d of %d bytes left out …]\n", c.lost(), c.stored)
	return append(append(c.head, note...), c.tail...)
}

// end is the end of it, for a message.
func (c *capture) end() string {
	c.done()
	if len(c.tail) > 0 {
		return endOf(c.tail, c.vault)
	}
	return endOf(c.head, c.vault)
}

const (
	progressPause = 100 * time.Millisecond // between two messages; lines that come sooner are left out
	progressBytes = 500                    // of a message
	progressLine  = 8 * progressBytes      // of a line that is kept, so that secrets are found before it is cut
)

// progressLines reports the lines written to it as progress, beside handing everything on. A carriage return ends a line too: programs
// draw bars with it.
type progressLines struct {
	next   io.Writer
	report func(string)
	vault  *vault
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
		case len(p.line) < progressLine:
			p.line = append(p.line, c)
		}
	}
	return p.next.Write(b)
}

func (p *progressLines) flush() {
	text := strings.TrimSpace(beginning(p.line, progressBytes, p.vault))
	p.line = p.line[:0]
	if now := p.now(); text != "" && now.Sub(p.last) >= progressPause {
		p.last = now
		p.report(text)
	}
}
