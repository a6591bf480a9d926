package mcpserver

import (
	"net/http"
	"sync"
	"time"
)

// What holds where a program says nothing: how many sessions there are at most, and how long one that nothing is open of, neither
// a call nor a stream, is kept while others come.
const (
	defaultSessions    = 1_000
	defaultSessionIdle = time.Hour
)

// sessions bounds those of streamable HTTP: who opens one and leaves costs nobody more than the place of an idle one.
type sessions struct {
	most  int
	idle  time.Duration
	live  func() map[string]func() // the sessions there are, by id, each with what ends it
	mu    sync.Mutex
	used  map[string]*use
	begun int // those that are being opened
}

// codeBusy is what JSON-RPC leaves to servers.
const codeBusy = -32000

// use is when a session was last used, and how many of its requests are open.
type use struct {
	last time.Time
	open int
}

func (s *Server) sessions() *sessions {
	return &sessions{most: s.maxSessions, idle: s.sessionIdle, used: map[string]*use{}, live: func() map[string]func() {
		live := map[string]func(){}
		for session := range s.sdk.Sessions() {
			live[session.ID()] = func() { _ = session.Close() } // it says only that the client went first
		}
		return live
	}}
}

// open makes room for one more session: those that were idle for too long end, and if that is not enough the one that was idle
// for longest. Not ok when all are in use.
func (s *sessions) open() (opened func(id string), ok bool) {
	live, now := s.live(), time.Now()
	var ended []func()
	defer func() {
		for _, end := range ended {
			end()
		}
	}()
	s.mu.Lock()
	defer s.mu.Unlock()
	var idlest string
	for id, u := range s.used {
		switch {
		case live[id] == nil:
			delete(s.used, id)
		case u.open > 0:
		case now.Sub(u.last) > s.idle:
			delete(s.used, id)
			ended = append(ended, live[id])
		case idlest == "" || u.last.Before(s.used[idlest].last):
			idlest = id
		}
	}
	if len(s.used)+s.begun >= s.most {
		if idlest == "" {
			return nil, false
		}
		delete(s.used, idlest)
		ended = append(ended, live[idlest])
	}
	s.begun++
	return s.opened, true
}

// opened notes a session that was opened; none was if there is no id.
func (s *sessions) opened(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.begun--
	if id != "" {
		s.used[id] = &use{last: time.Now()}
	}
}

// use notes a request of a session, until done is called.
func (s *sessions) use(id string) (done func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	u := s.used[id]
	if u == nil { // the SDK says what is wrong with it
		return func() {}
	}
	u.open++
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		u.open, u.last = u.open-1, time.Now()
	}
}

// serve has the SDK serve a request of a session, or one that opens a session if there is room.
func (f *front) serve(w http.ResponseWriter, r *http.Request) {
	id := r.Header.Get(headerSession)
	defer f.server.posts.attend(r)()
	if id != "" {
		defer f.sessions.use(id)()
		f.stateful.ServeHTTP(w, r)
		return
	}
	if r.Method != http.MethodPost { // none is opened so
		f.stateful.ServeHTTP(w, r)
		return
	}
	opened, ok := f.sessions.open()
	if !ok {
		w.Header().Set("Retry-After", "10")
		refuse(w, http.StatusServiceUnavailable, &refusal{nil, codeBusy, "the server has as many sessions as it may, and all are in use; try again a little later"})
		return
	}
	defer func() { opened(w.Header().Get(headerSession)) }()
	f.stateful.ServeHTTP(w, r)
}
