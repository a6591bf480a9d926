package exec

import (
	"context"
	"io"
	"os"
	osexec "os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

const (
	// streamQuiet is how long nothing must have come, once the program has ended, for its output to count as whole while
	// others still hold it: what the program has started may be about to finish, as bash's >(tee log) is.
	streamQuiet = 100 * time.Millisecond
	// streamGrace bounds that, and the reading of what is left once all processes have been ended.
	streamGrace = time.Second
	streamChunk = 32 << 10
	firstChunk  = 1 << 10 // most outputs are short
)

// streams are the pipes between a process and us. The reading is ours, and not os/exec's, because what holds the call's
// processes ends them between the end of the first and the end of its output.
type streams struct {
	ours, theirs []*os.File
	copies       sync.WaitGroup
	open         atomic.Int32  // outputs that are not at their end
	ended        chan struct{} // closed when none is
	moved        atomic.Int64  // bytes that came
}

// connect gives the command its pipes. It never hands down a descriptor of the server's: without input the child reads
// from the null device.
func (s *streams) connect(cmd *osexec.Cmd, withInput bool) error {
	s.ended = make(chan struct{})
	for _, output := range []*io.Writer{&cmd.Stdout, &cmd.Stderr} {
		ours, theirs, err := os.Pipe()
		if err != nil {
			return err
		}
		s.keep(ours, theirs)
		*output = theirs
	}
	if withInput {
		theirs, ours, err := os.Pipe()
		if err != nil {
			return err
		}
		s.keep(ours, theirs)
		cmd.Stdin = theirs
	}
	return nil
}

func (s *streams) keep(ours, theirs *os.File) {
	s.ours, s.theirs = append(s.ours, ours), append(s.theirs, theirs)
}

// release closes what only the child needs.
func (s *streams) release() { closeAll(s.theirs) }

// abandon closes all there is, of a process that never ran.
func (s *streams) abandon() {
	closeAll(s.theirs)
	closeAll(s.ours)
}

func closeAll(files []*os.File) {
	for _, f := range files {
		_ = f.Close() // of the child's end there is nothing to lose
	}
}

// flow begins the reading, and the writing of input where there is some.
func (s *streams) flow(stdout, stderr io.Writer, stdin string) {
	s.open.Store(2)
	s.copies.Go(func() { s.read(s.ours[0], stdout) })
	s.copies.Go(func() { s.read(s.ours[1], stderr) })
	if len(s.ours) > 2 {
		s.copies.Go(func() {
			_, _ = io.Copy(s.ours[2], strings.NewReader(stdin)) // a program need not read its input
			_ = s.ours[2].Close()
		})
	}
}

func (s *streams) read(from io.Reader, to io.Writer) {
	chunk := make([]byte, firstChunk)
	for {
		n, err := from.Read(chunk)
		_, _ = to.Write(chunk[:n]) // it is memory, which takes all
		s.moved.Add(int64(n))
		if err != nil {
			break
		}
		if n == len(chunk) && n < streamChunk {
			chunk = make([]byte, streamChunk)
		}
	}
	if s.open.Add(-1) == 0 {
		close(s.ended)
	}
}

// settle waits, after the first process, for others that are about to finish their output.
func (s *streams) settle(ctx context.Context) {
	select {
	case <-s.ended:
		return
	default:
	}
	most, quiet := time.NewTimer(streamGrace), time.NewTicker(streamQuiet)
	defer most.Stop()
	defer quiet.Stop()
	for seen := s.moved.Load(); ; {
		select {
		case <-s.ended:
		case <-ctx.Done():
		case <-most.C:
		case <-quiet.C:
			if now := s.moved.Load(); now != seen {
				seen = now
				continue
			}
		}
		return
	}
}

// finish takes what is left in the pipes, and lets go of who still holds them: it has escaped.
func (s *streams) finish() {
	select {
	case <-s.ended:
	default:
		most := time.NewTimer(streamGrace)
		select {
		case <-s.ended:
		case <-most.C:
		}
		most.Stop()
	}
	closeAll(s.ours)
	s.copies.Wait()
}
