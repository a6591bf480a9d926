package exec

import (
	"time"

	"github.com/toolspec/toolspec/spec"
)

// Event is a call that has ended, for whoever counts calls. It holds nothing of what went in or came out.
type Event struct {
	Tool     string    // its name
	Code     spec.Code // what went wrong; empty if nothing did
	Duration time.Duration
}

// observe tells the program of a call that has ended; not of one that was stubbed or planned, which did nothing.
func (t *Tool) observe(call *Call, r *spec.ToolResult, took time.Duration) {
	if t.env.Observe == nil || call.Stub != nil || call.dry != nil {
		return
	}
	e := Event{Tool: t.Spec.Name, Duration: took}
	if r.Metadata.Error != nil {
		e.Code = r.Metadata.Error.Code
	}
	defer func() {
		if p := recover(); p != nil { // who counts calls does not decide what becomes of them
			_ = crash(call, p)
		}
	}()
	t.env.Observe(e)
}
