package export

import (
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/toolspec/toolspec/spec"
)

// definition is a schema that kept references name.
type definition struct {
	name   string
	to     spec.Section
	schema *schema
}

var refWords = []string{"$ref", "$dynamicRef", "$recursiveRef"}

func (s *schema) reference() *keyword {
	for _, word := range refWords {
		if k := s.get(word); k != nil {
			return k
		}
	}
	return nil
}

// flatten writes out what the provider cannot take as it stands: references, and schemas that all hold at once.
func (f *fitter) flatten(s *schema, root bool) {
	for k := s.reference(); k != nil && !f.keep(s, k, root); k = s.reference() {
		f.writeOut(s, k)
	}
	if all := s.get("allOf"); all != nil && !f.takes("allOf", root) {
		s.drop("allOf")
		f.rewrite(all.at, "all-of", "written as one schema: %s takes no allOf%s", f.who, atRoot(root && f.takes("allOf", false)))
		f.mergeAll(s, all.list)
	}
}

func (f *fitter) mergeAll(s *schema, parts []*schema) {
	for _, part := range parts {
		f.mergeFlat(s, part)
	}
}

// mergeFlat adds a schema that holds as well, whatever it refers to written out.
func (f *fitter) mergeFlat(s, part *schema) {
	for k := part.reference(); k != nil; k = part.reference() {
		f.writeOut(part, k)
	}
	if all := part.get("allOf"); all != nil {
		part.drop("allOf")
		f.mergeAll(part, all.list)
	}
	f.merge(s, part)
}

func atRoot(only bool) string {
	if only {
		return " at the root"
	}
	return ""
}

// keep keeps a reference where the provider takes it.
func (f *fitter) keep(s *schema, k *keyword, root bool) bool {
	alone := len(s.keywords) == 1
	if k.to.IsZero() || root || f.refs == refsWritten || f.refs == refsAlone && !alone && !slices.Contains(f.open, k.to) {
		return false
	}
	if f.refs == refsAlone && !alone {
		for _, beside := range s.keywords {
			if beside != k {
				f.lose(beside.at, "reference", "left out: %s takes nothing beside $ref", f.who)
			}
		}
		s.keywords = []*keyword{k}
	}
	was := k.name + " " + string(k.said)
	k.name, k.said = "$ref", text(f.pointer(k))
	if now := k.name + " " + string(k.said); now != was {
		f.rewrite(k.at, "reference", "written as %s", strings.Trim(string(k.said), `"`))
	}
	return true
}

// pointer is how a kept reference is written.
func (f *fitter) pointer(k *keyword) string {
	if k.to == f.of.Section() {
		return "#"
	}
	i := slices.IndexFunc(f.defs, func(d *definition) bool { return d.to == k.to })
	if i < 0 {
		i = len(f.defs)
		f.defs = append(f.defs, &definition{name: f.freeName(nameOf(k)), to: k.to})
	}
	return "#/$defs/" + f.defs[i].name
}

var notInName = regexp.MustCompile(`[^A-Za-z0-9_.-]+`)

// nameOf is the last word of a reference.
func nameOf(k *keyword) string {
	ref := strings.Join(textsOf(k), "")
	name := ref[strings.LastIndexAny(ref, "/#")+1:]
	if plain, err := url.PathUnescape(name); err == nil {
		name = plain
	}
	if name = notInName.ReplaceAllString(name, "_"); name == "" {
		return "root"
	}
	return name
}

func (f *fitter) freeName(name string) string {
	free := name
	for n := 2; slices.ContainsFunc(f.defs, func(d *definition) bool { return d.name == free }); n++ {
		free = name + "_" + strconv.Itoa(n)
	}
	return free
}

// writeOut puts what a reference names in its place. What would never end, or grow too large, is cut.
func (f *fitter) writeOut(s *schema, k *keyword) {
	s.drop(k.name)
	switch {
	case k.to.IsZero():
		f.lose(k.at, "reference", "left out: what it means depends on the way that leads there")
	case slices.Contains(f.open[:f.around], k.to), f.room == 0, f.words < 0:
		why := "it leads back to where it stands"
		if f.room == 0 || f.words < 0 {
			why = "too many are written out already"
		}
		f.lose(k.at, "recursion", "cut here, since %s takes no references and %s", f.who, why)
		s.remark("Of the same form as " + nameOf(k) + ".")
		if t, ok := k.to.Get("type").Text(); ok && !s.has("type") {
			s.setTypes([]string{t.Value})
		}
	default:
		f.room--
		f.open = append(f.open, k.to)
		f.rewrite(k.at, "reference", "written out in its place")
		target := f.read(k.to, place{k.to.Pos(), k.to.Path()})
		f.words -= target.size()
		if target.literal == "false" {
			s.keywords, s.literal = nil, "false"
			f.rewrite(s.at, "reference", "written as false, to which it refers")
		}
		f.merge(s, target)
	}
}

// addDefinitions adds what the kept references name, and what is referred to from there.
func (f *fitter) addDefinitions(root *schema) {
	all := &keyword{name: "$defs", at: root.at, named: []*field{}}
	for i := 0; i < len(f.defs); i++ { // one may lead to more
		d := f.defs[i]
		at := place{d.to.Pos(), d.to.Path()}
		d.schema = f.read(d.to, at)
		if now := root.at.path + ".$defs." + d.name; now != at.path {
			f.rewrite(place{at.pos, now}, "reference", "holds what stands at %s", at.path)
		}
		f.fit(d.schema, false)
		all.named = append(all.named, &field{name: d.name, at: at, schema: d.schema})
	}
	if len(f.defs) > 0 {
		root.keywords = append(root.keywords, all)
	}
}
