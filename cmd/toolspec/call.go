package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/toolspec/toolspec/exec"
	"github.com/toolspec/toolspec/spec"
)

func callCommand(std stdio, where *place) *cobra.Command {
	var input string
	var asJSON, dry bool
	var record recordFlags
	cmd := &cobra.Command{
		Use:   "call NAME [key=text | key:=json]...",
		Short: "Call one tool and print its result",
		Long: `Call one tool and print its result.

Arguments are given as key=text or key:=json; or all at once as a JSON object with --input, from the
command line, from a file (@FILE) or from standard input (-). Both together: single arguments win.`,
		Example: `  toolspec call -d tools weather city=Oslo days:=3
  toolspec call -d tools weather --input '{"city": "Oslo"}' --json
  toolspec call -d tools weather city=Oslo --dry-run
  echo '{"city": "Oslo"}' | toolspec call -d tools weather --input -
  toolspec call -d tools weather city=Oslo --record --record-name 'a city that there is'`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			raw, err := readInput(std.in, input, args[1:])
			if err != nil {
				return err
			}
			set, err := where.readToCall(std.err)
			if err != nil {
				return err
			}
			if fault := set.lockFault(); fault != nil {
				fmt.Fprintln(std.err, "toolspec:", fault) // and the call is refused
			}
			if _, ok := set.registry.Snapshot().Tool(args[0]); !ok && set.lockFault() == nil {
				set.printDiagnostics(std.err) // which may say why
			}
			call := exec.Call{Use: spec.ToolUse{ID: "cli", Name: args[0], Input: raw}, Caller: exec.Caller{Transport: "cli"}, Log: where.warnings}
			if !dry {
				if err := where.requireSandbox(set.env); err != nil {
					return failed(err)
				}
				return set.call(cmd.Context(), call, record, asJSON, std)
			}
			plan, refused := set.registry.Snapshot().Plan(cmd.Context(), call)
			switch {
			case plan == nil:
				return finish(std, refused, asJSON)
			case asJSON:
				return failed(writeJSON(std.out, plan))
			}
			return failed(writePlan(std.out, plan))
		},
		ValidArgsFunction: where.completeName,
	}
	where.flags(cmd)
	where.lockFlags(cmd)
	record.add(cmd)
	where.auditFlag(cmd)
	cmd.Flags().StringVar(&input, "input", "", "the input as a JSON object: JSON, @FILE, or - for standard input")
	cmd.Flags().BoolVar(&dry, "dry-run", false, "print what the call would do, and do nothing")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the whole result as JSON, and nothing else")
	cmd.MarkFlagsMutuallyExclusive("dry-run", "record")
	return cmd
}

// call makes a call, and a test of it if one is wanted.
func (s *set) call(ctx context.Context, call exec.Call, f recordFlags, asJSON bool, std stdio) error {
	recorded, err := s.recording(f, &call)
	if err != nil {
		return err
	}
	result := s.registry.Snapshot().Call(ctx, call)
	err = finish(std, result, asJSON)
	if recorded == nil {
		return err
	}
	return cmp.Or(recorded.write(ctx, result, std), err)
}

// finish prints a result; one of status error ends the command as a failure.
func finish(std stdio, result spec.ToolResult, asJSON bool) error {
	print := writeResult
	if asJSON {
		print = func(std stdio, result spec.ToolResult) error { return writeJSON(std.out, result) }
	}
	if err := print(std, result); err != nil {
		return failed(err)
	}
	if result.Status == spec.StatusError {
		return failure{}
	}
	return nil
}

// readInput is the JSON input that the flag and the single arguments make together. Where there are no arguments it is
// passed on as it is: the tool's own check says what is wrong with it.
func readInput(in io.Reader, flag string, pairs []string) (json.RawMessage, error) {
	raw, err := readFlag(in, flag)
	if err != nil || len(pairs) == 0 {
		return raw, err
	}
	given, err := readPairs(pairs)
	if err != nil {
		return nil, err
	}
	if raw = bytes.TrimSpace(raw); len(raw) == 0 || string(raw) == "null" {
		return writeFields(given)
	}
	fields, err := spec.ReadMembers(raw)
	if err != nil {
		return nil, fmt.Errorf("--input: want a JSON object beside single arguments: %w", err)
	}
	fields = slices.DeleteFunc(fields, func(f spec.Member) bool { return isGiven(given, f.Name) })
	return writeFields(append(fields, given...))
}

// readFlag is what --input says, names or asks for; of what is too long, so much that the tool will say so.
func readFlag(in io.Reader, flag string) ([]byte, error) {
	if path, ok := strings.CutPrefix(flag, "@"); ok {
		file, err := os.Open(path) // #nosec G304 -- what the user names with --input
		if err != nil {
			return nil, fmt.Errorf("--input: %w", err)
		}
		defer file.Close()
		in, flag = file, "-"
	}
	if flag != "-" {
		return []byte(flag), nil
	}
	return io.ReadAll(io.LimitReader(in, spec.MaxInputBytes+1))
}

// readPairs reads key=text and key:=json.
func readPairs(pairs []string) ([]spec.Member, error) {
	var given []spec.Member
	for _, pair := range pairs {
		key, value, ok := strings.Cut(pair, "=")
		if !ok || key == "" || key == ":" {
			return nil, fmt.Errorf("argument %q: want key=text or key:=json", pair)
		}
		encoded, err := json.Marshal(value)
		if name, isJSON := strings.CutSuffix(key, ":"); isJSON {
			key, encoded = name, []byte(value)
			if !json.Valid(encoded) {
				err = errors.New("is not JSON; for a text write " + key + "=" + value)
			}
		}
		if err != nil {
			return nil, fmt.Errorf("argument %q: %w", pair, err)
		}
		if isGiven(given, key) {
			return nil, fmt.Errorf("argument %q: %s is given twice", pair, key)
		}
		given = append(given, spec.Member{Name: key, Value: encoded})
	}
	return given, nil
}

func isGiven(fields []spec.Member, name string) bool {
	return slices.ContainsFunc(fields, func(f spec.Member) bool { return f.Name == name })
}

// writeFields is an object of these fields, in their order and as often as they are there.
func writeFields(fields []spec.Member) (json.RawMessage, error) {
	var b bytes.Buffer
	for i, f := range fields {
		name, err := json.Marshal(f.Name)
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&b, "%s%s:%s", [2]string{"{", ","}[min(i, 1)], name, f.Value)
	}
	return append(b.Bytes(), '}'), nil
}
