package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/toolspec/toolspec/exec"
)

// level is a level of confinement as a flag.
type level exec.Level

func (l *level) String() string { return string(*l) }
func (l *level) Type() string   { return "level" }

func (l *level) Set(text string) error {
	if !slices.Contains(exec.Levels(), exec.Level(text)) {
		return errors.New("want none, landlock, landlock+ns or full, as in --sandbox=full")
	}
	*l = level(text)
	return nil
}

// sandboxFlag gives a command the flag that confines all programs.
func (p *place) sandboxFlag(cmd *cobra.Command) {
	cmd.Flags().Var(&p.sandbox, "sandbox", "confine the programs of all tools, so far at least: landlock, landlock+ns or full; a policy says what they may touch")
	cmd.Flags().Lookup("sandbox").NoOptDefVal = string(exec.LevelLandlock)
	_ = cmd.RegisterFlagCompletionFunc("sandbox", func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return levelNames(), cobra.ShellCompDirectiveNoFileComp
	}) // the flag exists
}

func levelNames() []string {
	var names []string
	for _, l := range exec.Levels() {
		names = append(names, string(l))
	}
	return names
}

// confine raises the level of the policy to that of the flag.
func (p *place) confine(env *exec.Env) {
	have := &env.Policy.Sandbox.Level
	if slices.Index(exec.Levels(), exec.Level(p.sandbox)) > max(slices.Index(exec.Levels(), *have), 0) {
		*have = exec.Level(p.sandbox)
	}
}

// requireSandbox refuses to run anything where a level that must be had is not.
func (p *place) requireSandbox(env *exec.Env) error {
	if p.sandbox == "" && !env.Policy.RequireSandbox {
		return nil
	}
	if err := env.HasSandbox(env.Policy.Sandbox.Level); err != nil {
		return fmt.Errorf("the sandbox that is required (%s) is not to be had here: %w; toolspec doctor says more", env.Policy.Sandbox.Level, err)
	}
	return nil
}

// toldSandbox is the sandbox of a policy.
type toldSandbox struct {
	Level   string   `json:"level"` // empty: only commands whose files ask are confined
	Require bool     `json:"require"`
	Read    []string `json:"read"`
	Write   []string `json:"write"`
	Network bool     `json:"network"`
}

func tellSandbox(p exec.Policy) toldSandbox {
	s := p.Sandbox
	return toldSandbox{string(s.Level), p.RequireSandbox, append([]string{}, s.Read...), append([]string{}, s.Write...), s.Network}
}

func (s toldSandbox) text() string {
	switch s.Level {
	case "":
		return "landlock, for commands whose files ask for one"
	case string(exec.LevelNone):
		return "none, but for commands whose files ask for one"
	}
	text := grantedText(exec.Granted{Level: exec.Level(s.Level), Read: s.Read, Write: s.Write, Network: s.Network})
	if s.Require {
		text += "; required"
	}
	return text
}

// grantedText is what a sandbox lets a program touch, in a line.
func grantedText(g exec.Granted) string {
	parts := []string{string(g.Level)}
	if len(g.Read) > 0 {
		parts = append(parts, "read "+strings.Join(g.Read, " "))
	}
	if len(g.Write) > 0 {
		parts = append(parts, "write "+strings.Join(g.Write, " "))
	}
	if g.Network {
		return strings.Join(append(parts, "network"), ", ")
	}
	return strings.Join(append(parts, "no network"), ", ")
}
