package exec

// Vars are names and their values, as JSON has them (numbers as json.Number); never changed, only added to.
type Vars struct {
	name   string
	value  any
	parent *Vars
	call   *Call // of the first: it has names of its own, see [Call.given]
}

// With is v with one more name.
func (v *Vars) With(name string, value any) *Vars {
	return &Vars{name: name, value: value, parent: v}
}

// root is the call whose expressions see v; nil where they belong to no tool file.
func (v *Vars) root() *Call {
	for ; v != nil; v = v.parent {
		if v.call != nil {
			return v.call
		}
	}
	return nil
}

// Get is the value of a name.
func (v *Vars) Get(name string) (any, bool) {
	for ; v != nil; v = v.parent {
		if v.name == name {
			return v.value, true
		}
		if v.call != nil {
			return v.call.given(name)
		}
	}
	return nil, false
}
