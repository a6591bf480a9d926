package audit

import (
	"context"

	"github.com/toolspec/toolspec/registry"
)

// Follow records which tools begin to wait for approval, with how they differ from what was approved, and which of them are offered
// after all; until ctx is done.
func (t *Trail) Follow(ctx context.Context, reg *registry.Registry) {
	changes := reg.Subscribe(ctx)
	waiting := map[string]string{} // digests by name
	for {
		t.compare(reg, waiting)
		if _, open := <-changes; !open {
			return
		}
	}
}

// compare records how a set differs from what was waiting before.
func (t *Trail) compare(reg *registry.Registry, waiting map[string]string) {
	lock, snapshot := reg.Lock(), reg.Snapshot()
	if lock == nil {
		return
	}
	now := map[string]bool{}
	for e := range snapshot.Entries() {
		if e.State != registry.StatePending {
			continue
		}
		name := e.Tool.Spec.Name
		if now[name] = true; waiting[name] != e.Tool.Digest {
			waiting[name] = e.Tool.Digest
			_ = t.write(t.pendingLine(e, lock), true) // it is owed, and calls are refused until it is written
		}
	}
	for name, digest := range waiting {
		if now[name] {
			continue
		}
		delete(waiting, name)
		if tool, ok := snapshot.Tool(name); ok && tool.Digest == digest {
			_ = t.write(t.approvedLine(tool), true)
		}
	}
}
