package reload

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// looker looks at a server all the while, and notes what it sees: lists, and answers of calls.
type looker struct {
	calls  bool // call what is listed
	before []string
	known  bool // before is what was wanted last; at first nothing was

	mu       sync.Mutex
	lists    [][]string
	answers  []answered
	stop     chan struct{}
	finished chan struct{}
}

type answered struct {
	name string
	Answer
}

func (l *looker) begin(server Server) {
	l.known, l.lists, l.answers = false, nil, nil
	l.stop, l.finished = make(chan struct{}), make(chan struct{})
	go func() {
		defer close(l.finished)
		for i := 0; ; i++ {
			select {
			case <-l.stop:
				return
			case <-time.After(5 * time.Millisecond):
				l.look(server, i)
			}
		}
	}()
}

func (l *looker) end() {
	if l.stop != nil {
		close(l.stop)
		<-l.finished
		l.stop = nil
	}
}

// look is one look: the whole list, and a call of one of what is listed. What is wanted waits for it: it began before.
func (l *looker) look(server Server, i int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	view, err := server.View()
	if err != nil {
		return // the script itself will see that nobody answers
	}
	list := toolStrings(view.Tools)
	if n := len(l.lists); n == 0 || !slices.Equal(l.lists[n-1], list) {
		l.lists = append(l.lists, list)
	}
	if !l.calls || len(view.Tools) == 0 {
		return
	}
	name := view.Tools[i%len(view.Tools)].Name
	answer, err := server.Call(name, "{}")
	if err != nil || name == still {
		return
	}
	l.answers = append(l.answers, answered{name, answer})
}

// wanted checks that nothing was seen since the last time but what was wanted then and what is wanted now.
func (l *looker) wanted(t testing.TB, now []string) {
	t.Helper()
	l.mu.Lock()
	defer l.mu.Unlock()
	sets := [][]string{now}
	if l.known {
		sets = append(sets, l.before)
	}
	for _, list := range l.lists {
		if !slices.ContainsFunc(sets, func(s []string) bool { return slices.Equal(s, list) }) {
			t.Errorf("was listed, between %s and %s: %s", brief(l.before), brief(now), brief(list))
		}
	}
	for _, a := range l.answers {
		if !slices.ContainsFunc(sets, a.fits) {
			t.Errorf("was answered, between %s and %s: %+v", brief(l.before), brief(now), a)
		}
	}
	l.before, l.known, l.lists, l.answers = now, true, nil, nil
}

// brief is a list that fits a line.
func brief(list []string) string {
	text := fmt.Sprintf("%q", list)
	if len(text) > 500 {
		text = fmt.Sprintf("%s… (%d tools)", text[:500], len(list))
	}
	return text
}

// fits tells whether the answer is that of a set of tools: what the tool says is its description.
func (a answered) fits(set []string) bool {
	says := fmt.Sprintf("%s=%s", a.name, a.Text)
	for _, tool := range set {
		if tool == says || strings.HasPrefix(tool, says+":") {
			return a.Found
		}
		if strings.HasPrefix(tool, a.name+"=") {
			return false
		}
	}
	return !a.Found
}
