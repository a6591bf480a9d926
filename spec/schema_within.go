package spec

// Subschema is a schema that stands directly within another.
type Subschema struct {
	Keyword string // that holds it, such as properties or items
	Name    Text   // its key, where the keyword holds a map of schemas; zero elsewhere
	InPlace bool   // it looks at the very same value as the schema it stands in, as those of allOf do
	Schema  Section
}

// Subschemas are the schemas directly within a schema as the file has it, in the order of the file, whatever the draft.
func Subschemas(schema Section) []Subschema {
	var all []Subschema
	for _, f := range schema.Fields() {
		k, known := keywords[f.Key.Value]
		if !known || k.holds == holdsNone {
			continue
		}
		add := func(name Text, s Section) {
			if s.Form() == FormMap {
				all = append(all, Subschema{f.Key.Value, name, k.inPlace, s})
			}
		}
		switch {
		case k.holds == holdsMap || k.holds == holdsMapOrTexts:
			for _, inner := range f.Value.Fields() {
				add(inner.Key, inner.Value)
			}
		case f.Value.Form() == FormList:
			for _, item := range f.Value.Items() {
				add(Text{}, item)
			}
		default:
			add(Text{}, f.Value)
		}
	}
	return all
}

// Follow is what a reference such as #/$defs/place names within a schema; absent where it leads nowhere, or is of another
// form.
func Follow(root Section, reference string) Section {
	if reference == "" || reference[0] != '#' {
		return Section{}
	}
	at := root
	for _, token := range pointerTokens(reference[1:]) {
		at = at.step(token)
	}
	return at
}
