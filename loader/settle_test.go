package loader

import (
	"fmt"
	"maps"
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
		{"once, however often it was taken up half written",
			[]burst{{"slow", 0, 8_000, 20}, {"a", 5_100, 5_100, 1}}, "5000: slow, 5150: a, 8050: slow"},
		{"a slow write that begins late is the next batch",
			[]burst{{"a", 0, 0, 1}, {"slow", 40, 1_300, 20}, {"b", 1_000, 1_000, 1}}, "500: a, 1050: b, 1350: slow"},
		{"beside a slow one, b is not seen before the edit of a that came first",
			[]burst{{"slow", 0, 900, 20}, {"a", 90, 90, 1}, {"b", 100, 100, 1}, {"a", 470, 510, 20}}, "560: a b, 950: slow"},
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
	last := append(slices.Clone(checkout), burst{"last", 1_800, 1_808, 4})
	if have := simulate(last); strings.Count(have, ":") != 1 || !strings.HasPrefix(have, "1858: f00 ") {
		t.Errorf("61 files, the last of them written in two steps: have %s", have)
	}
	for i := 60; i < 100; i++ {
		checkout = append(checkout, burst{fmt.Sprintf("f%02d", i), i * 30, i * 30, 1})
	}
	if have := simulate(checkout); strings.Count(have, ":") < 2 || !strings.HasPrefix(have, "2000: f00 ") {
		t.Errorf("100 files in 3 s: have %s", have)
	}
}

// A settle time as long as the time after which others are no longer held up makes no file slow that is just written.
func TestSettleLong(t *testing.T) {
	o := Options{Settle: 500 * time.Millisecond}
	have := simulateWith(o, []burst{{".", 0, 0, 1}, {"a", 10, 10, 1}, {"b", 20, 24, 4}})
	if have != "524: . a b" {
		t.Errorf("have %s", have)
	}
}

func simulate(bursts []burst) string { return simulateWith(Options{}, bursts) }

func simulateWith(o Options, bursts []burst) string {
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
	s := newSettle(o.complete())
	start := time.Unix(1_000_000, 0)
	at := func(ms int) time.Time { return start.Add(time.Duration(ms) * time.Millisecond) }
	var looks []string
	now := start
	for len(events) > 0 || !s.due(now).IsZero() {
		due := s.due(now)
		if len(events) > 0 && (due.IsZero() || !at(events[0].at).After(due)) {
			now = at(events[0].at)
			s.add(events[0].path, now)
			events = events[1:]
			continue
		}
		now = due
		if taken := slices.Sorted(maps.Keys(s.take(due).paths)); len(taken) > 0 {
			looks = append(looks, fmt.Sprintf("%d: %s", due.Sub(start).Milliseconds(), strings.Join(taken, " ")))
		}
	}
	return strings.Join(looks, ", ")
}
