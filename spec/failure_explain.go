package spec

import (
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v5"
)

// explainer turns the library's tree of failures, which repeats itself and names keywords, into sentences. What the
// tree says in words is not used: only which keyword refused which value.
type explainer struct {
	root  Section // of the schema
	value any
}

func explain(root Section, value any, e *jsonschema.ValidationError) []failure {
	x := &explainer{root, value}
	return x.failures(e)
}

// failures are those of one node of the tree.
func (x *explainer) failures(e *jsonschema.ValidationError) []failure {
	at, keyword := x.keyword(e)
	switch keyword {
	case "anyOf", "oneOf":
		if len(e.Causes) > 0 {
			return x.noBranch(e)
		}
	case "minContains":
		return x.leaf(e, at, keyword)
	}
	if len(e.Causes) == 0 {
		return x.leaf(e, at, keyword)
	}
	var all []failure
	for _, cause := range e.Causes {
		all = append(all, x.failures(cause)...)
	}
	return all
}

// keyword is the schema that refused a value, and its keyword that did; no keyword where the schema is false.
func (x *explainer) keyword(e *jsonschema.ValidationError) (Section, string) {
	_, pointer, _ := strings.Cut(e.AbsoluteKeywordLocation, "#")
	at, last := x.root, ""
	tokens := libraryTokens(pointer)
	for i, token := range tokens {
		next := at.step(token)
		if i == len(tokens)-1 && at.Form() == FormMap && !next.IsZero() && next.Form() != FormMap || next.IsZero() {
			last = token
			break
		}
		at = next
	}
	return at, last
}

// path is the way to the value that was refused.
func (x *explainer) path(e *jsonschema.ValidationError) []string {
	return libraryTokens(e.InstanceLocation)
}

// at is the value at a path. Where the way ends, the last key itself is the value: propertyNames looks at it.
func (x *explainer) at(path []string) any {
	v := x.value
	for _, key := range path {
		inner, ok := stepValue(v, key)
		if !ok {
			return nil
		}
		v = inner
	}
	return v
}

// noBranch explains that none of several alternatives fits: by the one that was most likely meant, if there is one.
func (x *explainer) noBranch(e *jsonschema.ValidationError) []failure {
	path := x.path(e)
	var near [][]failure // of the alternatives that fit the value's type
	var types []string
	for _, cause := range e.Causes {
		_, keyword := x.keyword(cause)
		failures := x.failures(cause)
		if keyword == "type" && len(cause.Causes) == 0 && len(x.path(cause)) == len(path) {
			types = append(types, strings.TrimPrefix(failures[0].wanted, "must be "))
			continue
		}
		near = append(near, failures)
	}
	switch {
	case len(near) == 0:
		return []failure{{path: path, text: "must be " + strings.Join(types, " or ") + ", was " + shownValue(x.at(path))}}
	case len(near) == 1:
		return near[0]
	}
	var forms []string
	for i, failures := range near {
		var all []string
		for _, f := range failures {
			all = append(all, x.relative(f, len(path)))
		}
		forms = append(forms, "("+strconv.Itoa(i+1)+") "+strings.Join(all, " and "))
	}
	return []failure{{path: path, text: "fits none of " + strconv.Itoa(len(near)) + " forms: " + strings.Join(forms, "; ")}}
}

// relative says a failure below a value.
func (x *explainer) relative(f failure, depth int) string {
	if f.full {
		return lowerFirst(f.text)
	}
	if len(f.path) > depth {
		return "`" + pathText(f.path[depth:]) + "` " + f.text
	}
	return f.text
}

func lowerFirst(text string) string { return strings.ToLower(text[:1]) + text[1:] }
