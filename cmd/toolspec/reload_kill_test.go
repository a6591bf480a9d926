package main

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/toolspec/toolspec/testdata/reload"
)

var kills = flag.Int("kills", 6, "how often TestKilledWhileEdited kills the program")

// TestKilledWhileEdited ends the program with kill -9 while files are edited: each time it starts again, what is on disk
// is served, or for a broken file the last good version that was written down.
func TestKilledWhileEdited(t *testing.T) {
	t.Parallel()
	program(t)
	e := &editor{T: t, dir: filepath.Join(t.TempDir(), "tools"), rand: rand.New(rand.NewPCG(7, 7)), good: map[string][]string{}, held: map[string]string{}}
	if err := os.Mkdir(e.dir, 0o755); err != nil {
		t.Fatal(err)
	}
	pins := filepath.Join(t.TempDir(), "pins")
	pinned := 0
	for round := range *kills {
		s := &server{}
		s.Start(t, []string{e.dir}, reload.Options{Settle: 5 * time.Millisecond, Pin: pins})
		view, err := s.View()
		if err != nil {
			t.Fatal(err)
		}
		pinned += e.check(round, view)
		ended, life := make(chan struct{}), time.Duration(e.rand.IntN(150))*time.Millisecond
		go func() {
			defer close(ended)
			time.Sleep(life)
			s.Kill(t)
		}()
		for edit := true; edit; {
			select {
			case <-ended:
				edit = false
			default:
				e.edit()
			}
		}
	}
	t.Logf("%d times a pinned version was served", pinned)
}

// editor edits files, and knows what they hold and held.
type editor struct {
	*testing.T
	dir     string
	rand    *rand.Rand
	version int
	good    map[string][]string // versions that a file held at some time
	held    map[string]string   // "" if it is broken
}

func (e *editor) edit() {
	e.version++
	name := fmt.Sprintf("t%d", e.rand.IntN(5))
	file := filepath.Join(e.dir, name+".yaml")
	version := fmt.Sprint("v", e.version)
	var err error
	switch e.rand.IntN(5) {
	case 0, 1:
		temp := filepath.Join(e.dir, ".new")
		err = os.WriteFile(temp, []byte(reload.ToolText(name, version)), 0o644)
		if err == nil {
			err = os.Rename(temp, file)
		}
		e.held[name], e.good[name] = version, append(e.good[name], version)
	case 2:
		err = os.WriteFile(file, []byte(reload.ToolText(name, version)), 0o644)
		e.held[name], e.good[name] = version, append(e.good[name], version)
	case 3:
		err = os.WriteFile(file, []byte("name: [ # "+version), 0o644)
		e.held[name] = ""
	case 4:
		err = os.RemoveAll(file)
		delete(e.held, name) // what it held may come back all the same: made again at once, it was only edited
	}
	if err != nil {
		e.Error(err)
	}
	time.Sleep(time.Duration(e.rand.IntN(20)) * time.Millisecond)
}

// check compares what is served after a start with what is on disk, and counts pinned versions.
func (e *editor) check(round int, view reload.View) (pinned int) {
	served := map[string]reload.Tool{}
	for _, tool := range view.Tools {
		served[tool.Name] = tool
	}
	for name, version := range e.held {
		tool, ok := served[name]
		delete(served, name)
		isBroken := slices.ContainsFunc(view.Others, func(o string) bool {
			return strings.HasPrefix(o, "broken:") && strings.HasSuffix(o, "/"+name+".yaml")
		})
		switch {
		case version != "" && (tool.Description != version || tool.State != "ready"):
			e.Errorf("round %d: %s holds %s, served is %q", round, name, version, tool)
		case version == "" && ok && (tool.State != "stale" || !slices.Contains(e.good[name], tool.Description)):
			e.Errorf("round %d: %s is broken and held %q, served is %q", round, name, e.good[name], tool)
		case version == "" && ok == isBroken:
			e.Errorf("round %d: %s is broken, and served: %v, and said to be broken: %v", round, name, ok, isBroken)
		case ok && tool.State == "stale":
			pinned++
		}
	}
	for name := range served {
		e.Errorf("round %d: %s is served, and on disk no more", round, name)
	}
	return pinned
}
