package main

import (
	"log/slog"

	"github.com/toolspec/toolspec/check"
	"github.com/toolspec/toolspec/exec"
	"github.com/toolspec/toolspec/spec"
)

// check holds a file to what toolspec check would say of it. An error is of the command line it was made from, a name that
// some provider does not take is better chosen otherwise now, and a credential is not written at all; any other warning is
// for its author.
func (f *newFile) check(path string) error {
	_, ds := compileText(path, f.text)
	for _, d := range ds {
		switch {
		case d.Severity == spec.SeverityError || d.Rule == "portable-name":
			return failure{"no tool can be made of it: " + d.Message}
		case d.Rule == "secret":
			return failure{"no file is written with a credential in clear: take it out of the command line, and write ${secret.NAME} into the file. " + d.Message}
		case d.Severity == spec.SeverityWarning:
			f.notes = append(f.notes, d.Message)
		}
	}
	return nil
}

// compileText compiles a file that is not written yet, and judges it.
func compileText(path, text string) (*exec.Tool, spec.Diagnostics) {
	s, ds := spec.Parse(path, []byte(text))
	var tool *exec.Tool
	if s != nil {
		var faults spec.Diagnostics
		tool, faults = exec.StandardKinds().Compile(environment(slog.New(slog.DiscardHandler)), s)
		ds = append(ds, faults...)
	}
	return tool, check.Lint([]*check.File{check.NewFile(path, []byte(text), tool, ds)}, check.Options{})
}
