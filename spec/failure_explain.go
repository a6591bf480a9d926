package spec

import (
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v5"
)

// explainer turns the library's tree of failures, which repeats itself and names keywords, into sentences. Of the tree
// it takes which keyword refused which value; the words are made from the schema and the value.
type explainer struct {
	root  Section // of the schema
	value any
	left  int // failures that are still looked at
}

// mostFailures is how many failures are named: beyond that a message costs more than it tells.
const mostFailures = 25_000

func explain(root Section, value any, e *jsonschema.ValidationError) []failure {
	x := &explainer{root, value, mostFailures}
	failures := x.failures(e)
	if x.left <= 0 {
		failures = append(failures, failure{text: "is wrong in more places than the first 25,000, which are named here"})
	}
	return failures
}

// refused is one node of the tree: which keyword of which schema refused which value.
type refused struct {
	schema  Section
	keyword string   // empty where the schema is false
	within  []string // the place in the keyword
	path    []string
	value   any
	message string // the library's
}

// failures are those of one node of the tree and of the nodes behind it.
func (x *explainer) failures(e *jsonschema.ValidationError) []failure {
	if x.left <= 0 {
		return nil
	}
	r := x.refused(e)
	switch {
	case len(e.Causes) == 0 || r.keyword == "minContains":
		x.left--
		return x.leaf(r)
	case r.keyword == "anyOf" || r.keyword == "oneOf":
		x.left--
		return x.noBranch(r, e.Causes)
	}
	var all []failure
	for _, cause := range e.Causes {
		all = append(all, x.failures(cause)...)
	}
	return all
}

func (x *explainer) refused(e *jsonschema.ValidationError) refused {
	_, pointer, _ := strings.Cut(e.AbsoluteKeywordLocation, "#")
	r := refused{path: libraryTokens(e.InstanceLocation), message: e.Message}
	r.schema, r.keyword, r.within = keywordAt(x.root, libraryTokens(pointer))
	if named(libraryTokens(e.KeywordLocation)) {
		last := len(r.path) - 1
		r.path, r.value = r.path[:last], r.path[last]
		r.message = "name" // what was looked at is the name of a field
		return r
	}
	r.value = x.value
	for _, key := range r.path {
		r.value, _ = stepValue(r.value, key)
	}
	return r
}

// keywordAt follows a way through a schema to the keyword that it ends in, with what is left of the way in there.
func keywordAt(at Section, tokens []string) (schema Section, keyword string, within []string) {
	for len(tokens) > 0 {
		name, holds := tokens[0], at.Get(tokens[0])
		k, known := keywords[name]
		isKeyword := known && (k.holds == holdsNone || name == "not") ||
			(name == "additionalProperties" || name == "additionalItems") && holds.Form() == FormBool ||
			k.holds == holdsMapOrTexts && len(tokens) > 1 && holds.Get(tokens[1]).Form() == FormList
		switch {
		case isKeyword && (len(tokens) == 1 || k.holds != holdsOne):
			return at, name, tokens[1:]
		case k.holds == holdsNone || k.holds == holdsOne || k.holds == holdsOneOrList && holds.Form() != FormList:
			at, tokens = holds, tokens[1:]
		case len(tokens) == 1:
			return at, name, nil
		default:
			at, tokens = holds.step(tokens[1]), tokens[2:]
		}
	}
	return at, "", nil
}

// named tells whether a way through schemas leads through propertyNames, which look at the names of fields.
func named(tokens []string) bool {
	for i := 0; i < len(tokens); i++ {
		switch keywords[tokens[i]].holds {
		case holdsList, holdsMap, holdsMapOrTexts:
			i++
		case holdsOneOrList:
			if i+1 < len(tokens) && strings.Trim(tokens[i+1], "0123456789") == "" {
				i++
			}
		case holdsOne:
			if tokens[i] == "propertyNames" {
				return true
			}
		}
	}
	return false
}

// noBranch explains that none of several alternatives fits: by the one that was most likely meant, if there is one.
func (x *explainer) noBranch(r refused, causes []*jsonschema.ValidationError) []failure {
	var near [][]failure // of the alternatives that take the value's type
	var types []string
	for _, cause := range causes {
		failures := x.failures(cause)
		if first := failures[0]; len(first.path) == len(r.path) && slices.Contains([]string{"type", "const", "enum"}, first.keyword) {
			types = append(types, strings.TrimPrefix(first.wanted, "must be "))
			continue
		}
		near = append(near, failures)
	}
	depth := len(r.path)
	if telling := slices.DeleteFunc(slices.Clone(near), func(f []failure) bool { return tells(f, depth) != nil }); len(telling) > 0 {
		near = telling
	}
	switch {
	case len(near) == 0:
		wanted := "must be " + strings.Join(unique(types), " or ")
		return []failure{{path: r.path, keyword: "type", wanted: wanted, text: wanted + ", was " + shownValue(r.value)}}
	case len(near) == 1:
		return near[0]
	}
	if f := oneTells(near, depth); f != nil {
		return []failure{*f}
	}
	return []failure{{path: r.path, text: formsText(near, depth)}}
}

// tells is the failure by which an alternative shows that it was not meant: a field right below the value must be
// something else, as a const or an enum says.
func tells(failures []failure, depth int) *failure {
	for i, f := range failures {
		if (f.keyword == "const" || f.keyword == "enum") && len(f.path) == depth+1 {
			return &failures[i]
		}
	}
	return nil
}

// oneTells puts together what all alternatives want of one field; nil if they do not look at the same.
func oneTells(near [][]failure, depth int) *failure {
	first := tells(near[0], depth)
	if first == nil {
		return nil
	}
	var wanted []string
	for _, failures := range near {
		f := tells(failures, depth)
		if f == nil || !slices.Equal(f.path, first.path) {
			return nil
		}
		wanted = append(wanted, strings.TrimPrefix(strings.TrimPrefix(f.wanted, "must be "), "one of "))
	}
	all := "must be one of " + strings.Join(unique(wanted), ", ")
	_, was, _ := strings.Cut(first.text, first.wanted)
	return &failure{path: first.path, keyword: "enum", wanted: all, text: all + was}
}

// formsText lists what is wrong by each alternative.
func formsText(near [][]failure, depth int) string {
	onlyMissing := true
	var forms, names []string
	for i, failures := range near {
		var all, missing []string
		for _, f := range failures {
			all = append(all, f.below(depth))
			if f.keyword == "required" && len(f.path) == depth+1 {
				missing = append(missing, "`"+f.path[depth]+"`")
			}
		}
		onlyMissing = onlyMissing && len(missing) == len(all)
		names = append(names, strings.Join(missing, " and "))
		forms = append(forms, "("+strconv.Itoa(i+1)+") "+strings.Join(all, " and "))
	}
	if onlyMissing {
		return "must have " + strings.Join(names, ", or ")
	}
	return "fits none of " + strconv.Itoa(len(near)) + " forms: " + strings.Join(forms, "; ")
}
