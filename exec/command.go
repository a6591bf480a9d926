package exec

import (
	"context"
	"path"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/toolspec/toolspec/spec"
)

// commandConfig is the section of the kind command.
type commandConfig struct {
	Argv         []argvItem           `spec:"argv,one" doc:"The program and its arguments. A list repeats its entry; a null drops it."`
	Shell        spec.Text            `spec:"shell,one" doc:"Text for sh -c. It is no template: values come as INPUT_NAME from the environment."`
	Cwd          spec.Text            `spec:"cwd" doc:"Where the program runs; default and start of a relative path: dir.work."`
	Stdin        spec.Text            `spec:"stdin" doc:"What the program reads; default: nothing."`
	Env          map[string]spec.Text `spec:"env" doc:"Variables beside PATH, HOME, LANG, LC_*, TZ, TMPDIR and TERM."`
	Output       outputFormat         `spec:"output" doc:"How standard output becomes the value: text (default), json, jsonl, csv, lines or bytes."`
	SuccessCodes []int                `spec:"successCodes" doc:"Exit codes that are no error; default: 0."`
	Sandbox      sandboxConfig        `spec:"sandbox" doc:"Confines the program to the system's programs and libraries, the tool's directory, its scratch directory and what is listed."`
}

// Words are what people bring from elsewhere.
func (*commandConfig) Words() map[string]string {
	return map[string]string{
		"":       "write command: {argv: [program, argument]}, or command: {shell: …} for a line of shell",
		"stderr": `it is the end of an error's text; to have it with stdout write argv: [sh, -c, 'exec program "$@" 2>&1', _, argument]`,
		"cmd":    "argv", "command": "argv", "args": "argv", "arguments": "argv", "program": "argv", "exec": "argv", "entrypoint": "argv",
		"run": "shell", "script": "shell", "sh": "shell", "bash": "shell",
		"dir": "cwd", "workdir": "cwd", "working_dir": "cwd", "workingDir": "cwd", "workingDirectory": "cwd",
		"environment": "env", "input": "stdin", "format": "output", "stdout": "output",
		"exitCodes": "successCodes", "exit_codes": "successCodes", "success_codes": "successCodes",
		"timeout": "timeout stands at the top of the file, beside executor",
	}
}

// Grammars says what the types of these keys do not.
func (*commandConfig) Grammars() map[string]spec.Grammar {
	return map[string]spec.Grammar{
		"argv":         {"minItems": 1},
		"env":          {"propertyNames": spec.Grammar{"pattern": envName.String()}},
		"successCodes": {"minItems": 1, "items": spec.Grammar{"type": "integer", "minimum": 0}},
	}
}

// commandExecutor runs a program: each value one argument, byte for byte, and no shell between.
type commandExecutor struct {
	env          *Env
	program      string // absolute, fixed when the file is read; empty where it was not found
	name         string // as the file has it
	entries      []argvEntry
	isShell      bool
	shell        string
	variables    []inputVariable
	cwd          pathTemplate
	stdin        *Template
	inherited    []string
	pairs        []envPair
	output       outputFormat
	successCodes map[int]bool
	sandbox      *Confinement // nil: it is not confined
	granted      *Granted     // what the file or the policy grants; nil: it is not confined
}

// newCommand is the kind command.
func newCommand(site *Site, config spec.Section) (Executor, spec.Diagnostics) {
	c := commandConfig{Output: outputText, SuccessCodes: []int{0}}
	ds := config.Decode(&c)
	x := &commandExecutor{env: site.Env, inherited: site.Env.Policy.inheritedEnv(), output: c.Output, successCodes: map[int]bool{}}
	hasArgv, hasShell := !config.Get("argv").IsZero(), !config.Get("shell").IsZero()
	switch {
	case hasArgv && hasShell: // said by Decode
	case hasArgv:
		ds = append(ds, x.buildArgv(site, c.Argv, config.Get("argv"), toolDir.MatchString(c.Cwd.Value))...)
	case hasShell:
		ds = append(ds, x.buildShell(site, c.Shell, config.Get("shell"))...)
	}
	var faults spec.Diagnostics
	x.cwd, faults = site.compilePath(config.Get("cwd"), c.Cwd)
	ds = append(ds, faults...)
	x.stdin, faults = site.Template(c.Stdin)
	ds = append(ds, faults...)
	x.pairs, faults = site.compileEnv(config.Get("env"), x.variables)
	ds = append(ds, faults...)
	ds = append(ds, x.readSuccessCodes(c.SuccessCodes, config.Get("successCodes"))...)
	ds = append(ds, x.confine(site, config.Get("sandbox"), c.Sandbox)...)
	if ds.HasErrors() {
		return nil, ds
	}
	return x, ds
}

func (x *commandExecutor) readSuccessCodes(codes []int, at spec.Section) spec.Diagnostics {
	if at.Form() == spec.FormList && len(at.Items()) == 0 {
		return spec.Diagnostics{at.Errorf("command", "want the exit codes that are no error, such as [0, 1], have none")}
	}
	for i, code := range codes {
		x.successCodes[code] = true
		if code < 0 {
			return spec.Diagnostics{at.Items()[i].Errorf("command", "want an exit code, from 0 on, have %d", code)}
		}
	}
	return nil
}

// buildArgv compiles argv, and fixes the program that it names, and what of the tool's directory it is given; standsThere says that the
// program runs in it.
func (x *commandExecutor) buildArgv(site *Site, items []argvItem, at spec.Section, standsThere bool) spec.Diagnostics {
	if len(items) == 0 {
		if at.Form() != spec.FormList {
			return nil // said by Decode
		}
		return spec.Diagnostics{at.Errorf("argv", "want the program and its arguments, have an empty list")}
	}
	entries, ds := site.compileArgv(items)
	all := allArguments(entries)
	if ds.HasErrors() || len(all) == 0 || len(entries[0].args) == 0 {
		return ds
	}
	ds = append(ds, checkCode(all)...)
	literal, ok := entries[0].args[0].text.literal()
	if !ok || entries[0].isList || strings.TrimSpace(literal) == "" {
		return append(ds, items[0].at.Errorf("argv", "want the program as literal text: a name on PATH, or a path from the tool file's directory such as ./run.sh"))
	}
	x.name, x.entries = literal, entries[1:]
	x.program = site.fixProgram(literal)
	for i, a := range all[1:] {
		text, _ := a.at.Text()
		literal, isLiteral := a.text.literal()
		switch script, alone := namedBeside(text.Value); {
		case alone:
			site.countScript(script, i == 0)
		case script != "":
			site.countIfScript(script)
		case isLiteral && standsThere:
			site.countIfScript(literal)
		}
	}
	return ds
}

// buildShell takes the text as it is.
func (x *commandExecutor) buildShell(site *Site, text spec.Text, at spec.Section) spec.Diagnostics {
	variables, ds := inputVariables(site.Spec.Input, at)
	if _, ok := at.Text(); ok && strings.TrimSpace(text.Value) == "" {
		ds = append(ds, at.Errorf("shell", "want what the shell is to run, have a text that is empty"))
	}
	ds = append(ds, checkShell(text, at)...)
	if strings.IndexByte(text.Value, 0) >= 0 {
		ds = append(ds, at.Errorf("shell", "no shell text can hold a NUL character"))
	}
	x.isShell, x.shell, x.variables = true, text.Value, variables
	x.name = "sh"
	x.program = site.fixProgram("sh")
	return ds
}

// fixProgram is the program's absolute path; where there is none, the tool is unavailable. A script counts in the
// digest.
func (s *Site) fixProgram(name string) string {
	found, err := s.findProgram(name)
	if err != nil {
		s.Unavailable("it runs the command " + err.Error())
		return ""
	}
	if filepath.Base(name) != name {
		s.CountScript(found)
		s.checkInterpreter(name, found)
	}
	return found
}

// checkInterpreter says that a tool cannot work whose script nothing here can run.
func (s *Site) checkInterpreter(name, script string) {
	if runtime.GOOS == "windows" {
		return // it does not look at a script's first line
	}
	if _, err := s.findInterpreter(script); err != nil {
		s.Unavailable("it runs the script " + name + ", whose first line names " + err.Error())
	}
}

// Execute runs the program and waits for its end.
func (x *commandExecutor) Execute(ctx context.Context, call *Call) (any, error) {
	p, err := x.ready(ctx, call)
	if err != nil {
		return nil, err
	}
	out, err := p.answer(ctx, call)
	if err != nil {
		return nil, err
	}
	call.hear(func() Answer { return out.heard(call) })
	if out.stdout.lost() > 0 && call.cut != nil {
		*call.cut = true
	}
	if call.watched() {
		call.Show("process", out.vars())
	}
	if err := out.fault(ctx, x.successCodes); err != nil {
		return nil, err
	}
	return out.value(x.output)
}

// ready is the process to be started, told of.
func (x *commandExecutor) ready(ctx context.Context, call *Call) (*process, error) {
	p, err := x.prepare(ctx, call)
	if err == nil {
		call.tell(p.plan)
	}
	return p, err
}

// answer is what the process leaves behind, or what a stub says of it.
func (p *process) answer(ctx context.Context, call *Call) (*ending, error) {
	if call.Stub != nil {
		return call.Stub.process(call, p)
	}
	return p.run(ctx, call.Progress)
}

// prepare is everything up to the start: what would run, and nothing has.
func (x *commandExecutor) prepare(ctx context.Context, call *Call) (*process, error) {
	p := x.begin(call)
	var err error
	if p.dir, err = x.workingDir(ctx, call); err != nil {
		return nil, err
	}
	if p.stdin, _, err = x.stdin.text(ctx, call.Vars()); err != nil {
		return nil, err
	}
	input, err := inputEnv(call.Args, x.variables, x.shell)
	if err != nil {
		return nil, err
	}
	if p.env, err = evalEnv(ctx, call.Vars(), x.pairs, append(p.env, input...)); err != nil {
		return nil, err
	}
	if x.isShell {
		p.name, p.argv = "the shell", append(p.argv, "-c", x.shell)
		return p, nil
	}
	for _, e := range x.entries {
		if p.argv, err = e.expand(ctx, call.Vars(), p.argv); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// begin is the process before anything of the call's input is in it.
func (x *commandExecutor) begin(call *Call) *process {
	p := &process{name: x.name, path: x.program, argv: []string{x.program}, read: int(x.env.Policy.Defaults.Read), vault: call.vault, hold: x.env.holds.take}
	p.exact = call.Answered != nil
	p.isText = !p.exact && (x.output == outputText || x.output == outputLines || x.output == outputCSV)
	p.env = x.inherited[:len(x.inherited):len(x.inherited)]
	if call.Stub != nil {
		p.path, p.env = x.name, call.Stub.inherited()
	}
	if x.program == "" { // it was not found, and is only planned
		p.path = x.name
	}
	p.inherited = len(p.env)
	if x.sandbox != nil {
		p.confine(x.env.Sandbox, x.sandbox, x.granted, call)
	}
	if call.Stub != nil || x.program == "" || filepath.Base(x.name) == x.name {
		p.argv[0] = x.name // some programs do by it
	}
	return p
}

// workingDir is cwd from dir.work. What a call has a say in must be there, and within the directory that the file names.
func (x *commandExecutor) workingDir(ctx context.Context, call *Call) (string, error) {
	within, dir, _, err := x.cwd.place(ctx, call.Vars(), x.env.WorkDir)
	switch {
	case err != nil:
		return "", err
	case strings.IndexByte(dir, 0) >= 0:
		return "", spec.NewError(spec.CodeInvalidInput, "the directory to work in would hold a NUL character")
	}
	if within != "" && call.Stub == nil {
		if err := x.cwd.findDirectory(within, dir); err != nil {
			return "", err
		}
	}
	if dir = filepath.Join(within, dir); filepath.IsAbs(dir) {
		return dir, nil
	}
	if call.Stub != nil {
		return path.Join(stubWorkDir, dir), nil
	}
	return filepath.Join(x.env.WorkDir, dir), nil
}
