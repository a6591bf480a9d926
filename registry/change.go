package registry

import "github.com/toolspec/toolspec/spec"

// Change is the difference between two snapshots.
type Change struct {
	Generation  uint64           `json:"generation"`
	Added       []string         `json:"added,omitempty"`
	Updated     []string         `json:"updated,omitempty"`
	Removed     []string         `json:"removed,omitempty"`
	Contract    bool             `json:"contract"` // what agents are shown differs: not for an executor-only edit
	Diagnostics spec.Diagnostics `json:"diagnostics,omitempty"`
}
