package serve

import (
	"bytes"
	"fmt"
	"net/http"
	"time"

	"github.com/toolspec/toolspec/registry"
)

// heartbeat is how often a silent event stream shows that it lives.
const heartbeat = 15 * time.Second

// events streams every change as a server-sent event: event "change", the generation as id, the change as data. A
// stream starts with a comment that names the generation it starts from; who comes back asks for the list again.
func (a *api) events(w http.ResponseWriter, r *http.Request) {
	changes := a.reg.Subscribe(r.Context())
	w.Header().Set("Content-Type", "text/event-stream")
	w.WriteHeader(http.StatusOK)
	if r.Method == http.MethodHead || !send(w, fmt.Appendf(nil, ": generation %d\n\n", a.reg.Snapshot().Generation())) {
		return
	}
	beat := time.NewTicker(heartbeat)
	defer beat.Stop()
	for {
		message := []byte(":\n\n")
		select {
		case <-a.closing.Done():
			return
		case <-r.Context().Done():
			return
		case <-beat.C:
		case change, open := <-changes:
			if !open {
				return
			}
			message = changeEvent(change)
		}
		if !send(w, message) {
			return
		}
	}
}

func changeEvent(change registry.Change) []byte {
	data, err := encode(change)
	if err != nil {
		data = []byte("{}")
	}
	return fmt.Appendf(nil, "event: change\nid: %d\ndata: %s\n\n", change.Generation, bytes.TrimSpace(data))
}

// send writes and flushes; false when nobody reads any more.
func send(w http.ResponseWriter, message []byte) bool {
	control := http.NewResponseController(w)
	_ = control.SetWriteDeadline(time.Now().Add(bodyTimeout)) // where there is no socket there is no deadline
	if _, err := w.Write(message); err != nil {
		return false
	}
	return control.Flush() == nil
}
