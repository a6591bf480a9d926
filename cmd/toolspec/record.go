package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/toolspec/toolspec/check"
	"github.com/toolspec/toolspec/exec"
	"github.com/toolspec/toolspec/registry"
	"github.com/toolspec/toolspec/spec"
)

// recordFlags are how a call is told to become a test.
type recordFlags struct {
	record bool
	name   string
}

func (f *recordFlags) add(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&f.record, "record", false, "make a test of the call, with what came back as its stubs, and add it to the tool's file")
	cmd.Flags().StringVar(&f.name, "record-name", "", "with --record: the name of the test (default: made of the input)")
}

// recording is a call that becomes a test.
type recording struct {
	check.Recording
	began time.Time
}

// recording prepares a call to be recorded; nil if it is not to be.
func (s *set) recording(f recordFlags, call *exec.Call) (*recording, error) {
	if !f.record {
		if f.name != "" {
			return nil, errors.New("--record-name: it names the test that --record makes; give both")
		}
		return nil, nil
	}
	snapshot := s.registry.Snapshot()
	entry, ok := snapshot.Entry(call.Use.Name)
	switch {
	case !ok:
		return nil, failure{s.unknown(call.Use.Name)}
	case !strings.HasPrefix(entry.Source, "dir:"):
		return nil, failure{fmt.Sprintf("--record: %s has no file of yours: it is shipped inside this program; copy its file into a directory first", call.Use.Name)}
	case entry.State == registry.StatePending:
		return nil, failure{s.unknown(call.Use.Name)}
	case entry.State == registry.StateUnavailable:
		return nil, failure{fmt.Sprintf("--record: %s is unavailable here: %s", call.Use.Name, entry.Tool.Unavailable())}
	}
	source, err := os.ReadFile(entry.File)
	if err != nil {
		return nil, failed(err)
	}
	r := &recording{began: time.Now(), Recording: check.Recording{
		File: entry.File, Source: source, Name: f.name, Tools: snapshot, Secrets: knownSecrets(),
		Compile: func(source []byte) (*exec.Tool, spec.Diagnostics) { return s.compile(entry.File, source) },
	}}
	if tool, _ := r.Compile(source); tool == nil || tool.Digest != entry.Tool.Digest {
		return nil, failure{entry.File + " changed while it was read; nothing was called"}
	}
	r.Listen(entry.Tool, call)
	return r, nil
}

func (s *set) compile(file string, source []byte) (*exec.Tool, spec.Diagnostics) {
	parsed, ds := spec.Parse(file, source)
	if parsed == nil {
		return nil, ds
	}
	tool, faults := s.kinds.Compile(s.env, parsed)
	ds = append(ds, faults...)
	ds.Sort()
	return tool, ds
}

// secretPrefix is what the names of environment variables begin with that hold secrets.
const secretPrefix = "TOOLSPEC_SECRET_"

func knownSecrets() map[string]string {
	secrets := map[string]string{}
	for _, pair := range os.Environ() {
		if name, value, _ := strings.Cut(pair, "="); strings.HasPrefix(name, secretPrefix) {
			secrets[strings.TrimPrefix(name, secretPrefix)] = value
		}
	}
	return secrets
}

// write adds the test to the tool's file, and says so.
func (r *recording) write(ctx context.Context, result spec.ToolResult, std stdio) error {
	source, name, err := r.Write(ctx, result, r.began)
	if err == nil {
		err = replaceFile(r.File, r.Source, source)
	}
	if err != nil {
		return failure{fmt.Sprintf("--record: no test was added to %s: %s", r.File, err)}
	}
	fmt.Fprintf(std.err, "recorded in %s as the test %q\n", r.File, name)
	return nil
}
