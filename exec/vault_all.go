package exec

import (
	"cmp"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
)

// mostKnown is how many secrets of the sources are known from the start, and mostRead how many more that calls have read: of
// those the oldest are forgotten.
const (
	mostKnown = 500
	mostRead  = 100
)

// allSecrets are those that the program has: what its sources show without being asked for a name, and what calls have
// read. One call can bring to light what another has put somewhere, so that none of them says any of these. Only whole
// secrets are looked for: to mask pieces of what a call never read would tell who tries where a guess is right.
type allSecrets struct {
	replacer atomic.Pointer[strings.Replacer]
	long     atomic.Int64 // bytes of the longest form

	mu    sync.Mutex
	known []keptSecret
	read  []keptSecret // the oldest first
}

type keptSecret struct{ name, value string }

// all are the secrets that can be had without asking anybody: variables with the prefix, and files of the directory.
func (s Secrets) all() *allSecrets {
	a := &allSecrets{}
	if s.Lookup != nil {
		return a
	}
	for _, pair := range os.Environ() {
		if name, value, _ := strings.Cut(pair, "="); s.Prefix != "" && strings.HasPrefix(name, s.Prefix) {
			a.known = append(a.known, keptSecret{strings.TrimPrefix(name, s.Prefix), value})
		}
	}
	var files []os.DirEntry
	if s.Dir != "" {
		files, _ = os.ReadDir(s.Dir) // one that cannot be read is said to whoever asks for a secret
	}
	for _, f := range files {
		if len(a.known) >= mostKnown || !secretNames.MatchString(f.Name()) {
			continue
		}
		if value, err := readSecret(filepath.Join(s.Dir, f.Name())); err == nil {
			a.known = append(a.known, keptSecret{f.Name(), value})
		}
	}
	a.build()
	return a
}

// keep remembers a secret that a call has read.
func (a *allSecrets) keep(name, value string) {
	if a == nil {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if s := (keptSecret{name, value}); !slices.Contains(a.known, s) && !slices.Contains(a.read, s) {
		a.read = append(a.read[max(0, len(a.read)+1-mostRead):], s)
		a.build()
	}
}

// build makes the replacer: of two forms that start at one place the longer counts, of two that are the same the newer.
func (a *allSecrets) build() {
	instead := map[string]string{}
	for _, s := range append(slices.Clone(a.known), a.read...) {
		for _, value := range maskedParts(s.value) {
			if len(value) < leastMasked {
				continue
			}
			for _, form := range WrittenForms(value) {
				if len(form) >= leastMasked {
					instead[form] = stubSecret(s.name)
				}
			}
		}
	}
	if len(instead) == 0 {
		return
	}
	var pairs []string
	for _, form := range slices.SortedFunc(maps.Keys(instead), func(a, b string) int { return cmp.Or(len(b)-len(a), strings.Compare(a, b)) }) {
		pairs = append(pairs, form, instead[form])
	}
	a.long.Store(int64(len(pairs[0])))
	a.replacer.Store(strings.NewReplacer(pairs...))
}

// longest is how long the longest text is that is looked for.
func (a *allSecrets) longest() int {
	if a == nil {
		return 0
	}
	return int(a.long.Load())
}

func (a *allSecrets) isEmpty() bool { return a == nil || a.replacer.Load() == nil }

// Mask is a text without the secrets that the program has, for whoever writes down what callers say.
func (e *Env) Mask(text string) string { return e.complete().secrets.mask(text) }

func (a *allSecrets) mask(text string) string {
	if a.isEmpty() {
		return text
	}
	return replaced(a.replacer.Load(), text)
}
