package sandbox_test

import (
	"fmt"

	"github.com/toolspec/toolspec/exec"
	"github.com/toolspec/toolspec/exec/sandbox"
)

// A program that has tools gives their commands a sandbox in one line. Files that ask for one get it; with a level in the
// policy all commands do.
func ExampleNew() {
	env := &exec.Env{Sandbox: sandbox.New()}
	env.Policy = exec.DefaultPolicy()
	env.Policy.Sandbox = exec.Confinement{Level: exec.LevelFull, Read: []string{"/srv/data"}}
	if err := env.HasSandbox(exec.LevelFull); err != nil {
		return // whether to go on is the program's to decide: commands are unavailable
	}
	fmt.Println(len(env.Policy.Sandbox.Read))
}
