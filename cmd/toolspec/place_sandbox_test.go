package main

import (
	"strings"
	"testing"

	"github.com/toolspec/toolspec/exec"
)

// The flag raises the policy's level and never lowers it, and what is required must be had.
func TestSandboxOfTheCommandLine(t *testing.T) {
	for _, c := range []struct {
		flag    level
		policy  exec.Level
		require bool
		want    exec.Level
		refused bool
	}{
		{"", "", false, "", false},
		{"", exec.LevelNone, true, exec.LevelNone, false},
		{"", exec.LevelFull, false, exec.LevelFull, false}, // commands are unavailable, and that is all
		{"", exec.LevelFull, true, exec.LevelFull, true},
		{"landlock", "", false, exec.LevelLandlock, true},
		{"landlock", exec.LevelFull, false, exec.LevelFull, true},
		{"full", exec.LevelLandlock, false, exec.LevelFull, true},
		{"none", exec.LevelLandlock, false, exec.LevelLandlock, true},
		{"none", "", false, "", false},
	} {
		env := &exec.Env{} // it has no sandbox
		env.Policy.Sandbox.Level, env.Policy.RequireSandbox = c.policy, c.require
		p := &place{sandbox: c.flag}
		p.confine(env)
		err := p.requireSandbox(env)
		if env.Policy.Sandbox.Level != c.want || (err != nil) != c.refused {
			t.Errorf("--sandbox=%s, policy %s, require %v: have %s, %v", c.flag, c.policy, c.require, env.Policy.Sandbox.Level, err)
		}
		if err != nil && !strings.HasPrefix(err.Error(), "the sandbox that is required ("+string(c.want)+") is not to be had here: this program has no sandbox") {
			t.Error(err)
		}
	}
}
