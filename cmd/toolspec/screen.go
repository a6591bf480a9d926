package main

import (
	"io"
	"os"
	"sync"
	"unicode/utf8"

	"github.com/toolspec/toolspec/spec"
)

// screen is a terminal on which what others wrote is read and does nothing: a tool's result, a server's answer or the name of a file
// could else move the cursor, hide what stands before it, or type for whoever looks on.
type screen struct {
	to io.Writer

	mu   sync.Mutex
	rest []byte // the start of a character whose end is to come
}

// onScreen is the file, or where it is a terminal, the screen on it.
func onScreen(f *os.File) io.Writer {
	if info, err := f.Stat(); err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return f
	}
	return &screen{to: f}
}

// Write writes what is visible; line breaks and tabs stay.
func (s *screen) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	text := append(s.rest, p...)
	shown := make([]byte, 0, len(text)+16)
	for len(text) > 0 && utf8.FullRune(text) {
		c, size := utf8.DecodeRune(text)
		if isBreak := c == '\n' || len(text) > 1 && c == '\r' && text[1] == '\n'; isBreak || c == '\t' {
			shown = append(shown, text[0])
		} else {
			shown = append(shown, spec.Visible(string(text[:size]))...)
		}
		text = text[size:]
	}
	s.rest = append([]byte(nil), text...)
	if _, err := s.to.Write(shown); err != nil {
		return 0, err
	}
	return len(p), nil
}
