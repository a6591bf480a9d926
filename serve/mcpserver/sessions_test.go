package mcpserver

import (
	"bufio"
	"context"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// TestSessionsAreBounded: one more client costs the idlest its session, and never one that is in use.
func TestSessionsAreBounded(t *testing.T) {
	h := newHouse(t, nil, tool{"sum", sumFile})
	h.maxSessions = 2
	web := httptest.NewServer(h.HTTP())
	defer web.Close()
	open := func(want int) string {
		t.Helper()
		status, header, text := post(t, web.URL, hello)
		if status != want || want != http.StatusOK && (header.Get("Retry-After") == "" || !strings.Contains(text, "as many sessions as it may")) {
			t.Fatalf("have %d %s", status, text)
		}
		return header.Get(headerSession)
	}
	listen := func(id string) context.CancelFunc {
		t.Helper()
		ctx, cancel := context.WithCancel(t.Context())
		r, _ := http.NewRequestWithContext(ctx, http.MethodGet, web.URL, nil)
		r.Header.Set("Accept", "text/event-stream")
		r.Header.Set(headerSession, id)
		res, err := http.DefaultClient.Do(r)
		if err != nil || res.StatusCode != http.StatusOK {
			t.Fatalf("have %v, %v", res, err)
		}
		done := make(chan struct{})
		go func() { defer close(done); _, _ = bufio.NewReader(res.Body).ReadString(0); res.Body.Close() }()
		return func() { cancel(); <-done }
	}
	there := func(id string) bool {
		t.Helper()
		status, _, _ := post(t, web.URL, `{"jsonrpc":"2.0","id":2,"method":"ping"}`, headerSession, id)
		return status == http.StatusOK
	}
	a, b := open(200), open(200)
	stopA := listen(a)
	if !there(a) || !there(b) {
		t.Fatal("two may be there")
	}
	c := open(200)
	if there(b) || !there(a) || !there(c) {
		t.Error("the idle one ends, and no other")
	}
	stopC := listen(c)
	open(503)
	stopA()
	stopC()
	for i := 0; ; i++ { // the server hears a little later that they have gone
		if status, _, _ := post(t, web.URL, hello); status == http.StatusOK {
			break
		} else if i > 10_000 {
			t.Fatal("there is no room again")
		}
	}
	n := 0
	for range h.sdk.Sessions() {
		n++
	}
	if n > 2 {
		t.Errorf("%d sessions are there", n)
	}
}

func TestIdleSessionsEndWhenOthersCome(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		live := map[string]func(){}
		s := &sessions{most: 10, idle: time.Hour, used: map[string]*use{}, live: func() map[string]func() { return maps.Clone(live) }}
		add := func(id string) {
			opened, ok := s.open()
			if !ok {
				t.Fatal("there is room")
			}
			live[id] = func() { delete(live, id) }
			opened(id)
		}
		add("idle")
		add("used")
		add("listens")
		done := s.use("listens")
		time.Sleep(50 * time.Minute)
		s.use("used")()
		s.use("unknown")()
		time.Sleep(20 * time.Minute)
		add("new")
		if have := slices.Sorted(maps.Keys(live)); !slices.Equal(have, []string{"listens", "new", "used"}) {
			t.Errorf("have %v", have)
		}
		done()
		delete(live, "used") // by its client
		time.Sleep(2 * time.Hour)
		opened, _ := s.open()
		opened("") // it was refused
		if len(live) != 0 || len(s.used) != 0 || s.begun != 0 {
			t.Errorf("have %v, %v, %d", live, s.used, s.begun)
		}
	})
}
