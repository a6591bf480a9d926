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
}

// FileStatus is how one file stands, or one tool that no file holds.
type FileStatus struct {
	Source      string           `json:"source"`
	File        string           `json:"file"`
	Tool        string           `json:"tool"` // the name it offers; empty when broken
	State       registry.State   `json:"state"`
	Reason      string           `json:"reason,omitempty"` // why the tool is unavailable
	Digest      string           `json:"digest"`
	Diagnostics spec.Diagnostics `json:"diagnostics"`
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
	snapshot := a.reg.Snapshot()
	s := Status{Generation: snapshot.Generation(), Ready: a.isReady(), Files: []FileStatus{}, Watch: []WatchStatus{}}
	for entry := range snapshot.Entries() {
		s.Files = append(s.Files, fileStatus(entry))
	}
	if a.watch != nil {
		for _, dir := range a.watch() {
			dir.Age = time.Since(dir.LastScan).Seconds()
			s.Watch = append(s.Watch, dir)
		}
	}
	answer(w, http.StatusOK, s)
}

func (a *api) isReady() bool {
	select {
	case <-a.ready:
		return true
	default:
		return false
	}
}

func fileStatus(entry registry.Entry) FileStatus {
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
	if f.Diagnostics == nil {
		f.Diagnostics = spec.Diagnostics{}
	}
	return f
}
