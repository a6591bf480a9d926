package exec

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/expr-lang/expr/ast"

	"github.com/toolspec/toolspec/spec"
)

// slips are what people write who think of another language, where it keeps an expression from being parsed: a
// pattern over the source with its quoted texts blanked, and what to write instead. The place is that of the first
// group.
var slips = []struct {
	pattern *regexp.Regexp
	hint    string
}{
	{regexp.MustCompile(`(===)`), "there is no ===; write =="},
	{regexp.MustCompile(`(!==)`), "there is no !==; write !="},
	{regexp.MustCompile(`(<>)`), "there is no <>; write !="},
	{regexp.MustCompile(`(=>)`), "there are no arrow functions; in map(…), filter(…) and the like the element is # and .name its field: map(xs, .name)"},
	{regexp.MustCompile(`(?:^|[^\w.])(function|lambda)\b`), "functions are not written here; in map(…), filter(…) and the like the element is # and .name its field: map(xs, .name)"},
	{regexp.MustCompile(`(\$\{)`), "this is within ${ } already; write the name alone"},
	{regexp.MustCompile(`,\s*(\{)\s*(?:"[^"]*"|'[^']*'|\w+)\s*:`), `within map(…) braces hold statements; for an object write ({…}), as in map(xs, ({"name": .name}))`},
	{regexp.MustCompile(`(?:^|[^\w.])(if)\b[^{}]*$`), "write condition ? value : other, or if condition { value } else { other }"},
	{regexp.MustCompile(`(?:^|[^\w.])(if)\b[^{}]*\{[^{}]*\}\s*$`), "an if has an else: if condition { value } else { other }; write condition ? value : null for none"},
	{regexp.MustCompile(`[\w)\]"']\s*(\+\+|--)(?:\s|$)`), "values do not change here; write x + 1"},
	{regexp.MustCompile(`\|\s*(\w+)\s*(?:$|\||\))`), "after | stands a call: write x | upper(), or upper(x)"},
	{regexp.MustCompile(`(=~)`), "there is no =~; write text matches \"pattern\""},
	{regexp.MustCompile(`[^=!<>](=)(?:[^=]|$)`), "= gives no value here; == compares, and let x = …; names a value"},
	{regexp.MustCompile(`(?:^|[^#\w.])(#)[ \w]`), "# is the element within map(…), filter(…) and the like; a comment starts with //"},
}

var letName = regexp.MustCompile(`\blet\s+\w+\s*$`)

// slip finds a known slip in a source that does not parse, with its offset; the parser stumbled at fault.
func slip(source string, fault int) (at int, hint string) {
	blanked := blankTexts(source)
	for _, s := range slips {
		for _, m := range s.pattern.FindAllStringSubmatchIndex(blanked, -1) {
			from := m[2]
			switch {
			case blanked[from] == '=' && m[3] == from+1 && letName.MatchString(blanked[:from]):
				continue
			case from > fault: // what follows the fault did not cause it
				continue
			}
			return from, s.hint
		}
	}
	return 0, ""
}

// blankTexts replaces what stands in quotes and comments, byte for byte.
func blankTexts(source string) string {
	b := []byte(source)
	blank := func(from, to int) {
		for i := from; i < to; i++ {
			b[i] = '_'
		}
	}
	for i := 0; i < len(source); {
		end := i + 1
		switch c := source[i]; {
		case c == '"' || c == '\'' || c == '`':
			if end = quoteEnd(source, i); end < 0 {
				end = len(source)
			}
			blank(i+1, end-1)
		case strings.HasPrefix(source[i:], "//") || strings.HasPrefix(source[i:], "/*"):
			end = commentEnd(source, i)
			for j := i; j < end; j++ {
				b[j] = ' '
			}
		}
		i = end
	}
	return string(b)
}

var divisor = regexp.MustCompile(`^//[ \t]*(?:[0-9][\w.]*|(?:input|output|steps|item)[.\[][\w.\[\]]*)[ \t]*(?:[-+*/%)\]},;:?=<>].*)?$`)

// wholeDivision is the offset of a // that is meant to divide, as in other languages, and would be a comment: one that
// stands behind a value, with nothing but another in it. Negative if there is none.
func wholeDivision(source string) int {
	blanked := blankTexts(source)
	for line := range strings.Lines(source) {
		start := len(source) - len(blanked)
		code := strings.TrimRight(blanked[:len(line)], " \t\r\n")
		blanked = blanked[len(line):]
		rest := strings.TrimLeft(line[len(code):], " \t")
		if code != "" && strings.IndexByte("(,+-*/<>=?:;{[", code[len(code)-1]) < 0 && divisor.MatchString(strings.TrimRight(rest, "\r\n")) {
			return start + len(line) - len(rest)
		}
	}
	return -1
}

// commentEnd is the offset behind the comment that starts at i.
func commentEnd(source string, i int) int {
	closing, skip := "\n", 0
	if source[i+1] == '*' {
		closing, skip = "*/", 2
	}
	end := strings.Index(source[i+2:], closing)
	if end < 0 {
		return len(source)
	}
	return i + 2 + end + skip
}

var tokenName = regexp.MustCompile(`unexpected token (?:Operator|Bracket|Identifier|Number|String|Bytes)\("((?:[^"\\]|\\.)*)"\)`)

// plainWords is what the library's parser says, in words of ours.
func plainWords(message string) string {
	switch {
	case strings.Contains(message, "unexpected token EOF"), strings.Contains(message, "unexpected end"):
		return "the expression ends too early"
	case strings.Contains(message, "maximum allowed nodes"):
		return "the expression is too large; split it"
	case strings.HasPrefix(message, "invalid integer literal"):
		return "the number before this is larger than 64 bits hold"
	case strings.Contains(message, "coalesce expressions"):
		return "?? and another operator side by side need parentheses: (a ?? b) + c"
	}
	return tokenName.ReplaceAllString(message, "$1 is not expected here")
}

// foreignCalls are functions of other languages, and what to write here; %[1]s and so on are the arguments.
var foreignCalls = map[string]string{
	"str": "string(%[1]s)", "toString": "string(%[1]s)", "String": "string(%[1]s)", "parseInt": "int(%[1]s)", "Number": "float(%[1]s)", "parseFloat": "float(%[1]s)",
	"size": "len(%[1]s)", "length": "len(%[1]s)", "strlen": "len(%[1]s)", "isset": "%[1]s != null", "defined": "%[1]s != null",
	"exists": "%[1]s != null", "has": "%[1]s != null", "isNull": "%[1]s == null", "empty": "len(%[1]s) == 0", "isEmpty": "len(%[1]s) == 0", "default": "%[1]s ?? %[2]s",
	"coalesce": "%[1]s ?? %[2]s", "contains": "%[1]s contains %[2]s", "includes": "%[2]s in %[1]s", "startsWith": "%[1]s startsWith %[2]s",
	"endsWith": "%[1]s endsWith %[2]s", "matches": "%[1]s matches %[2]s", "substring": "%[1]s[a:b]", "substr": "%[1]s[a:b]", "toUpper": "upper(%[1]s)",
	"toLower": "lower(%[1]s)", "uppercase": "upper(%[1]s)", "lowercase": "lower(%[1]s)", "strip": "trim(%[1]s)", "json": "toJSON(%[1]s)", "tojson": "toJSON(%[1]s)",
	"pow": "%[1]s ** %[2]s", "some": "any(%[1]s, …)", "every": "all(%[1]s, …)", "range": "a..b", "getenv": "env.NAME", "print": "the value alone", "format": `texts joined with +, or date.Format("2006-01-02")`,
	"sprintf": "texts joined with +, and string(…)", "unique": "uniq(%[1]s)", "if": "condition ? value : other", "regex": "match(%[1]s, %[2]s)",
}

// foreignMethods are methods of other languages; %[1]s is what they are called on.
var foreignMethods = map[string]string{
	"length": "len(%[1]s)", "size": "len(%[1]s)", "count": "len(%[1]s)", "join": "join(%[1]s, %[2]s)", "map": "map(%[1]s, …)", "filter": "filter(%[1]s, …)", "find": "find(%[1]s, …)",
	"reduce": "reduce(%[1]s, …)", "some": "any(%[1]s, …)", "every": "all(%[1]s, …)", "forEach": "map(%[1]s, …)", "sort": "sort(%[1]s)", "reverse": "reverse(%[1]s)", "concat": "concat(%[1]s, %[2]s)",
	"push": "concat(%[1]s, [%[2]s])", "append": "concat(%[1]s, [%[2]s])", "slice": "%[1]s[a:b]", "substring": "%[1]s[a:b]", "substr": "%[1]s[a:b]", "toUpperCase": "upper(%[1]s)", "toLowerCase": "lower(%[1]s)",
	"upper": "upper(%[1]s)", "lower": "lower(%[1]s)", "trim": "trim(%[1]s)", "strip": "trim(%[1]s)", "split": "split(%[1]s, %[2]s)", "replace": "replace(%[1]s, %[2]s, %[3]s)",
	"replaceAll": "replace(%[1]s, %[2]s, %[3]s)", "includes": "%[2]s in %[1]s, or for texts %[1]s contains %[2]s", "contains": "%[1]s contains %[2]s", "startsWith": "%[1]s startsWith %[2]s", "startswith": "%[1]s startsWith %[2]s",
	"endsWith": "%[1]s endsWith %[2]s", "endswith": "%[1]s endsWith %[2]s", "indexOf": "indexOf(%[1]s, %[2]s)", "toString": "string(%[1]s)", "toFixed": "round(%[1]s * 100) / 100", "keys": "keys(%[1]s)", "values": "values(%[1]s)",
	"items": "toPairs(%[1]s)", "entries": "toPairs(%[1]s)", "get": "%[1]s[%[2]s] ?? …", "match": "match(%[1]s, %[2]s)", "test": "text matches %[1]s", "flat": "flatten(%[1]s)", "first": "first(%[1]s)", "last": "last(%[1]s)",
	"repeat": "repeat(%[1]s, %[2]s)", "isEmpty": "len(%[1]s) == 0", "toISOString": `%[1]s.Format("2006-01-02T15:04:05Z07:00")`, "strftime": `%[1]s.Format("2006-01-02")`, "format": `%[1]s.Format("2006-01-02")`,
	"padStart": "repeat(…) + %[1]s", "charAt": "%[1]s[%[2]s]", "at": "%[1]s[%[2]s]", "has": "%[2]s in %[1]s", "stringify": "toJSON(%[2]s)", "parse": "fromJSON(%[2]s)",
}

// foreignMethod is a call of a method that nothing has.
func (c *checker) foreignMethod(n *ast.CallNode, callee *ast.MemberNode, name *ast.StringNode) *spec.Shape {
	if root, ok := callee.Node.(*ast.IdentifierNode); !ok || root.Value != "JSON" {
		c.visit(callee.Node)
	}
	for _, arg := range n.Arguments {
		c.visit(arg)
	}
	operands := append([]ast.Node{callee.Node}, n.Arguments...)
	if hint := c.filled(foreignMethods[name.Value], operands); hint != "" {
		return c.errorf(name, "there is no .%s(…); write %s", name.Value, hint)
	}
	if _, ok := functions[name.Value]; ok {
		return c.errorf(name, "there is no .%s(…); write %s(%s)", name.Value, name.Value, c.say(callee.Node))
	}
	var known []string
	for m := range methods {
		known = append(known, m)
	}
	if near := spec.Nearest(name.Value, known); near != "" {
		return c.errorf(name, "there is no .%s(…); did you mean .%s(…)?", name.Value, near)
	}
	return c.errorf(name, "there is no .%s(…); functions are called by name, as in upper(text)", name.Value)
}

// filled puts the sources of operands into a hint; those that are not there are …
func (c *checker) filled(hint string, operands []ast.Node) string {
	for i := range 3 {
		source := "…"
		if i < len(operands) {
			source = c.say(operands[i])
		}
		hint = strings.ReplaceAll(hint, fmt.Sprintf("%%[%d]s", i+1), source)
	}
	return hint
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
