package serve

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/toolspec/toolspec/exec"
	"github.com/toolspec/toolspec/registry"
	"github.com/toolspec/toolspec/spec"
)

// SessionHeader names the conversation that a call belongs to.
const SessionHeader = "Toolspec-Session"

// maxSessionID is the longest id of a conversation, in bytes.
const maxSessionID = 128

// list answers with what is offered; with ?status= what stands so, pending tools among them.
func (a *api) list(w http.ResponseWriter, r *http.Request) {
	state, err := readState(r.URL.Query())
	switch {
	case err != nil:
		refuse(w, http.StatusBadRequest, "%s", err)
	case state == "":
		answer(w, http.StatusOK, a.reg.Snapshot().Listings())
	default:
		answer(w, http.StatusOK, a.reg.Snapshot().ListingsOf(state))
	}
}

// readState is the state that a list is asked for; empty for none. Other parameters are left alone.
func readState(query url.Values) (registry.State, error) {
	if !query.Has("status") {
		return "", nil
	}
	state := registry.State(strings.Join(query["status"], ", "))
	if !slices.Contains(registry.ToolStates(), state) {
		return "", fmt.Errorf("status: want one of %v, have %q", registry.ToolStates(), state)
	}
	return state, nil
}

func (a *api) show(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("name")
	snapshot := a.reg.Snapshot()
	if refused := snapshot.Refused(name); refused != nil {
		refuse(w, http.StatusForbidden, "%s", refused)
		return
	}
	listing, ok := snapshot.Listing(name)
	if !ok {
		refuse(w, http.StatusNotFound, "no tool is named %q", name)
		return
	}
	answer(w, http.StatusOK, listing)
}

// callNamed calls the tool that the path names; the body is its input, nothing for {}.
func (a *api) callNamed(w http.ResponseWriter, r *http.Request) {
	use := spec.ToolUse{ID: newID(), Name: r.PathValue("name")}
	input, ok := readJSON(w, r, spec.MaxInputBytes)
	if !ok {
		a.refused(r, use, errRequest)
		return
	}
	use.Input = input
	a.run(w, r, use)
}

func callerOf(r *http.Request) exec.Caller {
	return exec.Caller{Transport: "http", Client: r.UserAgent()}
}

// errRequest is what is wrong with a call whose request was refused, for the record.
var errRequest error = spec.NewError(spec.CodeInvalidInput, "the request is none")

// refused tells of a call that reaches no tool, and is its result.
func (a *api) refused(r *http.Request, use spec.ToolUse, err error) spec.ToolResult {
	return a.reg.Snapshot().Refuse(exec.Call{Use: use, Session: r.Header.Get(SessionHeader), Caller: callerOf(r)}, err)
}

// call takes a tool use whole.
func (a *api) call(w http.ResponseWriter, r *http.Request) {
	body, ok := readJSON(w, r, MaxBody)
	if !ok {
		a.refused(r, spec.ToolUse{ID: newID()}, errRequest)
		return
	}
	use, err := readToolUse(body)
	if use.ID == "" {
		use.ID = newID()
	}
	if err != nil {
		answer(w, http.StatusOK, a.refused(r, use, err))
		return
	}
	a.run(w, r, use)
}

// run answers with the result of a tool use: 404 if there is no such tool, else 200 whatever came of it.
func (a *api) run(w http.ResponseWriter, r *http.Request, use spec.ToolUse) {
	session := r.Header.Get(SessionHeader)
	if len(session) > maxSessionID {
		a.refused(r, use, errRequest)
		refuse(w, http.StatusBadRequest, "%s: want at most %d bytes, have %d", SessionHeader, maxSessionID, len(session))
		return
	}
	dry, err := isDryRun(r.URL.Query())
	if err != nil {
		a.refused(r, use, errRequest)
		refuse(w, http.StatusBadRequest, "%s", err)
		return
	}
	snapshot := a.reg.Snapshot()
	status := http.StatusOK
	if _, ok := snapshot.Tool(use.Name); !ok && snapshot.Refused(use.Name) == nil {
		status = http.StatusNotFound
	}
	call := exec.Call{Use: use, Session: session, Caller: callerOf(r)}
	if !dry {
		answer(w, status, snapshot.Call(r.Context(), call))
		return
	}
	if plan, refused := snapshot.Plan(r.Context(), call); plan != nil {
		answer(w, status, plan)
	} else {
		answer(w, status, refused)
	}
}

// isDryRun tells whether nothing is to be done. A slip in the one parameter there is must not have it done after all.
func isDryRun(query url.Values) (bool, error) {
	for name, values := range query {
		switch {
		case name != "dryRun":
			return false, fmt.Errorf("unknown parameter %q; known here: dryRun", name)
		case len(values) > 1 || values[0] != "1" && values[0] != "true" && values[0] != "0" && values[0] != "false":
			return false, fmt.Errorf("dryRun: want 1 or true, 0 or false, have %q", strings.Join(values, ", "))
		}
	}
	return query.Get("dryRun") == "1" || query.Get("dryRun") == "true", nil
}

func newID() string { return "call_" + rand.Text() }

// readJSON is the body, refused if it is too large or no JSON. An empty one is allowed.
func readJSON(w http.ResponseWriter, r *http.Request, limit int) (json.RawMessage, bool) {
	body, err := io.ReadAll(r.Body)
	body = bytes.TrimSpace(body)
	switch {
	case err != nil:
		refuse(w, http.StatusBadRequest, "the body did not arrive whole")
	case len(body) > limit:
		refuse(w, http.StatusRequestEntityTooLarge, "want a body of at most %d bytes, have %d", limit, len(body))
	case !utf8.Valid(body):
		refuse(w, http.StatusBadRequest, "the body is no JSON: it is not UTF-8")
	case len(body) > 0 && !json.Valid(body):
		var v any
		refuse(w, http.StatusBadRequest, "the body is no JSON: %s", strings.TrimPrefix(jsonFault(json.Unmarshal(body, &v)), "json: "))
	default:
		return body, true
	}
	return nil, false
}

func jsonFault(err error) string {
	if err == nil {
		return "it nests too deep"
	}
	return err.Error()
}

// toolUseKeys are what a tool use is made of.
var toolUseKeys = []string{"input", "name", "toolUseId"}

// readToolUse reads {toolUseId, name, input}. What is JSON but no tool use is an error of code invalid_input; the use
// then holds the id, if one was given.
func readToolUse(body json.RawMessage) (use spec.ToolUse, err error) {
	fields, err := spec.ReadMembers(body)
	if err != nil {
		return use, spec.NewError(spec.CodeInvalidInput, `want {"toolUseId": …, "name": …, "input": {…}}`)
	}
	seen := map[string]bool{}
	for _, f := range fields {
		var fault error
		switch {
		case seen[f.Name]:
			fault = spec.NewError(spec.CodeInvalidInput, "%s is given twice; give it once", f.Name)
		case f.Name == "input":
			use.Input = f.Value
		case f.Name == "name":
			fault = readText(f, &use.Name)
		case f.Name == "toolUseId":
			fault = readText(f, &use.ID)
		default:
			fault = spec.NewError(spec.CodeInvalidInput, "unknown key %q; a tool use has %s", f.Name, strings.Join(toolUseKeys, ", "))
		}
		if err == nil {
			err = fault
		}
		seen[f.Name] = true
	}
	return use, err
}

func readText(f spec.Member, into *string) error {
	if json.Unmarshal(f.Value, into) != nil {
		return spec.NewError(spec.CodeInvalidInput, "%s: want a text, have %s", f.Name, f.Value)
	}
	return nil
}
