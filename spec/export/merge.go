package export

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
)

// merge adds to a schema what another one says, which holds as well. Where both say something by the same keyword that
// no one keyword can say, the description tells the second.
func (f *fitter) merge(s, other *schema) {
	if other.literal == "false" {
		s.literal, s.keywords = "false", nil
	}
	for _, k := range other.keywords {
		known := s.get(k.name)
		switch {
		case known == nil:
			s.keywords = append(s.keywords, k)
		case known.named == nil && known.inner() == nil && bytes.Equal(known.said, k.said):
		case f.mergeKeyword(s, known, k):
		case strings.HasPrefix(k.name, "unevaluated"): // the inner one leaves nothing for the outer
			s.remark(phrase(known))
			f.lose(known.at, "all-of", "told in the description: %s says %s, too", k.at.path, k.name)
			*known = *k
		case slices.Contains(annotating, k.name):
			f.lose(k.at, "all-of", "left out: %s is said already where it is referred to", k.name)
		default:
			s.remark(phrase(k))
			f.lose(k.at, "all-of", "told in the description: %s says %s already", known.at.path, k.name)
		}
	}
	for _, note := range other.notes {
		s.remark(note)
	}
}

// holdToo has another schema hold beside what the schema says.
func (s *schema) holdToo(other *schema) {
	if all := s.get("allOf"); all != nil {
		all.list = append(all.list, other)
		return
	}
	s.keywords = append(s.keywords, &keyword{name: "allOf", at: other.at, list: []*schema{other}})
}

// mergeKeyword joins what two keywords of one name say, if one keyword can say it.
func (f *fitter) mergeKeyword(s *schema, known, k *keyword) bool {
	switch k.name {
	case "properties", "patternProperties", "dependentSchemas":
		for _, p := range k.named {
			if own := known.field(p.name); own == nil {
				known.named = append(known.named, p)
			} else if !bytes.Equal(own.json(), p.json()) {
				own.holdToo(p.schema)
			}
		}
	case "required":
		f.rewrite(known.at, "all-of", "joined with %s", k.at.path)
		known.said = encoded(union(textsOf(known), textsOf(k)))
	case "description":
		s.remark(s.withoutFirst(k))
	case "type":
		both := commonTypes(textsOf(known), textsOf(k))
		if len(both) == 0 {
			return false
		}
		f.rewrite(known.at, "all-of", "joined with %s", k.at.path)
		s.setTypes(both)
	case "enum":
		both := commonValues(s.values(), (&schema{keywords: []*keyword{k}}).values())
		if len(both) == 0 {
			return false
		}
		f.rewrite(known.at, "all-of", "joined with %s", k.at.path)
		known.said = encoded(both)
	default:
		return false
	}
	return true
}

// withoutFirst is the text of a description that the schema's own does not start with.
func (s *schema) withoutFirst(k *keyword) string {
	said := ""
	for _, t := range textsOf(k) {
		said += t
	}
	if said == s.description() {
		return ""
	}
	return said
}

func union(a, b []string) []string {
	all := slices.Clone(a)
	for _, name := range b {
		if !slices.Contains(all, name) {
			all = append(all, name)
		}
	}
	return all
}

// commonTypes are the types that both lists allow.
func commonTypes(a, b []string) (both []string) {
	for _, t := range slices.Concat(a, b) {
		if allows(a, t) && allows(b, t) && !slices.Contains(both, t) {
			both = append(both, t)
		}
	}
	return both
}

func allows(types []string, one string) bool {
	return slices.Contains(types, one) || one == "integer" && slices.Contains(types, "number")
}

func commonValues(a, b []json.RawMessage) []json.RawMessage {
	return slices.DeleteFunc(slices.Clone(a), func(v json.RawMessage) bool {
		return !slices.ContainsFunc(b, func(w json.RawMessage) bool { return bytes.Equal(v, w) })
	})
}
