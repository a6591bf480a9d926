package export

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"github.com/toolspec/toolspec/spec"
)

// Names maps the name that each spec is exported under to the name that it is called by; a format's own name is empty for
// an unknown format. What a provider takes keeps its name; the others have _ for what it cannot take, and the start of a
// digest of the name where two would meet or the name is cut.
func Names(format string, specs []*spec.Spec) map[string]string {
	f, err := find(format)
	if err != nil {
		return nil
	}
	back := map[string]string{}
	for name, exported := range f.names(specs) {
		back[exported] = name
	}
	return back
}

// names are the exported names by the specs' own.
func (f format) names(specs []*spec.Spec) map[string]string {
	names, owners := map[string]string{}, map[string][]string{}
	for _, s := range specs {
		if f.rules == nil || f.rules.takesName(s.Name) {
			names[s.Name] = s.Name
			owners[s.Name] = append(owners[s.Name], s.Name)
		}
	}
	for _, s := range specs {
		if _, kept := names[s.Name]; !kept {
			plain := f.rules.plainName(s.Name)
			owners[plain] = append(owners[plain], s.Name)
		}
	}
	for plain, own := range owners {
		for _, name := range own {
			if names[name] != "" {
				continue
			}
			names[name] = plain
			if len(own) > 1 || len(name) > f.rules.longest {
				names[name] = f.rules.marked(name, plain, owners)
			}
		}
	}
	return names
}

// plainName is the name with _ for every character that the provider cannot take, and as long as it takes.
func (r *rules) plainName(name string) string {
	plain := strings.Map(func(c rune) rune {
		if r.takesName("_" + string(c)) {
			return c
		}
		return '_'
	}, name)
	if !r.takesName(plain[:1]) {
		plain = "_" + plain
	}
	return plain[:min(len(plain), r.longest)]
}

// marked is a plain name that ends in as much of the digest of the true name as tells it from all others.
func (r *rules) marked(name, plain string, owners map[string][]string) string {
	sum := sha256.Sum256([]byte(name))
	digest := hex.EncodeToString(sum[:])
	for n := 8; ; n += 8 {
		marked := plain[:min(len(plain), r.longest-n-1)] + "_" + digest[:n]
		if len(owners[marked]) == 0 {
			return marked
		}
	}
}

func (r *rules) takesName(name string) bool {
	return len(name) <= r.longest && r.name.MatchString(name)
}

// tellName notes that the tool goes by another name.
func (x *export) tellName() {
	if x.name != x.spec.Name {
		x.lose(place{x.spec.Pos, "name"}, "name", "%q is exported as %q: %s takes %s, at most %d; map it back before a call",
			x.spec.Name, x.name, x.format.rules.who, x.format.rules.nameWords, x.format.rules.longest)
	}
}
