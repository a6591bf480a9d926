package loader

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/toolspec/toolspec/exec"
	"github.com/toolspec/toolspec/registry"
	"github.com/toolspec/toolspec/spec"
)

var (
	operations = flag.Int("operations", 200, "how many operations TestModel does with each seed")
	seeds      = flag.Uint64("seeds", 6, "how many seeds TestModel has")
)

// TestModel does to a directory whatever can be done to one, while others write without end, list and call. What is
// served is at every moment what the whole directory held at one moment, never an earlier one than was served before; and
// at rest, what it holds.
func TestModel(t *testing.T) {
	before, descriptors := runtime.NumGoroutine(), openFiles()
	t.Run("seeds", func(t *testing.T) {
		for seed := range *seeds {
			t.Run(fmt.Sprint(seed), func(t *testing.T) {
				t.Parallel()
				runModel(t, seed)
			})
		}
	})
	for range 2_000 { // a goroutine that has sent its last word takes a moment to end
		if runtime.NumGoroutine() <= before && openFiles() <= descriptors {
			return
		}
		time.Sleep(time.Millisecond)
	}
	t.Errorf("goroutines: %d before, %d after; descriptors: %d before, %d after", before, runtime.NumGoroutine(), descriptors, openFiles())
}

// openFiles counts descriptors; 0 where that is not known.
func openFiles() int {
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		return 0
	}
	return len(entries)
}

// modes are how the seeds watch: by events alone, beside a look at everything every so often, and by polling.
var modes = []Options{{Rescan: time.Hour}, {Rescan: 300 * time.Millisecond}, {Rescan: time.Hour, Poll: 40 * time.Millisecond}}

func runModel(t *testing.T, seed uint64) {
	opts := modes[seed%uint64(len(modes))]
	opts.Settle, opts.MaxSettle, opts.SlowWrite = 10*time.Millisecond, 100*time.Millisecond, 500*time.Millisecond
	v := newVandal(t, seed, opts.Settle)
	v.polled = opts.Poll > 0
	reg := registry.New()
	l := New(reg, filepath.Join(v.base, "tools"), testKinds(), nil, opts)
	ctx, cancel := context.WithCancel(context.Background())
	var others sync.WaitGroup
	others.Go(func() {
		if err := l.Run(ctx); err != nil {
			t.Error(err)
		}
	})
	<-l.Loaded()
	w := &witness{T: t, reg: reg, model: v.model, dir: l.dir}
	others.Go(func() { w.look(ctx) })
	others.Go(func() { callAll(ctx, t, reg) })
	if seed/uint64(len(modes))%2 == 0 {
		others.Go(func() { v.disturb(ctx) })
	}
	for i := 0; i < *operations && !t.Failed(); i++ {
		v.one()
		if i%25 == 24 {
			w.rests()
		}
	}
	w.rests()
	cancel()
	others.Wait()
	t.Logf("%d states, of which %d generations were seen; %d operations could not be done", len(v.model.states), w.seen, v.failed)
}

// callAll calls what is listed, and has the answer be that of the list it was called from.
func callAll(ctx context.Context, t *testing.T, reg *registry.Registry) {
	for ctx.Err() == nil {
		snapshot := reg.Snapshot()
		for tool := range snapshot.All() {
			r := snapshot.Call(context.Background(), exec.Call{Use: spec.ToolUse{ID: "1", Name: tool.Spec.Name}})
			if r.Status != spec.StatusSuccess || *r.Content[0].Text != tool.Spec.Description || r.Metadata.Generation != snapshot.Generation() {
				t.Errorf("%s answers %+v", tool.Spec.Name, r)
				return
			}
			time.Sleep(time.Millisecond)
		}
		time.Sleep(time.Millisecond)
	}
}

// model is every state that the directory was in, one after the other: the digest of the tool in each file, or broken.
type model struct {
	mu     sync.Mutex
	states []map[string]string
	ever   map[string]map[string]bool // what each file held at some time
	about  []string                   // what led to each state
	known  map[string]string          // digest by content
}

const broken = "broken"

// busy is the name of the file that is written without end. It is nobody's business.
const busy = "busy.yaml"

// record looks at the directory as a reader would who is alone with it.
func (m *model) record(dir, about string) {
	state := map[string]string{}
	t, _ := walkTree(disk(dir), func(string, bool) {})
	for _, f := range t.files {
		if filepath.Base(f.path) == busy {
			continue
		}
		state[f.path] = broken
		if text, err := os.ReadFile(filepath.Join(dir, f.path)); err == nil {
			state[f.path] = m.digest(string(text))
		}
	}
	for _, f := range t.faults {
		state[f.path] = broken // a link to itself, say
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.states, m.about = append(m.states, state), append(m.about, about)
	for path, digest := range state {
		if m.ever[path] == nil {
			m.ever[path] = map[string]bool{}
		}
		m.ever[path][digest] = true
	}
}

func (m *model) digest(text string) string {
	if d, ok := m.known[text]; ok {
		return d
	}
	d := broken
	if tool, _ := compile("x.yaml", []byte(text), testKinds(), nil); tool != nil {
		d = tool.Digest
	}
	m.known[text] = d
	return d
}

// witness looks at what is served all the while.
type witness struct {
	*testing.T
	reg   *registry.Registry
	model *model
	dir   string

	at   int // of the state that was served last
	seen int
}

func (w *witness) look(ctx context.Context) {
	var last uint64
	for ctx.Err() == nil && !w.Failed() {
		snapshot := w.reg.Snapshot()
		if snapshot.Generation() != last {
			last = snapshot.Generation()
			w.check(ctx, snapshot)
		}
		time.Sleep(200 * time.Microsecond)
	}
}

// check finds the state that is served. It may be one that is being written down yet.
func (w *witness) check(ctx context.Context, snapshot *registry.Snapshot) {
	served := w.entries(snapshot)
	w.model.mu.Lock()
	known := len(w.model.states)
	w.model.mu.Unlock()
	for i := w.at; ; {
		w.model.mu.Lock()
		states := w.model.states
		for ; i < len(states); i++ {
			if w.model.difference(served, states[i]) == "" {
				w.model.mu.Unlock()
				w.at = i
				w.seen++
				return
			}
		}
		w.model.mu.Unlock()
		if len(states) > known+1 || ctx.Err() != nil {
			break
		}
		time.Sleep(time.Millisecond)
	}
	if ctx.Err() == nil {
		w.report(snapshot, served, known)
	}
}

func (w *witness) report(snapshot *registry.Snapshot, served map[string]registry.Entry, known int) {
	w.model.mu.Lock()
	defer w.model.mu.Unlock()
	w.Errorf("%s: generation %d is no state since %d", w.Name(), snapshot.Generation(), w.at)
	for path, e := range served {
		w.Logf("served: %s %s %s", path, e.State, e.Diagnostics)
	}
	for path, digest := range w.model.states[min(known, len(w.model.states)-1)] {
		w.Logf("on disk now: %s %.15s", path, digest)
	}
	for i := w.at; i <= known && i < len(w.model.states); i++ {
		w.Logf("state %d, by %s: %s", i, w.model.about[i], w.model.difference(served, w.model.states[i]))
	}
}

// entries are what is served, by file.
func (w *witness) entries(snapshot *registry.Snapshot) map[string]registry.Entry {
	served := map[string]registry.Entry{}
	for e := range snapshot.Entries() {
		path, _ := filepath.Rel(w.dir, e.File)
		if path = filepath.ToSlash(path); filepath.Base(path) != busy {
			served[path] = e
		}
	}
	return served
}

// difference says why what is served is not a state; empty if it is.
func (m *model) difference(served map[string]registry.Entry, state map[string]string) string {
	for path, digest := range state {
		e, ok := served[path]
		switch {
		case !ok:
			return path + " is missing"
		case digest != broken && (e.State == registry.StateStale || e.Tool == nil || e.Tool.Digest != digest):
			return fmt.Sprintf("%s is %s, and another version", path, e.State)
		case digest == broken && e.Tool != nil && (e.State == registry.StateReady || !m.ever[path][e.Tool.Digest]):
			return fmt.Sprintf("%s is %s, and broken", path, e.State)
		}
	}
	for path := range served {
		if _, ok := state[path]; !ok {
			return path + " is too much"
		}
	}
	return ""
}

// rests waits until the present state is served.
func (w *witness) rests() {
	var difference string
	for deadline := time.Now().Add(30 * time.Second); time.Now().Before(deadline) && !w.Failed(); time.Sleep(time.Millisecond) {
		served := w.entries(w.reg.Snapshot())
		w.model.mu.Lock()
		last := len(w.model.states) - 1
		difference = w.model.difference(served, w.model.states[last])
		about := w.model.about[last]
		w.model.mu.Unlock()
		if difference == "" {
			return
		}
		difference += ", after " + about
	}
	if !w.Failed() {
		w.Errorf("at rest: %s", difference)
	}
}

func newVandal(t *testing.T, seed uint64, settle time.Duration) *vandal {
	v := &vandal{
		T: t, base: t.TempDir(), rand: rand.New(rand.NewPCG(seed, 0)), settle: settle, began: time.Now(),
		model: &model{ever: map[string]map[string]bool{}, known: map[string]string{}},
	}
	v.must(os.Mkdir(filepath.Join(v.base, "tools"), 0o755))
	v.must(os.Mkdir(filepath.Join(v.base, "out"), 0o755))
	v.model.record(filepath.Join(v.base, "tools"), "nothing")
	return v
}
