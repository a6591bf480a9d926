package main

import (
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/toolspec/toolspec/exec"
	"github.com/toolspec/toolspec/exec/keyring"
	"github.com/toolspec/toolspec/exec/sandbox"
)

// policyFlag gives a command the flag that names the operator's policy.
func (p *place) policyFlag(cmd *cobra.Command) {
	cmd.Flags().Var((*file)(&p.policy), "policy", "the operator's policy: a file, outside the tools directories, that says what tools may touch")
	_ = cmd.MarkFlagFilename("policy", "yaml", "yml", "json") // the flag exists
	p.sandboxFlag(cmd)
	cmd.Flags().BoolVar(&p.worldWritable, "allow-world-writable", false, "read tool files and scripts that every user of the machine may write, as on mounts that show all files so")
}

// environment is what tools get, under the operator's policy, which is read once. Whoever writes tool files must not be able
// to write it.
func (p *place) environment(log *slog.Logger, dirs []string) (*exec.Env, error) {
	env := environment(log)
	if p.alone {
		way, err := holdWay(os.Getenv(holdVariable))
		if err != nil {
			return nil, err
		}
		env.Hold, p.env = way, env
	}
	env.Protected = dirs
	if p.watch.Pin != "" {
		env.Protected = append(env.Protected[:len(dirs):len(dirs)], p.watch.Pin)
	}
	env.Policy.WorldWritable = p.worldWritable
	if p.policy == "" {
		p.confine(env)
		return env, nil
	}
	for _, dir := range dirs {
		if isDir, err := isDirectory(dir); err == nil && isDir && within(p.policy, dir) {
			return nil, fmt.Errorf("the policy %s lies in the tools directory %s, where whoever writes tools could change it; put it elsewhere", p.policy, dir)
		}
	}
	policy, ds := exec.StandardKinds().LoadPolicy(p.policy)
	if err := ds.Err(); err != nil {
		return nil, fmt.Errorf("the policy cannot be used:\n%w", err)
	}
	policy.Secrets.AskKeyring = keyring.New().Get
	env.Policy = policy
	p.confine(env)
	env.Policy.WorldWritable = p.worldWritable
	return env, nil
}

// holdVariable is the variable that names the best way in which the processes of a call may be kept together.
const holdVariable = "TOOLSPEC_HOLD"

func holdWay(text string) (exec.HoldWay, error) {
	ways := []exec.HoldWay{exec.HoldGroup, exec.HoldAdopt, exec.HoldCgroup}
	switch way := exec.HoldWay(text); {
	case text == "":
		return exec.HoldCgroup, nil
	case slices.Contains(ways, way):
		return way, nil
	}
	return "", fmt.Errorf("%s: want one of %s, %s, %s, have %q", holdVariable, ways[0], ways[1], ways[2], text)
}

// close ends what is left of any call.
func (p *place) close() {
	if p.env != nil {
		p.env.Close()
	}
	if p.trail != nil {
		_ = p.trail.Close() // what it could not write, it has said
	}
}

func environment(log *slog.Logger) *exec.Env {
	return &exec.Env{Policy: exec.DefaultPolicy(), Funcs: functions(), Log: log, Sandbox: sandbox.New()}
}

// within tells whether a file lies in a directory, by its path or by where links lead.
func within(file, dir string) bool {
	for _, pair := range [][2]string{{absolute(file), absolute(dir)}, {resolved(file), resolved(dir)}, {filepath.Join(resolved(filepath.Dir(file)), filepath.Base(file)), resolved(dir)}} {
		rel, err := filepath.Rel(pair[1], pair[0])
		if err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
			return true
		}
	}
	return false
}

func absolute(path string) string {
	if abs, err := filepath.Abs(path); err == nil {
		return abs
	}
	return path
}

// resolved is where a path leads, or would lead: a link may name what is not there yet.
func resolved(path string) string {
	path = absolute(path)
	for range 40 { // as many links as the system follows
		if to, err := filepath.EvalSymlinks(path); err == nil {
			return to
		}
		dir, err := filepath.EvalSymlinks(filepath.Dir(path))
		if err != nil {
			return path
		}
		path = filepath.Join(dir, filepath.Base(path))
		to, err := os.Readlink(path)
		if err != nil {
			return path
		}
		if !filepath.IsAbs(to) {
			to = filepath.Join(dir, to)
		}
		path = to
	}
	return path
}
