package exec

import (
	"bytes"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	osexec "os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"syscall"
	"time"
)

const (
	// markName is the variable by which orphans are known. Its value is random: nobody can tell that of another call.
	markName = "TOOLSPEC_CALL"
	// clearPatience bounds the killing of what is left of a call. What outlives it cannot be killed: the system holds it, or it
	// is another user's.
	clearPatience = 3 * time.Second
	clearPause    = 5 * time.Millisecond // the longest between two looks

	prSetChildSubreaper = 36
)

// adopter is a process that adopts the orphans among its descendants, and tells by their marks whose they are. What comes of
// a call can clear its environment, and with it the mark: an orphan without the mark of a call that runs, and in none of
// their groups, is nobody's and is ended.
type adopter struct {
	log      *slog.Logger
	lasting  string // the mark of those that are left alone
	tolerant bool   // there were children before: an orphan without a mark may be theirs

	starting *sync.RWMutex // see holds

	mu      sync.Mutex
	known   map[int]bool    // pids of children that were started here and have not ended
	running map[string]bool // marks
	lost    map[int]bool    // pids of those that cannot be ended
}

func newMark() string { return rand.Text() }

// newAdopter makes the process one that adopts.
func newAdopter(log *slog.Logger, starting *sync.RWMutex) (*adopter, error) {
	a := &adopter{log: log, lasting: newMark(), starting: starting, known: map[int]bool{}, running: map[string]bool{}, lost: map[int]bool{}}
	starting.Lock()
	children, err := children()
	starting.Unlock()
	if err != nil {
		return nil, err
	}
	a.tolerant = len(children) > 0
	a.running[a.lasting] = true
	if _, _, errno := syscall.RawSyscall(syscall.SYS_PRCTL, prSetChildSubreaper, 1, 0); errno != 0 {
		return nil, fmt.Errorf("prctl: %w", errno)
	}
	return a, nil
}

// start starts the command with a mark.
func (a *adopter) start(cmd *osexec.Cmd, mark string) error {
	cmd.Env = append(slices.Clip(cmd.Env), markName+"="+mark) // the last one counts
	a.starting.RLock()
	defer a.starting.RUnlock()
	if err := cmd.Start(); err != nil {
		return err
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.known[cmd.Process.Pid], a.running[mark] = true, true
	delete(a.lost, cmd.Process.Pid)
	return nil
}

// ended tells that a process that start started has ended, and its call.
func (a *adopter) ended(pid int, mark string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	delete(a.known, pid)
	delete(a.running, mark)
}

// clear ends all orphans that belong to no running call, and what they leave, until there is none. With the first process
// of a call it waits for the rest of its group, too: what is about to die may be about to leave an orphan.
func (a *adopter) clear(first *os.Process) {
	start := time.Now()
	for pause := 50 * time.Microsecond; ; pause = min(2*pause, clearPause) {
		busy := first != nil && syscall.Kill(-first.Pid, syscall.SIGKILL) == nil
		found, err := a.sweep()
		if err != nil {
			a.log.Error("orphans cannot be looked for", "error", err)
			return
		}
		switch {
		case len(found) == 0 && !busy:
			return
		case time.Since(start) > clearPatience:
			a.giveUp(found)
			return
		}
		time.Sleep(pause)
	}
}

// close ends everything, calls that still run included.
func (a *adopter) close() {
	a.mu.Lock()
	for pid := range a.known {
		_ = syscall.Kill(-pid, syscall.SIGKILL)
	}
	a.running = map[string]bool{a.lasting: true}
	a.mu.Unlock()
	a.clear(nil)
}

func (a *adopter) giveUp(pids []int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, pid := range pids {
		a.lost[pid] = true
	}
	a.log.Warn("processes of a call that has ended cannot be ended", "pids", pids)
}

// sweep ends the orphans that are there, and tells which.
func (a *adopter) sweep() ([]int, error) {
	if childless() {
		return nil, nil
	}
	children, err := children()
	if err != nil {
		return nil, err
	}
	if children = a.strangers(children); len(children) == 0 {
		return nil, nil
	}
	a.starting.Lock() // what was about to be known is known now
	children = a.strangers(children)
	a.starting.Unlock()
	return slices.DeleteFunc(children, func(pid int) bool { return !a.endOrphan(pid) }), nil
}

// strangers are the children that were not started here.
func (a *adopter) strangers(children []int) []int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return slices.DeleteFunc(children, func(pid int) bool { return a.known[pid] })
}

// endOrphan ends a child that was not started here, unless it belongs to somebody, and tells whether it did.
func (a *adopter) endOrphan(pid int) bool {
	state, group, err := readStat(pid)
	switch {
	case err != nil: // it is gone
		return false
	case state == 'Z' && reap(pid): // else only its first thread has ended
		return true
	case a.isSomebodys(pid, group):
		return false
	}
	if group == pid {
		_ = syscall.Kill(-pid, syscall.SIGKILL)
	}
	if err := syscall.Kill(pid, syscall.SIGKILL); errors.Is(err, syscall.EPERM) {
		a.giveUp([]int{pid})
		return false
	}
	reap(pid)
	return true
}

// isSomebodys tells whether an orphan is to be left alone.
func (a *adopter) isSomebodys(pid, group int) bool {
	mark := readMark(pid)
	if mark == "" { // or it is just becoming another program, and has no environment for a moment
		time.Sleep(time.Millisecond)
		mark = readMark(pid)
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	switch {
	case a.lost[pid]:
		return true
	case mark != "":
		return a.running[mark]
	}
	return a.known[group] || a.tolerant
}

// reap takes the end of a child that has ended.
func reap(pid int) bool {
	var status syscall.WaitStatus
	got, err := syscall.Wait4(pid, &status, syscall.WNOHANG, nil)
	return err == nil && got == pid
}

// childless tells, in a tenth of the time that the list takes, that there is no child, which is so after most calls.
func childless() bool {
	const all, exited, noHang, noWait, anyKind = 0, 0x4, 0x1, 0x01000000, 0x40000000
	_, _, errno := syscall.RawSyscall6(syscall.SYS_WAITID, all, 0, 0, exited|noHang|noWait|anyKind, 0, 0)
	return errno == syscall.ECHILD
}

// children are those of every thread: orphans are adopted by the first, but a process that has its own parent be the parent
// of what it starts, as Linux lets it, makes a child of the thread that started it. The first thread is asked last, since it
// takes over the children of one that ends.
func children() ([]int, error) {
	first := strconv.Itoa(os.Getpid())
	threads, err := os.ReadDir(threadsPath)
	if err != nil {
		return nil, err
	}
	var pids []int
	for _, thread := range threads {
		if thread.Name() == first {
			continue
		}
		if pids, err = appendChildren(pids, thread.Name()); err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, syscall.ESRCH) {
			return nil, err
		}
	}
	return appendChildren(pids, first)
}

const threadsPath = "/proc/self/task"

func appendChildren(pids []int, thread string) ([]int, error) {
	text, err := os.ReadFile(filepath.Join(threadsPath, thread, "children")) // #nosec G304 -- of this process
	if err != nil {
		return pids, err
	}
	for field := range bytes.FieldsSeq(text) {
		pid, err := strconv.Atoi(string(field))
		if err != nil {
			return pids, err
		}
		pids = append(pids, pid)
	}
	return pids, nil
}

// readStat is a process's state and the process group it is in.
func readStat(pid int) (state byte, group int, err error) {
	text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return 0, 0, err
	}
	fields := bytes.Fields(text[bytes.LastIndexByte(text, ')')+1:]) // a name may hold anything
	if len(fields) < 3 {
		return 0, 0, fmt.Errorf("the state of process %d cannot be read", pid)
	}
	group, err = strconv.Atoi(string(fields[2]))
	return fields[0][0], group, err
}

// readMark is the mark of a process; empty if it has none, or none that can be read. Where the first thread has ended another
// has it.
func readMark(pid int) string {
	dir := "/proc/" + strconv.Itoa(pid)
	text, err := os.ReadFile(dir + "/environ") // #nosec G304 -- a process's number
	if err != nil || len(text) == 0 {
		others, _ := filepath.Glob(dir + "/task/*/environ") // the pattern is right
		for _, path := range others {
			if text, err = os.ReadFile(path); err == nil && len(text) > 0 { // #nosec G304 -- the same
				break
			}
		}
	}
	for pair := range bytes.SplitSeq(text, []byte{0}) {
		if mark, ok := bytes.CutPrefix(pair, []byte(markName+"=")); ok {
			return string(mark)
		}
	}
	return ""
}
