package exec

import (
	"log/slog"
	"os"
	osexec "os/exec"
	"sync"
)

// HoldWay is a way to keep the processes of a call together, whatever they do, so that all of them end with it.
type HoldWay string

// The ways, the best last.
const (
	HoldGroup  HoldWay = "group"  // the process group: what leaves it, as setsid does, stays
	HoldAdopt  HoldWay = "adopt"  // Linux: orphans become our children, and a mark in their environment tells whose they are
	HoldCgroup HoldWay = "cgroup" // Linux: a cgroup for each call, killed as a whole, and the above
)

// Holding is the way in force.
type Holding struct {
	Way HoldWay
	Why string // why it is no better one; empty: it is as asked
}

// String says it in words.
func (h Holding) String() string {
	text := map[HoldWay]string{
		HoldGroup:  "its process group is killed; what has left the group is not found",
		HoldAdopt:  "its process group is killed, and what has left it is adopted and killed",
		HoldCgroup: "its cgroup is killed, and what has left it is adopted and killed",
	}[h.Way]
	if h.Why != "" {
		text += " (" + h.Why + ")"
	}
	return string(h.Way) + ": " + text
}

// Holding is the way in which the processes of a call are kept together here, unless a sandbox does it.
func (e *Env) Holding() Holding {
	h := e.callHolds()
	h.once.Do(h.open)
	return h.force
}

// Close ends what is left of any call and removes what [Env.Hold] made. No call may run, or follow.
func (e *Env) Close() { e.callHolds().close() }

// callHolds are made once, whether or not there is a tool already.
func (e *Env) callHolds() *holds {
	e.holdOnce.Do(func() {
		e.holds = &holds{want: e.Hold, log: e.Log}
		if e.Log == nil {
			e.holds.log = silent
		}
	})
	return e.holds
}

// hold keeps the processes of one call together.
type hold interface {
	// start starts the command within the hold: it, and all that will come of it. An error that is errSpoiled has nothing to
	// do with the command: another hold may do.
	start(cmd *osexec.Cmd) error
	// kill ends everything at once, while the first process may still run.
	kill(first *os.Process) error
	// end, once the first process has ended, ends what is left and waits until it is gone.
	end(first *os.Process)
}

// holds gives calls their holds, in the best way that is asked for and to be had.
type holds struct {
	want HoldWay
	log  *slog.Logger

	// starting is held for reading while a process starts, or one that is no call's runs: it is our child before anybody knows
	// of it.
	starting sync.RWMutex

	once  sync.Once
	force Holding
	ways  ways // of this system
}

// take is a hold for one call.
func (h *holds) take() hold {
	if h == nil || h.want == "" {
		return groupHold{}
	}
	h.once.Do(h.open)
	return h.ways.take()
}

// takeLasting is a hold for a program of the operator's, which may leave behind what it likes, as gpg-agent is left.
func (h *holds) takeLasting() hold {
	if h == nil || h.want == "" {
		return groupHold{}
	}
	h.once.Do(h.open)
	return h.ways.takeLasting()
}

func (h *holds) close() {
	if h.want != "" {
		h.once.Do(func() {}) // what was never opened needs no closing
		h.ways.close()
	}
}

// open finds the best way.
func (h *holds) open() {
	h.force = Holding{Way: HoldGroup}
	if h.want != "" && h.want != HoldGroup {
		h.force = h.ways.open(h.want, h.log, &h.starting)
	}
}

// groupHold is the process group.
type groupHold struct{}

func (groupHold) start(cmd *osexec.Cmd) error  { return cmd.Start() }
func (groupHold) kill(first *os.Process) error { return killGroup(first) }
func (groupHold) end(first *os.Process)        { endLeftovers(first) }
