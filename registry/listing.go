package registry

import (
	"encoding/json"

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
	Status       State            `json:"status"` // ready, stale or unavailable; pending for one that is not offered
	Diagnostics  spec.Diagnostics `json:"diagnostics"`
}

// Listings are all tools of the snapshot, sorted by name; never nil.
func (s *Snapshot) Listings() []Listing {
	listings := []Listing{}
	for e := range s.sorted.all() {
		if e.offered() != nil {
			listings = append(listings, listingOf(e))
		}
	}
	return listings
}

// ListingsOf are the tools in one state, also those that wait for approval, sorted by name; never nil.
func (s *Snapshot) ListingsOf(state State) []Listing {
	listings := []Listing{}
	for e := range s.sorted.all() {
		if l := listingOf(e); l.Status == state {
			listings = append(listings, l)
		}
	}
	return listings
}

// Listing is the tool of that name.
func (s *Snapshot) Listing(name string) (Listing, bool) {
	e := s.byName.get(name)
	if e.offered() == nil {
		return Listing{}, false
	}
	return listingOf(e), true
}

func listingOf(e *Entry) Listing {
	tool := e.Tool
	l := Listing{
		Name:        tool.Spec.Name,
		Title:       tool.Spec.Title,
		Description: tool.Spec.Description,
		InputSchema: tool.Spec.Input.JSON(),
		Annotations: tool.Spec.Annotations,
		Tags:        tool.Spec.Tags,
		Kind:        tool.Spec.Kind,
		Digest:      tool.Digest,
		File:        e.File,
		Status:      e.State,
		Diagnostics: e.Diagnostics,
	}
	if tool.Spec.Output != nil {
		l.OutputSchema = tool.Spec.Output.JSON()
	}
	if l.Tags == nil {
		l.Tags = []string{}
	}
	if l.Diagnostics == nil {
		l.Diagnostics = spec.Diagnostics{}
	}
	return l
}
