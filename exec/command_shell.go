package exec

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/toolspec/toolspec/spec"
)

// allInput is the variable that holds the whole input as JSON.
const allInput = "TOOLSPEC_INPUT"

// maxVariable is the most that one variable of an environment holds on Linux, its name and what closes it included.
const maxVariable = 128 << 10

// inputVariable is a field of the input and the variable that a shell text finds it in.
type inputVariable struct{ field, name string }

// inputVariables are the variables of all declared fields, sorted by field; fields whose names meet are diagnostics.
func inputVariables(input *spec.Schema, at spec.Section) ([]inputVariable, spec.Diagnostics) {
	if input == nil {
		return nil, nil
	}
	var ds spec.Diagnostics
	var variables []inputVariable
	for field := range input.Shape().Fields {
		variables = append(variables, inputVariable{field, variableName(field)})
	}
	slices.SortFunc(variables, func(a, b inputVariable) int { return strings.Compare(a.field, b.field) })
	for i, v := range variables {
		for _, other := range variables[:i] {
			if other.name == v.name {
				ds = append(ds, at.Errorf("shell", "the fields %s and %s would both be %s; rename one of them", other.field, v.field, v.name))
			}
		}
	}
	return variables, ds
}

// variableName is INPUT_ and the field's name in upper case, with _ for what is no ASCII letter or digit.
func variableName(field string) string {
	return "INPUT_" + strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z':
			return r - 'a' + 'A'
		case r >= 'A' && r <= 'Z', r >= '0' && r <= '9':
			return r
		}
		return '_'
	}, field)
}

var slotInShell = regexp.MustCompile(`\$\{\s*(input|secret|env|state|self|call|dir|output|response|process|steps|item)\s*(?:\.\s*([\w-]+)|\[)`)

// checkShell refuses what looks like a slot of ours: shell text is never a template.
func checkShell(text spec.Text, at spec.Section) spec.Diagnostics {
	var ds spec.Diagnostics
	for _, m := range slotInShell.FindAllStringSubmatchIndex(text.Value, -1) {
		root, field := text.Value[m[2]:m[3]], ""
		if m[4] >= 0 {
			field = text.Value[m[4]:m[5]]
		}
		ds.Add(text.At(m[0]), "shell", "%s: shell text is never a template, its values come through the environment: write %s", at.Path(), shellInstead(root, field))
	}
	return ds
}

func shellInstead(root, field string) string {
	if root == "input" {
		if field == "" {
			return `"$INPUT_…", such as "$INPUT_CITY" for the field city`
		}
		return fmt.Sprintf("%q", "$"+variableName(field))
	}
	if field == "" {
		return fmt.Sprintf(`"$X" here and env: {X: '${%s[…]}'}`, root)
	}
	name := strings.TrimPrefix(variableName(field), "INPUT_")
	if root != "env" {
		name = strings.ToUpper(root) + "_" + name
	}
	return fmt.Sprintf(`"$%s" here and env: {%s: '${%s.%s}'}`, name, name, root, field)
}

// inputEnv are the variables that hold the input: all of it as JSON, and each field as its text, or as JSON when it is
// none. What is too large for a variable is left out where the shell text has no use for it.
func inputEnv(args map[string]any, variables []inputVariable, shell string) ([]string, error) {
	var env []string
	if all := allInput + "=" + compactJSON(args); len(all) < maxVariable {
		env = append(env, all)
	} else if strings.Contains(shell, allInput) {
		return nil, spec.NewError(spec.CodeInvalidInput, "the input is too large for this tool: %d bytes, at most 128 KiB", len(all))
	}
	for _, v := range variables {
		value := args[v.field]
		if value == nil {
			continue
		}
		text, isText := value.(string)
		if !isText {
			text = compactJSON(value)
		}
		if strings.IndexByte(text, 0) >= 0 {
			return nil, spec.NewError(spec.CodeInvalidInput, "Field `%s` holds a NUL character, which this tool cannot take", v.field)
		}
		if pair := v.name + "=" + text; len(pair) < maxVariable {
			env = append(env, pair)
		} else if strings.Contains(shell, v.name) {
			return nil, spec.NewError(spec.CodeInvalidInput, "Field `%s` is too large for this tool: %d bytes, at most 128 KiB", v.field, len(text))
		}
	}
	return env, nil
}

// compactJSON is JSON on one line with the digits of its numbers; what only HTML minds is not escaped.
func compactJSON(v any) string {
	if m, ok := v.(map[string]any); ok && m == nil {
		return "{}"
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(v) // accepted input has nothing that JSON has not
	return string(bytes.TrimSuffix(b.Bytes(), []byte("\n")))
}
