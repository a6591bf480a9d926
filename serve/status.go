package serve

import (
	"net/http"
	"time"

	"github.com/toolspec/toolspec/registry"
	"github.com/toolspec/toolspec/spec"
)

// Status is how the server stands: what GET /v1/status answers.
type Status struct {
	Generation uint64        `json:"generation"` // of the snapshot
	Ready      bool          `json:"ready"`      // the first load is complete
	Files      []FileStatus  `json:"files"`
	Watch      []WatchStatus `json:"watch"`
	Lock       *LockStatus   `json:"lock,omitempty"` // absent where everything is offered
}

// LockStatus is how the lock of approved tools stands.
type LockStatus struct {
	File     string `json:"file"`
	Approved int    `json:"approved"`        // versions of tools, whether or not they are there
	Fault    string `json:"fault,omitempty"` // why nothing is offered
}

// FileStatus is how one file stands, or one tool that no file holds.
type FileStatus struct {
	Source      string           `json:"source"`
	File        string           `json:"file"`
	Tool        string           `json:"tool"` // the name it offers; empty when broken
	State       registry.State   `json:"state"`
	Reason      string           `json:"reason,omitempty"` // why the tool is unavailable, or pending
	Digest      string           `json:"digest"`
	Diagnostics spec.Diagnostics `json:"diagnostics"`
	Approved    string           `json:"approved,omitempty"` // of a pending tool: the digest that was approved; empty for a new one
	Diff        string           `json:"diff,omitempty"`     // of a pending tool: how it differs from what was approved
}

// WatchStatus is how one directory is watched.
type WatchStatus struct {
	Dir      string    `json:"dir"`
	Mode     string    `json:"mode"`       // events, or polling where there are none
	LastScan time.Time `json:"lastScan"`   // when the whole directory was last looked at
	Age      float64   `json:"ageSeconds"` // of that scan, set when the status is asked for
	Missing  bool      `json:"missing"`    // the directory is not there now
	Warning  string    `json:"warning,omitempty"`
}

func (a *api) status(w http.ResponseWriter, _ *http.Request) {
	s := StatusOf(a.reg)
	s.Ready = a.isReady()
	if a.watch != nil {
		for _, dir := range a.watch() {
			dir.Age = time.Since(dir.LastScan).Seconds()
			s.Watch = append(s.Watch, dir)
		}
	}
	answer(w, http.StatusOK, s)
}

// StatusOf is how the files of a registry stand.
func StatusOf(reg *registry.Registry) Status {
	lock, snapshot := reg.Lock(), reg.Snapshot()
	s := Status{Generation: snapshot.Generation(), Ready: true, Files: []FileStatus{}, Watch: []WatchStatus{}}
	for entry := range snapshot.Entries() {
		s.Files = append(s.Files, fileStatus(entry, lock))
	}
	if lock != nil {
		s.Lock = &LockStatus{File: lock.File, Approved: len(lock.Approvals()), Fault: lock.Fault}
	}
	return s
}

func (a *api) isReady() bool {
	select {
	case <-a.ready:
		return true
	default:
		return false
	}
}

func fileStatus(entry registry.Entry, lock *registry.Lock) FileStatus {
	f := FileStatus{
		Source:      entry.Source,
		File:        entry.File,
		State:       entry.State,
		Digest:      entry.Digest,
		Diagnostics: entry.Diagnostics,
	}
	if entry.Tool != nil {
		f.Tool, f.Reason = entry.Tool.Spec.Name, entry.Tool.Unavailable()
	}
	if entry.State == registry.StatePending {
		f.Reason, f.Diff = entry.Pending, lock.Diff(entry.Tool)
		f.Approved = lock.Approved(f.Tool).Digest
	}
	if f.Diagnostics == nil {
		f.Diagnostics = spec.Diagnostics{}
	}
	return f
}
