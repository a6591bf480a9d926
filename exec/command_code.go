package exec

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/toolspec/toolspec/spec"
)

// interpreter is a program that runs code given to it as an argument: how to find that argument, and how values reach
// the code without becoming part of it.
type interpreter struct {
	code    string   // letters of the options whose argument is code; they may stand in a bundle: -lc
	long    []string // the long ones
	takes   string   // letters whose argument is the next one, if it is not attached
	holds   string   // letters whose argument is always attached
	ends    string   // letters after which there is no code: a file or a module is named
	operand int      // which operand is code, from 1, even without an option; 0: none
	flagged bool     // the option only says that the first operand is code, as in sh -c -e CODE
	rest    bool     // the operands after the code are code too
	mixed   bool     // options may stand behind operands
	abbrev  bool     // the long ones may be cut short
	closed  bool     // a number, or a text that stands in the file, is fine in the code
	query   bool     // code that is one slot is fine: a query is asked for, and no value becomes a part of one
	value   string   // how the code names a value that is passed beside it
	safe    string   // what to write instead, if it is not an argument after the code
}

var (
	shellCode = interpreter{code: "c", takes: "oO", flagged: true, value: `"$1"`}
	awkCode   = interpreter{operand: 1, code: "e", long: []string{"--source"}, takes: "Fvil", ends: "fE", safe: "[awk, -v, 'x=${input.x}', '… x …']"}
	suCode    = interpreter{code: "c", long: []string{"--command", "--session-command"}, takes: "gGsTw", mixed: true, safe: "env: {X: '${input.x}'} and \"$X\""}
	psCode    = interpreter{long: []string{"-command", "/command", "-encodedcommand", "-ec"}, abbrev: true, rest: true, safe: "env: {X: '${input.x}'} and $env:X"}
	sedCode   = interpreter{operand: 1, code: "e", long: []string{"--expression"}, takes: "l", holds: "i", ends: "f", closed: true, safe: `[perl, -pe, 's/\Q$ENV{X}\E/…/', …] and env: {X: '${input.x}'}`}
	nodeCode  = interpreter{code: "ep", long: []string{"--eval", "--print"}, takes: "rC", value: "process.argv[1]"}
	editCode  = interpreter{code: "cS", long: []string{"--cmd"}, mixed: true, safe: "env: {X: '${input.x}'} and $X"}
	pyCode    = interpreter{code: "c", takes: "WXQ", ends: "m", value: "sys.argv[1]"}
	mysqlCode = interpreter{code: "e", long: []string{"--execute", "--init-command"}, takes: "DhPSu", holds: "p", mixed: true, query: true, closed: true, safe: "the query as one slot, '${input.query}'; mysql has no parameters, and its queries can run commands"}
	jqCode    = interpreter{operand: 1, takes: "fL", ends: "f", query: true, closed: true, safe: "[jq, --arg, x, '${input.x}', '… $x …', …]"}
)

// interpreters by name, without version and extension.
var interpreters = map[string]interpreter{
	"sh": shellCode, "bash": shellCode, "dash": shellCode, "zsh": shellCode, "ksh": shellCode, "mksh": shellCode,
	"ash": shellCode, "yash": shellCode, "rbash": shellCode,
	"fish": {code: "cC", long: []string{"--command", "--init-command"}, value: "$argv[1]"},
	"csh":  {code: "c", value: "$1:q"},
	"tcsh": {code: "c", value: "$1:q"},
	"su":   suCode, "runuser": suCode,
	"python": pyCode, "pypy": pyCode, "ipython": pyCode,
	"node": nodeCode, "nodejs": nodeCode, "tsx": nodeCode, "ts-node": nodeCode,
	"sed": sedCode, "gsed": sedCode,
	"vi": editCode, "vim": editCode, "nvim": editCode, "ex": editCode,
	"deno":      {long: []string{"eval"}, safe: "env: {X: '${input.x}'} and Deno.env.get('X')"},
	"bun":       {code: "ep", long: []string{"--eval", "--print"}, takes: "r", value: "process.argv[1]"},
	"perl":      {code: "eEMmF", takes: "I", holds: "iCDxV", value: "$ARGV[0]"},
	"ruby":      {code: "e", takes: "IrC", holds: "FEKTWxi", value: "ARGV[0]"},
	"php":       {code: "rBRE", long: []string{"--run", "--process-begin", "--process-code", "--process-end"}, takes: "dcz", ends: "fF", value: "$argv[1]"},
	"lua":       {code: "e", takes: "l", safe: "env: {X: '${input.x}'} and os.getenv('X')"},
	"luajit":    {code: "e", takes: "lj", safe: "env: {X: '${input.x}'} and os.getenv('X')"},
	"r":         {code: "e", safe: "env: {X: '${input.x}'} and Sys.getenv('X')"},
	"expect":    {code: "c", safe: "env: {X: '${input.x}'} and $env(X)"},
	"emacs":     {long: []string{"--eval", "-eval", "--execute"}, mixed: true, safe: "env: {X: '${input.x}'} and (getenv \"X\")"},
	"gdb":       {long: []string{"-ex", "--ex", "-iex", "--eval-command"}, mixed: true, safe: "env: {X: '${input.x}'}"},
	"make":      {long: []string{"--eval"}, mixed: true, safe: "env: {X: '${input.x}'} and $(X)"},
	"script":    {code: "c", long: []string{"--command"}, takes: "BEIOTm", mixed: true, safe: "env: {X: '${input.x}'} and \"$X\""},
	"flock":     {code: "c", long: []string{"--command"}, takes: "wE", mixed: true, safe: "[flock, FILE, program, '${input.x}']"},
	"nix-shell": {long: []string{"--run", "--command"}, mixed: true, safe: "env: {X: '${input.x}'} and \"$X\""},
	"npx":       {code: "c", long: []string{"--call"}, takes: "p", safe: "[npx, program, '${input.x}']"},
	"rsync":     {code: "e", takes: "fTBM", mixed: true, safe: "[rsync, -e, ssh, …]"},
	"rscript":   {code: "e", value: "commandArgs(TRUE)[1]"},
	"julia":     {code: "eE", long: []string{"--eval", "--print"}, takes: "LJCptHO", value: "ARGS[1]"},
	"elixir":    {code: "e", long: []string{"--eval", "--rpc-eval"}, value: "hd(System.argv())"},
	"groovy":    {code: "e", value: "args[0]"},
	"raku":      {code: "e", takes: "I", value: "@*ARGS[0]"},
	"guile":     {code: "c", takes: "L", value: "(cadr (command-line))"},
	"osascript": {code: "e", takes: "ls", value: "item 1 of argv"},
	"mysql":     mysqlCode, "mariadb": mysqlCode,
	"psql":    {code: "c", long: []string{"--command"}, takes: "dfhLopPRTUv", mixed: true, query: true, closed: true, safe: "[psql, -v, 'x=${input.x}', …] and stdin: \"… :'x' …\""},
	"sqlite":  {operand: 2, long: []string{"-cmd", "--cmd"}, query: true, closed: true, safe: "the query as one slot, '${input.query}', with -readonly and -safe"},
	"duckdb":  {code: "cs", takes: "f", mixed: true, query: true, closed: true, safe: "the query as one slot, '${input.query}', with -readonly"},
	"mongosh": {long: []string{"--eval"}, mixed: true, safe: "env: {X: '${input.x}'} and process.env.X"},
	"jq":      jqCode, "gojq": jqCode, "jaq": jqCode,
	"awk": awkCode, "gawk": awkCode, "mawk": awkCode, "nawk": awkCode, "original-awk": awkCode,
	"powershell": psCode, "pwsh": psCode,
	"cmd":   {long: []string{"/c", "/k", "/r"}, rest: true, safe: "env: {X: '${input.x}'}"},
	"ssh":   {operand: 2, takes: "BbcDEeFIiJLlmOoPpQRSWw", rest: true, safe: "stdin: '${input.x}', read by the command there"},
	"watch": {operand: 1, takes: "nq", rest: true, safe: "env: {X: '${input.x}'} and \"$X\""},
	"env":   {code: "S", long: []string{"--split-string"}, takes: "uC", safe: "each argument in an entry of its own"},
}

// wrappers are programs that run another one named by their arguments.
var wrappers = []string{
	"env", "sudo", "doas", "timeout", "xargs", "nice", "nohup", "setsid", "time", "stdbuf", "ionice", "chrt", "taskset",
	"flock", "unshare", "nsenter", "chroot", "runuser", "setpriv", "busybox", "strace", "ltrace", "find", "docker",
	"podman", "kubectl", "systemd-run", "firejail", "bwrap", "tini", "dumb-init", "gosu", "caffeinate", "parallel",
	"sshpass", "mosh",
}

// programName is the name by which a program is known: without directory, extension and version.
func programName(argv0 string) string {
	name := path.Base(strings.ReplaceAll(argv0, `\`, "/"))
	name = strings.TrimSuffix(strings.ToLower(name), ".exe")
	return strings.TrimRight(strings.TrimSuffix(name, "-static"), "0123456789.-")
}

// checkCode refuses templates within code, and where they would choose the program.
func checkCode(args []argument) spec.Diagnostics {
	args = splitStrings(args)
	return slices.Concat(checkInterpreters(args), checkPrograms(args), checkCommandOptions(args))
}

// checkInterpreters refuses templates within code. An interpreter's option is looked for after its name wherever that stands;
// an operand only where the name is certain to be a program's.
func checkInterpreters(args []argument) spec.Diagnostics {
	var ds spec.Diagnostics
	for i, a := range args {
		literal, ok := a.text.literal()
		if !ok {
			continue
		}
		name := programName(literal)
		in, known := interpreters[name]
		if !known {
			continue
		}
		if i > 0 && !slices.Contains(wrappers, programName(firstLiteral(args))) {
			in.operand = 0
		}
		for _, code := range in.codeArguments(args[i+1:]) {
			if !code.text.isLiteral(in.closed) && !(in.query && code.text.whole()) {
				ds = append(ds, code.at.Errorf("code", "a template must not stand in code that %s runs: whoever fills it in writes the code; write %s", name, in.instead(literal, code.text)))
			}
		}
	}
	return ds
}

func firstLiteral(args []argument) string {
	literal, _ := args[0].text.literal()
	return literal
}

// instead is the safe form of a code argument.
func (in interpreter) instead(program string, code *Template) string {
	if in.safe != "" {
		return in.safe
	}
	script, slots := code.numbered()
	if in.flagged {
		return fmt.Sprintf("[%s, -%s, '%s', _, %s], or the code under shell: with \"$INPUT_X\"", program, in.code[:1], script, strings.Join(slots, ", "))
	}
	return fmt.Sprintf("[%s, -%s, '… %s …', %s], or hand the value over by env or stdin", program, in.code[:1], in.value, slots[0])
}

// numbered is the template's text as a shell reads it with "$1", "$2", … in place of its slots, one line of it; and
// the slots, as list entries.
func (t *Template) numbered() (script string, slots []string) {
	var b strings.Builder
	for _, p := range t.parts {
		if p.expr == nil {
			b.WriteString(p.literal)
			continue
		}
		slots = append(slots, "'${"+p.expr.source+"}'")
		fmt.Fprintf(&b, `"$%d"`, len(slots))
	}
	line, _, more := strings.Cut(strings.TrimSpace(b.String()), "\n")
	for i := range slots {
		quoted := fmt.Sprintf(`"$%d"`, i+1)
		line = strings.NewReplacer(`"`+quoted+`"`, quoted, `'`+quoted+`'`, quoted).Replace(line)
	}
	if more {
		line += " …"
	}
	return line, slots
}

// codeArguments finds the arguments that are code among those after the interpreter's name.
func (in interpreter) codeArguments(args []argument) []argument {
	s := codeScan{in: in}
	for i := 0; i < len(args) && !s.done; i++ {
		s.next(args[i])
	}
	return s.code
}

// codeScan reads an interpreter's arguments as the interpreter would.
type codeScan struct {
	in       interpreter
	code     []argument
	pending  pendingArgument
	flagged  bool // the option of a flagged interpreter was there
	closed   bool // behind --
	operands int
	done     bool
}

// pendingArgument is what the option before says of the next argument.
type pendingArgument uint8

const (
	pendingNothing pendingArgument = iota
	pendingCode
	pendingValue
)

// valuedOptions are long options whose argument is the next one.
var valuedOptions = []string{"--rcfile", "--init-file", "--require", "--import", "--loader", "--experimental-loader", "--conditions", "--include", "--assign", "--file", "--field-separator", "--unset", "--chdir", "--user", "--group", "--interval", "--check-hash-based-pycs"}

func (s *codeScan) next(a argument) {
	text, isLiteral := a.text.prefix()
	options := !s.closed && (s.operands == 0 || s.in.mixed)
	switch {
	case s.pending == pendingCode:
		s.code, s.pending = append(s.code, a), pendingNothing
		s.in.operand = 0
	case s.pending == pendingValue:
		s.pending = pendingNothing
	case options && isLiteral && text == "--":
		s.closed = true
	case options && s.longCode(text, a):
	case options && strings.HasPrefix(text, "--"):
		if slices.Contains(valuedOptions, text) {
			s.pending = pendingValue
		}
	case options && len(text) > 1 && (text[0] == '-' || text[0] == '+'):
		s.letters(text[1:], isLiteral, a)
	case options && !s.flagged && a.text.whole() && a.text.parts[0].expr.fromFile():
		s.chosenOption(a)
	case options && strings.HasPrefix(text, "/") && slices.Contains(s.in.long, "/c"): // an option of Windows
	default:
		s.operand(a)
	}
}

var quotedOption = regexp.MustCompile("[\"'`]([-+/][^\"'`]*)[\"'`]")

// chosenOption reads an option that is there or not, or one of several.
func (s *codeScan) chosenOption(a argument) {
	source := a.text.parts[0].expr.source
	options := quotedOption.FindAllStringSubmatch(source, -1)
	if len(options) == 0 && strings.ContainsAny(source, "\"'`") {
		s.operand(a)
	}
	for _, m := range options {
		if !s.longCode(m[1], a) && m[1][0] != '/' && !strings.HasPrefix(m[1], "--") {
			s.letters(m[1][1:], true, a)
		}
	}
}

// isLong tells whether a text is one of the long options that are followed by code.
func (in interpreter) isLong(text, long string) bool {
	if in.abbrev && len(text) > 1 && len(text) < len(long) {
		long = long[:len(text)]
	}
	return strings.EqualFold(text, long)
}

// longCode reads an option such as --eval CODE, --eval=CODE, or /c and code to the end.
func (s *codeScan) longCode(text string, a argument) bool {
	for _, long := range s.in.long {
		switch {
		case s.in.isLong(text, long) && s.in.rest:
			s.closed, s.in.operand = true, s.operands+1
			return true
		case s.in.isLong(text, long):
			s.pending = pendingCode
			return true
		case strings.HasPrefix(text, long+"="):
			s.code, s.in.operand = append(s.code, a), 0
			return true
		}
	}
	return false
}

// letters reads short options that stand together.
func (s *codeScan) letters(letters string, isLiteral bool, a argument) {
	for i, letter := range letters {
		attached := strings.Trim(letters[i+1:], s.in.code) != "" || !isLiteral // -pe is -p -e
		isCode := strings.ContainsRune(s.in.code, letter)
		takes := strings.ContainsRune(s.in.takes, letter)
		switch {
		case isCode && s.in.flagged:
			s.flagged = true
		case takes && s.in.flagged: // as in -euo pipefail, and even -oe pipefail
			s.pending = pendingValue
		case isCode && attached:
			s.code, s.in.operand = append(s.code, a), 0
			return
		case isCode:
			s.pending = pendingCode
			return
		case takes && isLiteral && i+1 == len(letters):
			s.pending = pendingValue
			return
		case strings.ContainsRune(s.in.ends, letter):
			s.done = true
			return
		case takes || strings.ContainsRune(s.in.holds, letter):
			return
		}
	}
}

// operand reads what is no option. Behind the last operand that may be code, or lead to it, nothing is looked at.
func (s *codeScan) operand(a argument) {
	s.operands++
	last := s.in.operand
	if s.flagged {
		last = 1
	}
	if last > 0 && (s.operands == last || s.operands > last && s.in.rest) {
		s.code = append(s.code, a)
	}
	s.done = s.operands >= last && !s.in.rest && !s.in.mixed
}

// prefix is the literal text that a template starts with; isLiteral when that is all.
func (t *Template) prefix() (text string, isLiteral bool) {
	if len(t.parts) > 0 && t.parts[0].expr == nil {
		text = t.parts[0].literal
	}
	_, isLiteral = t.literal()
	return text, isLiteral
}
