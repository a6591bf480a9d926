package main

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/toolspec/toolspec/exec"
	"github.com/toolspec/toolspec/loader"
	"github.com/toolspec/toolspec/spec"
)

func newCommand(std stdio, _ *place) *cobra.Command {
	var kind, from, dir string
	cmd := &cobra.Command{
		Use:   "new NAME [FILE]",
		Short: "Write a first tool file, with a test, to go on from",
		Long: `Write a first tool file, with a test in it, to go on from: an example of a kind, or a command line turned into a tool.
It goes into FILE, or as NAME.yaml into the tools directory, which is made if there is none. No file is ever overwritten.

--from takes a command as you would give it to a shell; - reads it from stdin, where its quotes need no quotes. Of a curl command it makes a request, of any other a program
with its arguments. What a call should choose is written as a placeholder: NAME in capitals, {name}, <name> or $NAME.`,
		Example: `  toolspec new city_days --kind http
  toolspec new git_history -d tools --from 'git log --max-count=N -- PATH'
  toolspec new find_users --from 'curl https://api.example.com/v1/users?page=2 -H "Authorization: Bearer $TOKEN"'`,
		Args: cobra.RangeArgs(1, 2),
		RunE: func(_ *cobra.Command, args []string) error {
			if from == "-" {
				line, err := io.ReadAll(io.LimitReader(std.in, spec.MaxFileBytes))
				if err != nil {
					return failed(err)
				}
				from = string(line)
			}
			made, err := makeFile(args[0], kind, from)
			if err != nil {
				return err
			}
			path, err := newPath(dir, args)
			if err != nil {
				return err
			}
			if err := made.check(path); err != nil {
				return err
			}
			if len(args) == 1 {
				if file := fileOf(args[0], filepath.Dir(path)); file != "" {
					return failure{fmt.Sprintf("there is a tool %s already, in %s", args[0], file)}
				}
			}
			return made.write(std, path)
		},
	}
	cmd.Flags().StringVar(&kind, "kind", "", "an example of this kind: "+strings.Join(firstKinds(), ", "))
	cmd.Flags().StringVar(&from, "from", "", "the command line to make a tool of; - reads it from stdin")
	cmd.Flags().StringVarP(&dir, "dir", "d", "", "directory of tool files (default $TOOLSPEC_DIR, else ./toolspecs)")
	_ = cmd.MarkFlagDirname("dir") // the flag exists
	_ = cmd.RegisterFlagCompletionFunc("kind", cobra.FixedCompletions(firstKinds(), cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

// newFile is a tool file that is made and not written yet.
type newFile struct {
	text  string
	notes []string
}

// makeFile makes the file that the flags ask for.
func makeFile(name, kind, from string) (*newFile, error) {
	if fault := spec.NameFault(name); fault != "" {
		return nil, fmt.Errorf("the name: %s", fault)
	}
	var made *newFile
	var err error
	switch {
	case kind != "" && from != "":
		return nil, errors.New("want --kind or --from, have both: --from finds the kind itself")
	case from != "":
		made, err = fileFrom(name, from)
	case slices.Contains(firstKinds(), kind):
		made = firstFile(name, kind)
	default:
		return nil, fmt.Errorf("want --kind with one of %s, or --from 'COMMAND LINE'; have --kind %q", strings.Join(firstKinds(), ", "), kind)
	}
	return made, err
}

// newPath is where the file goes: where the command line says, or into the tools directory.
func newPath(dir string, args []string) (string, error) {
	if len(args) == 2 {
		if dir != "" {
			return "", errors.New("want a FILE or -d DIR, have both")
		}
		if base := filepath.Base(args[1]); !loader.IsToolFile(base) || filepath.Ext(base) == ".json" {
			return "", fmt.Errorf("%s would not be read as YAML: want a name that ends in .yaml and does not start with . or _", args[1])
		}
		return args[1], nil
	}
	if dir == "" {
		dir = os.Getenv("TOOLSPEC_DIR")
	}
	if dir == "" {
		dir = "toolspecs"
	}
	return filepath.Join(dir, args[0]+".yaml"), nil
}

// fileOf is the file in a directory that has a tool of a name; empty if there is none.
func fileOf(name, dir string) string {
	tools, _ := loader.Load(os.DirFS(dir), exec.StandardKinds(), environment(slog.New(slog.DiscardHandler)))
	for _, tool := range tools {
		if tool.Spec.Name == name {
			return filepath.Join(dir, tool.Spec.Pos.File)
		}
	}
	return ""
}

// write writes the file where there is none, and says what to do next.
func (f *newFile) write(std stdio, path string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil { // #nosec G301 -- tools are shared, as programs are
		return failed(err)
	}
	// #nosec G302 G304 -- where the user wants it; tools are shared, as programs are
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, os.ErrExist) {
		return failure{path + " is there already, and is not overwritten"}
	}
	if err != nil {
		return failed(err)
	}
	_, err = file.WriteString(f.text)
	if err = errors.Join(err, file.Close()); err != nil {
		return failed(err)
	}
	for _, note := range f.notes {
		fmt.Fprintln(std.err, "note:", note)
	}
	_, err = fmt.Fprintf(std.out, "%s\ntoolspec check %[1]s\ntoolspec test %[1]s\n", path)
	return failed(err)
}
