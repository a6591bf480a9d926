package export

import "regexp"

// rules are what a provider takes.
type rules struct {
	who        string         // the provider, as messages call it
	name       *regexp.Regexp // of a tool
	nameWords  string
	longest    int            // a name, in characters
	tools      int            // in one request; 0: no limit is known
	field      *regexp.Regexp // names of fields; nil: any
	fieldWords string

	takes    func(keyword string, root bool) bool
	refs     references
	booleans bool                                  // true and false may stand for a schema
	plain    bool                                  // a schema is one thing: it has a type, or forms and no more
	shape    func(f *fitter, s *schema, root bool) // before the schemas within are rewritten
	finish   func(f *fitter, s *schema, root bool) // thereafter
}

// references says what becomes of references.
type references uint8

const (
	refsWritten references = iota // each is written out
	refsKept
	refsAlone // kept where nothing stands beside them
)

// everything takes all keywords, but for some at the root.
func everything(notAtRoot ...string) func(string, bool) bool {
	at := setOf(notAtRoot)
	return func(keyword string, root bool) bool { return !root || !at[keyword] }
}

// only takes these keywords.
func only(keywords ...string) func(string, bool) bool {
	set := setOf(keywords)
	return func(keyword string, _ bool) bool { return set[keyword] }
}

func setOf(names []string) map[string]bool {
	set := map[string]bool{}
	for _, name := range names {
		set[name] = true
	}
	return set
}
