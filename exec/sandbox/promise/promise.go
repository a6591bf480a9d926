package promise

import (
	"slices"

	"github.com/toolspec/toolspec/exec"
)

// Outcome is what came of attacking a promise at a level.
type Outcome string

// The outcomes.
const (
	Held        Outcome = "held"        // the attack failed, and succeeds without a sandbox
	Broken      Outcome = "broken"      // it succeeded
	Open        Outcome = "open"        // it succeeded, where the level does not promise that it will not
	Untried     Outcome = "untried"     // it fails without a sandbox, too: it shows nothing here
	Unavailable Outcome = "unavailable" // the level is not to be had here
)

// Verdict is a promise at a level.
type Verdict struct {
	Promise string     `json:"promise"`
	Level   exec.Level `json:"level"`
	Outcome Outcome    `json:"outcome"`
	Why     string     `json:"why,omitempty"` // what the attack met, or why it was not tried
}

// Report is what came of all.
type Report struct {
	System   System    `json:"system"`
	Levels   []Has     `json:"levels"`
	Verdicts []Verdict `json:"verdicts"` // promise by promise, of each level in turn
	Names    []string  `json:"-"`        // of the promises
}

// System is what a sandbox finds here.
type System struct {
	OS       string `json:"os"`
	Kernel   string `json:"kernel,omitempty"`
	Landlock int    `json:"landlock"` // the version of its interface; 0: none
	User     int    `json:"user"`     // the number of who runs it
}

// Has is a level, and why it is not to be had, if so.
type Has struct {
	Level exec.Level `json:"level"`
	Has   bool       `json:"has"`
	Why   string     `json:"why,omitempty"`
}

// Broken are the verdicts that say so.
func (r *Report) Broken() []Verdict {
	return slices.DeleteFunc(slices.Clone(r.Verdicts), func(v Verdict) bool { return v.Outcome != Broken })
}

// Of is the verdict on a promise at a level.
func (r *Report) Of(promise string, level exec.Level) Verdict {
	for _, v := range r.Verdicts {
		if v.Promise == promise && v.Level == level {
			return v
		}
	}
	return Verdict{}
}

// Check sees what this machine can do, and attacks every promise at every level that is to be had. Self is how this program
// is started to attack.
func Check(s exec.Sandbox, self []string) (*Report, error) {
	r := &Report{System: system()}
	for _, level := range exec.Levels()[1:] {
		has := Has{Level: level, Has: true}
		if err := s.Has(level); err != nil {
			has.Has, has.Why = false, err.Error()
		}
		r.Levels = append(r.Levels, has)
	}
	met := map[exec.Level]map[string]string{}
	for _, level := range exec.Levels() {
		if level != exec.LevelNone && s.Has(level) != nil {
			continue
		}
		var err error
		if met[level], err = attackAt(s, level, self); err != nil {
			return nil, err
		}
	}
	for _, p := range promises() {
		r.Names = append(r.Names, p.name)
		for _, has := range r.Levels {
			v := Verdict{Promise: p.name, Level: has.Level}
			v.judge(has, p.from, met[exec.LevelNone][p.name], met[has.Level][p.name])
			r.Verdicts = append(r.Verdicts, v)
		}
	}
	return r, nil
}

// succeeded stands for what an attack met that met nothing.
const succeeded = ""

func (v *Verdict) judge(has Has, from exec.Level, without, within string) {
	switch {
	case !has.Has:
		v.Outcome, v.Why = Unavailable, has.Why
	case without != succeeded:
		v.Outcome, v.Why = Untried, "without a sandbox, too: "+without
	case within != succeeded:
		v.Outcome, v.Why = Held, within
	case slices.Index(exec.Levels(), v.Level) < slices.Index(exec.Levels(), from):
		v.Outcome = Open
	default:
		v.Outcome = Broken
	}
}

// promise is one, the lowest level that makes it, and how it is attacked.
type promise struct {
	name    string
	from    exec.Level
	network bool // it holds where the network is granted, too, and is tried there
	attack  func(t *target) error
	after   func(t *target) error // what the server sees once the program has ended; nil: nothing
	alone   bool                  // it takes the attacker down
}
