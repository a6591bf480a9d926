package serve

import (
	"net/http"
	"sync"
)

// requests counts those that are being answered. The server itself counts connections, and cannot tell one that works
// from one that was opened in advance.
type requests struct {
	mu      sync.Mutex
	running int
	none    chan struct{} // closed when none runs any more, if somebody waits
}

func (q *requests) count(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		q.add(1)
		defer q.add(-1)
		next.ServeHTTP(w, r)
	})
}

func (q *requests) add(n int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.running += n; q.running == 0 && q.none != nil {
		close(q.none)
		q.none = nil
	}
}

// await waits until no request is being answered; false if enough came first.
func (q *requests) await(enough <-chan struct{}) bool {
	q.mu.Lock()
	if q.running == 0 {
		q.mu.Unlock()
		return true
	}
	if q.none == nil {
		q.none = make(chan struct{})
	}
	none := q.none
	q.mu.Unlock()
	select {
	case <-none:
		return true
	case <-enough:
		return false
	}
}
