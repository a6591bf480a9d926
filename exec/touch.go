package exec

import "slices"

// Touch is what a tool may touch, as far as its file tells. What a program does once it runs, a file cannot tell; what a tool
// that a step calls may touch is that tool's.
type Touch struct {
	Tool        string    `json:"tool"`
	Kinds       []string  `json:"kinds"`              // its own, and those of its steps
	Programs    []Program `json:"programs,omitempty"` // that it starts
	Hosts       []string  `json:"hosts,omitempty"`    // of its requests: as the file has them; * for one that the call brings
	Redirect    bool      `json:"redirects,omitempty"`
	Funcs       []string  `json:"funcs,omitempty"`   // Go functions of the program
	Tools       []string  `json:"tools,omitempty"`   // that its steps call
	Env         []string  `json:"env,omitempty"`     // variables of the server that its expressions may read
	Secrets     []string  `json:"secrets,omitempty"` // names
	Timeout     string    `json:"timeout"`
	Output      int64     `json:"output"`         // bytes of a result
	Read        int64     `json:"read"`           // bytes that are taken from a process or a body
	Concurrency int       `json:"concurrency"`    // calls that may run at once
	Rate        string    `json:"rate,omitempty"` // of calls; empty: any
}

// Program is a program that a tool starts.
type Program struct {
	Name  string `json:"name"`            // as the file has it
	Path  string `json:"path,omitempty"`  // absolute; empty where it was not found
	Shell string `json:"shell,omitempty"` // the text that a shell runs

	Sandbox *Granted `json:"sandbox,omitempty"` // nil: it is not confined
}

// leastLevel is how far the programs of a tool are confined, by the one that is least; empty if it starts none.
func (t Touch) leastLevel() Level {
	least := len(Levels())
	for _, p := range t.Programs {
		level := LevelNone
		if p.Sandbox != nil {
			level = p.Sandbox.Level
		}
		least = min(least, max(0, slices.Index(Levels(), level)))
	}
	if least == len(Levels()) {
		return ""
	}
	return Levels()[least]
}

// anyHost stands for a host that the call brings.
const anyHost = "*"

// Touches is what the tool may touch.
func (t *Tool) Touches() Touch {
	touch := Touch{
		Tool: t.Spec.Name, Env: t.envNames, Secrets: t.secrets, Timeout: t.timeout().String(),
		Output: int64(t.result.limit.bytes), Read: int64(t.env.Policy.Defaults.Read),
		Concurrency: t.claim.places, Rate: t.claim.rate.String(),
	}
	touch.add(t.Spec.Kind, t.executor)
	for _, list := range []*[]string{&touch.Kinds, &touch.Hosts, &touch.Funcs, &touch.Tools} {
		slices.Sort(*list)
		*list = slices.Compact(*list)
	}
	return touch
}

func (t *Touch) add(kind string, executor Executor) {
	t.Kinds = append(t.Kinds, kind)
	switch x := executor.(type) {
	case *commandExecutor:
		t.Programs = append(t.Programs, Program{x.name, x.program, x.shell, x.granted})
	case *httpRequest:
		t.Hosts = append(t.Hosts, x.url.host())
		if t.Redirect = t.Redirect || x.redirects > 0; x.redirects > 0 {
			t.Hosts = append(t.Hosts, anyHost)
		}
	case *goFunc:
		t.Funcs = append(t.Funcs, x.name)
	case *typedFunc:
		t.Funcs = append(t.Funcs, x.name)
	case *pipeline:
		t.addSteps(x)
	}
}

func (t *Touch) addSteps(p *pipeline) {
	for _, st := range p.steps {
		if st.executor == nil {
			t.Tools = append(t.Tools, st.tool.Value)
			continue
		}
		t.add(st.kind, st.executor)
	}
}

// host is the host that the file names, with its port if it has one; the template where it is from env.
func (u *urlTemplate) host() string {
	switch {
	case u.whole != nil && u.foreign:
		return anyHost
	case u.whole != nil:
		return "${" + u.whole.parts[0].expr.source + "}"
	case u.fixed != "":
		if parsed, fault := parseURL(u.fixed); fault == "" {
			return parsed.Host
		}
	}
	return u.origin.source()
}

// source is the template as a file has it.
func (t *Template) source() string {
	text := ""
	for _, p := range t.parts {
		if p.expr != nil {
			text += "${" + p.expr.source + "}"
		}
		text += p.literal
	}
	return text
}

// needEnv notes variables of the server that an expression may read.
func (s *Site) needEnv(names ...string) {
	for _, name := range names {
		if i, known := slices.BinarySearch(s.needs.env, name); !known && slices.Contains(s.Env.Policy.EnvNames, name) {
			s.needs.env = slices.Insert(s.needs.env, i, name)
		}
	}
}
