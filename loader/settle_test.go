package loader

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// burst is events on a path, one every so many milliseconds, from a moment to another.
type burst struct {
	path            string
	from, to, every int
}

func TestSettle(t *testing.T) {
	for _, c := range []struct {
		about  string
		bursts []burst
		want   string // when: what is looked at, up to the last event's settling
	}{
		{"one write", []burst{{"a", 0, 0, 1}}, "50: a"},
		{"a write in several steps", []burst{{"a", 0, 200, 40}}, "250: a"},
		{"two edits, one after the other", []burst{{"a", 0, 0, 1}, {"a", 100, 100, 1}}, "50: a, 150: a"},
		{"a batch is one", []burst{{"a", 0, 0, 1}, {"b", 30, 30, 1}, {"c", 60, 60, 1}}, "110: a b c"},
		{"at 500 ms what is quiet is taken up, and the slow one waits for its own quiet",
			[]burst{{"a", 0, 0, 1}, {"slow", 0, 900, 20}}, "500: a, 950: slow"},
		{"5 s is the most that a file is waited for; it is come back to",
			[]burst{{"slow", 0, 6_000, 20}}, "5000: slow, 6050: slow"},
		{"a neighbour that writes without end holds an edit up once, for 500 ms",
			[]burst{{"slow", 0, 3_000, 20}, {"a", 1_000, 1_000, 1}, {"b", 2_000, 2_010, 10}}, "1050: a, 2060: b, 3050: slow"},
	} {
		t.Run(c.about, func(t *testing.T) {
			if have := simulate(c.bursts); have != c.want {
				t.Errorf("have %s\nwant %s", have, c.want)
			}
		})
	}
}

// A batch that keeps growing is one, up to two seconds; then what is there is taken up.
func TestSettleBatches(t *testing.T) {
	var checkout []burst
	for i := range 60 {
		checkout = append(checkout, burst{fmt.Sprintf("f%02d", i), i * 30, i * 30, 1})
	}
	if have := simulate(checkout); strings.Count(have, ":") != 1 || !strings.HasPrefix(have, "1820: f00 f01 ") {
		t.Errorf("60 files in 1.8 s: have %s", have)
	}
	busy := append(checkout, burst{"slow", 0, 1_900, 10})
	if have := simulate(busy); strings.Count(have, ":") != 2 || !strings.HasPrefix(have, "1820: f00 ") {
		t.Errorf("60 files in 1.8 s beside a busy one: have %s", have)
	}
	for i := 60; i < 100; i++ {
		checkout = append(checkout, burst{fmt.Sprintf("f%02d", i), i * 30, i * 30, 1})
	}
	if have := simulate(checkout); strings.Count(have, ":") < 2 || !strings.HasPrefix(have, "2000: f00 ") {
		t.Errorf("100 files in 3 s: have %s", have)
	}
}

func simulate(bursts []burst) string {
	type event struct {
		at   int
		path string
	}
	var events []event
	for _, b := range bursts {
		for at := b.from; at <= b.to; at += b.every {
			events = append(events, event{at, b.path})
		}
	}
	slices.SortStableFunc(events, func(a, b event) int { return a.at - b.at })
	s := newSettle(Options{}.complete())
	start := time.Unix(1_000_000, 0)
	at := func(ms int) time.Time { return start.Add(time.Duration(ms) * time.Millisecond) }
	var looks []string
	for len(events) > 0 || !s.due().IsZero() {
		due := s.due()
		if len(events) > 0 && (due.IsZero() || !at(events[0].at).After(due)) {
			s.add(events[0].path, at(events[0].at))
			events = events[1:]
			continue
		}
		if taken := s.take(due); len(taken) > 0 {
			slices.Sort(taken)
			looks = append(looks, fmt.Sprintf("%d: %s", due.Sub(start).Milliseconds(), strings.Join(taken, " ")))
		}
	}
	return strings.Join(looks, ", ")
}
