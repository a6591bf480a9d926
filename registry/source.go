package registry

// Source is where one loader puts what it finds.
type Source struct {
	registry *Registry
	name     string
	rank     int
	files    map[string]*file
}

// file is what a source said of one file, and what the snapshot in force says of it.
type file struct {
	source *Source
	given  Entry
	shown  *Entry // nil before it was in a snapshot
	holds  bool   // the name, among the files of its source
}

func (f *file) name() string { return f.given.Tool.Spec.Name }

// Update sets the entries of some files and removes others: one generation if anything differs, none if not. Where
// the digest says that the tool is the one in force, that very tool is kept. An entry's Source, and its State unless
// it is StateStale, need not be given.
func (s *Source) Update(set []Entry, removed []string) Change {
	s.registry.mu.Lock()
	defer s.registry.mu.Unlock()
	return s.update(set, removed)
}

func (s *Source) update(set []Entry, removed []string) Change {
	u := update{registry: s.registry, names: map[string]bool{}, files: make([]map[string]*Entry, len(s.registry.sources))}
	for _, name := range removed {
		if f := s.files[name]; f != nil {
			delete(s.files, name)
			u.leave(f)
			u.note(f, nil)
		}
	}
	for _, e := range set {
		u.set(s, e)
	}
	return u.publish()
}
