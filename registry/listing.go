package registry

import (
	"encoding/json"

	"github.com/toolspec/toolspec/exec"
	"github.com/toolspec/toolspec/spec"
)

// Listing is a tool as people and programs are shown it, by `list --json` and GET /v1/tools. Every key is always
// there; outputSchema is null for a tool without one, and file is the name of a Go function that no file holds.
type Listing struct {
	Name         string           `json:"name"`
	Title        string           `json:"title"`
	Description  string           `json:"description"`
	InputSchema  json.RawMessage  `json:"inputSchema"`
	OutputSchema json.RawMessage  `json:"outputSchema"`
	Annotations  spec.Annotations `json:"annotations"`
	Tags         []string         `json:"tags"`
	Kind         string           `json:"kind"`
	File         string           `json:"file"`
	Digest       string           `json:"digest"`
	Status       State            `json:"status"` // ready, stale or unavailable
	Diagnostics  spec.Diagnostics `json:"diagnostics"`
}

// Listings are all tools of the snapshot, sorted by name; never nil.
func (s *Snapshot) Listings() []Listing {
	listings := []Listing{}
	for tool := range s.All() {
		listings = append(listings, s.listing(tool))
	}
	return listings
}

// Listing is the tool of that name.
func (s *Snapshot) Listing(name string) (Listing, bool) {
	tool, ok := s.Tool(name)
	if !ok {
		return Listing{}, false
	}
	return s.listing(tool), true
}

func (s *Snapshot) listing(tool *exec.Tool) Listing {
	l := Listing{
		Name:        tool.Spec.Name,
		Title:       tool.Spec.Title,
		Description: tool.Spec.Description,
		InputSchema: tool.Spec.Input.JSON(),
		Annotations: tool.Spec.Annotations,
		Tags:        tool.Spec.Tags,
		Kind:        tool.Spec.Kind,
		Digest:      tool.Digest,
		Status:      StateReady,
	}
	if tool.Spec.Output != nil {
		l.OutputSchema = tool.Spec.Output.JSON()
	}
	if entry, ok := s.Entry(l.Name); ok {
		l.File, l.Status, l.Diagnostics = entry.File, entry.State, entry.Diagnostics
	}
	if tool.Unavailable() != "" {
		l.Status = StateUnavailable
	}
	if l.Tags == nil {
		l.Tags = []string{}
	}
	if l.Diagnostics == nil {
		l.Diagnostics = spec.Diagnostics{}
	}
	return l
}
