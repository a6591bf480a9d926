package spec

import "time"

// Spec is a tool file, read: pure data, never changed once parsed.
type Spec struct {
	Name        string
	Title       string
	Description string
	Tags        []string
	Input       *Schema // nil when the file gives none: the executor then says what its input is
	Output      *Schema // nil when the file gives none
	Annotations Annotations
	Timeout     time.Duration // 0 when the file gives none
	Limits      Limits
	Requires    Requires
	Kind        string  // the executor's one key: command, http, expr, func, pipeline
	Config      Section // what stands under that key
	Result      Section // how the value becomes content; absent for automatic conversion
	Tests       Section // calls and what must come of them; absent when the file has none
	Pos         Pos     // of the name
	Digest      string  // over contract and executor, written canonically: comments, white space, key order and tests do not count

	root Section // the whole file
}

// At is the place of what a JSON pointer names in the file, such as /timeout; of its nearest parent where there is none.
func (s *Spec) At(pointer string) Pos { return s.root.At(pointer) }

// Root is the whole file.
func (s *Spec) Root() Section { return s.root }

// InputSchema is the schema of the input as the file has it, without the json that may be around it; absent if it has none.
func (s *Spec) InputSchema() Section { return unwrapSchema(s.root.Get("inputSchema")) }

// OutputSchema is the schema of the value as the file has it, without the json that may be around it; absent if it has none.
func (s *Spec) OutputSchema() Section { return unwrapSchema(s.root.Get("outputSchema")) }

// Draft tells whether the file has errors: nothing can be called that comes of it.
func (s *Spec) Draft() bool { return s.Digest == "" }

// Annotations are MCP's hints about a tool; nil where the file says nothing.
type Annotations struct {
	ReadOnly    *bool `spec:"readOnlyHint" json:"readOnlyHint,omitempty" doc:"The tool changes nothing."`
	Destructive *bool `spec:"destructiveHint" json:"destructiveHint,omitempty" doc:"The tool may destroy or overwrite what was there."`
	Idempotent  *bool `spec:"idempotentHint" json:"idempotentHint,omitempty" doc:"A second call with the same input changes nothing more."`
	OpenWorld   *bool `spec:"openWorldHint" json:"openWorldHint,omitempty" doc:"The tool touches things beyond this machine."`
}

// Requires is what a machine must have for the tool to work. Where it is not met the tool is unavailable, with the
// reason.
type Requires struct {
	Commands []Text `spec:"commands" doc:"Programs that must be found on PATH."`
	Env      []Text `spec:"env" doc:"Environment variables that must be set."`
	OS       []Text `spec:"os" doc:"Operating systems the tool works on, as Go names them: linux, darwin, windows."`
}

// Limits is how many calls of a tool may run at once, and how many may begin in a time; zero where the file says nothing.
type Limits struct {
	Concurrency Count `spec:"concurrency" doc:"How many calls may run at once; the others wait."`
	Rate        Rate  `spec:"rate" doc:"How many calls may begin in a time, such as 10/s, 5/m or 300/h; the others wait."`
}
