package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/toolspec/toolspec/exec"
	"github.com/toolspec/toolspec/spec"
)

func callCommand(std stdio, where *place) *cobra.Command {
	var input string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "call NAME [key=text | key:=json]...",
		Short: "Call one tool and print its result",
		Long: `Call one tool and print its result.

Arguments are given as key=text or key:=json; or all at once as a JSON object with --input, from the
command line, from a file (@FILE) or from standard input (-). Both together: single arguments win.`,
		Example: `  toolspec call -d tools weather city=Oslo days:=3
  toolspec call -d tools weather --input '{"city": "Oslo"}' --json
  echo '{"city": "Oslo"}' | toolspec call -d tools weather --input -`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			raw, err := readInput(std.in, input, args[1:])
			if err != nil {
				return err
			}
			set, err := where.read()
			if err != nil {
				return err
			}
			result := set.registry.Snapshot().Call(cmd.Context(), exec.Call{
				Use: spec.ToolUse{ID: "cli", Name: args[0], Input: raw},
			})
			if asJSON {
				err = writeJSON(std.out, result)
			} else {
				err = writeResult(std, result)
			}
			if err == nil && result.Status == spec.StatusError {
				return failure{}
			}
			return err
		},
		ValidArgsFunction: where.completeName,
	}
	where.flags(cmd)
	cmd.Flags().StringVar(&input, "input", "", "the input as a JSON object: JSON, @FILE, or - for standard input")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the whole result as JSON, and nothing else")
	return cmd
}

// readInput is the JSON input that the flag and the single arguments make together. What is not JSON is passed on as
// it is: the tool's own check says what is wrong with it.
func readInput(in io.Reader, flag string, pairs []string) (json.RawMessage, error) {
	raw := []byte(flag)
	var err error
	switch {
	case flag == "-":
		raw, err = io.ReadAll(io.LimitReader(in, spec.MaxInputBytes+1))
	case strings.HasPrefix(flag, "@"):
		raw, err = os.ReadFile(flag[1:])
	}
	if err != nil || len(pairs) == 0 {
		return raw, err
	}
	given := map[string]json.RawMessage{}
	if len(bytes.TrimSpace(raw)) > 0 {
		if err := json.Unmarshal(raw, &given); err != nil {
			return nil, fmt.Errorf("--input: want a JSON object, %w", err)
		}
	}
	if err := setPairs(given, pairs); err != nil {
		return nil, err
	}
	return json.Marshal(given)
}

// setPairs puts key=text and key:=json into an input.
func setPairs(given map[string]json.RawMessage, pairs []string) error {
	seen := map[string]bool{}
	for _, pair := range pairs {
		key, value, ok := strings.Cut(pair, "=")
		if !ok || key == "" || key == ":" {
			return fmt.Errorf("argument %q: want key=text or key:=json", pair)
		}
		encoded, err := json.Marshal(value)
		if name, isJSON := strings.CutSuffix(key, ":"); isJSON {
			key, encoded = name, []byte(value)
			if !json.Valid(encoded) {
				err = errors.New("is not JSON; for a text write " + key + "=" + value)
			}
		}
		if err != nil {
			return fmt.Errorf("argument %q: %w", pair, err)
		}
		if seen[key] {
			return fmt.Errorf("argument %q: %s is given twice", pair, key)
		}
		seen[key], given[key] = true, encoded
	}
	return nil
}
