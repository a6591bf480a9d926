package exec

import (
	"errors"
	"log/slog"
	"os"
	osexec "os/exec"
	"sync"
)

// errSpoiled tells that a hold cannot take a process any more.
var errSpoiled = errors.New("the hold is spoiled")

// ways are the ways of Linux.
type ways struct {
	adopter *adopter
	cgroups *cgroups // nil: there are none to be had, or none are asked for
	log     *slog.Logger
}

func (w *ways) open(want HoldWay, log *slog.Logger, starting *sync.RWMutex) Holding {
	w.log = log
	adopter, err := newAdopter(log, starting)
	if err != nil {
		return Holding{HoldGroup, "orphans cannot be adopted: " + err.Error()}
	}
	w.adopter = adopter
	if want == HoldAdopt {
		return Holding{Way: HoldAdopt}
	}
	if w.cgroups, err = openCgroups(log); err != nil {
		return Holding{HoldAdopt, "no cgroups: " + err.Error()}
	}
	return Holding{Way: HoldCgroup}
}

func (w *ways) take() hold {
	if w.adopter == nil {
		return groupHold{}
	}
	h := &linuxHold{adopter: w.adopter, mark: newMark()}
	if w.cgroups == nil {
		return h
	}
	group, err := w.cgroups.take()
	if err != nil {
		w.log.Warn("a call has no cgroup of its own", "error", err)
		return h
	}
	h.cgroups, h.cgroup = w.cgroups, group
	return h
}

func (w *ways) takeLasting() hold {
	if w.adopter == nil {
		return groupHold{}
	}
	return &lastingHold{adopter: w.adopter}
}

func (w *ways) close() {
	if w.cgroups != nil {
		w.cgroups.close()
	}
	if w.adopter != nil {
		w.adopter.close()
	}
}

// linuxHold is a cgroup, where there is one, and what escapes from it adopted.
type linuxHold struct {
	adopter *adopter
	mark    string
	cgroups *cgroups
	cgroup  *cgroup // nil: none
}

func (h *linuxHold) start(cmd *osexec.Cmd) error {
	if h.cgroup != nil {
		cmd.SysProcAttr.UseCgroupFD, cmd.SysProcAttr.CgroupFD = true, int(h.cgroup.dir.Fd())
	}
	err := h.adopter.start(cmd, h.mark)
	switch {
	case err == nil || h.cgroup == nil:
	case isCgroupFault(err):
		h.cgroups.discard(h.cgroup)
		err = errors.Join(errSpoiled, err)
	default:
		h.cgroups.put(h.cgroup)
	}
	return err
}

func (h *linuxHold) kill(first *os.Process) error {
	if h.cgroup == nil {
		return killGroup(first)
	}
	if err := h.cgroup.kill(); err != nil {
		return killGroup(first)
	}
	return nil
}

func (h *linuxHold) end(first *os.Process) {
	h.adopter.ended(first.Pid, h.mark)
	if h.cgroup != nil {
		if h.cgroup.isPopulated() {
			_ = h.cgroup.kill()    // put says what went wrong
			h.adopter.clear(first) // Linux passes over a process whose first thread alone has ended
		}
		h.cgroups.put(h.cgroup)
	}
	h.adopter.clear(first)
}

// lastingHold is the group of a process whose orphans are left alone.
type lastingHold struct {
	groupHold
	adopter *adopter
}

func (h *lastingHold) start(cmd *osexec.Cmd) error { return h.adopter.start(cmd, h.adopter.lasting) }

func (h *lastingHold) end(first *os.Process) {
	h.adopter.ended(first.Pid, "")
	endLeftovers(first)
}
