package main

import (
	"log/slog"
	"testing"
)

// A directory that is named twice is followed once.
func TestDirectoryNamedTwice(t *testing.T) {
	p := place{dirs: []string{"tools", "more", "./tools/", "more"}}
	s, err := p.open(slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	var have []string
	for _, l := range s.loaders {
		have = append(have, l.Status().Dir)
	}
	if len(have) != 2 || have[0] != "tools" || have[1] != "more" {
		t.Errorf("have %q, want tools and more", have)
	}
}
