package mcpserver

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// maxKept is how much of a line that is too long is kept, to find the id that its refusal should carry.
const maxKept = 16 << 20

// pump reads lines until the input ends or nobody wants them any more. A last line without an end counts.
func (c *conn) pump(in io.Reader) {
	defer close(c.lines)
	r := bufio.NewReaderSize(in, 64<<10)
	for {
		line, err := readLine(r)
		if line = bytes.TrimSpace(line); len(line) > 0 {
			select {
			case c.lines <- line:
			case <-c.closed:
				return
			}
		}
		if err != nil {
			c.readErr = err
			return
		}
	}
}

// readLine reads up to the next line feed; what goes beyond maxKept is read and forgotten.
func readLine(r *bufio.Reader) (line []byte, err error) {
	for {
		part, err := r.ReadSlice('\n')
		line = append(line, part[:min(len(part), maxKept-len(line))]...)
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, err
		}
	}
}
