package exec

import (
	"os"
	osexec "os/exec"
)

// hold keeps the processes of one call together, whatever they do, so that all of them can be ended.
type hold interface {
	// join makes the process that is about to start, and all that will come of it, part of the hold.
	join(cmd *osexec.Cmd)
	// kill ends everything in the hold at once, while the first process may still run.
	kill(first *os.Process) error
	// end, after the first process, ends what is left in the hold and waits until it is gone.
	end(first *os.Process)
}

// groupHold is the process group: what leaves it has escaped.
type groupHold struct{}

func (groupHold) join(*osexec.Cmd)             {}
func (groupHold) kill(first *os.Process) error { return killGroup(first) }
func (groupHold) end(first *os.Process)        { endLeftovers(first) }
