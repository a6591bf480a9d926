package audit

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"strings"
	"time"

	"github.com/toolspec/toolspec/exec"
	"github.com/toolspec/toolspec/registry"
)

// line is one line of the record; which fields it has, its event says.
type line struct {
	Time  string `json:"time"`  // UTC, in milliseconds; of a call when it came
	Event string `json:"event"` // call, pending, approved, lost
	Run   string `json:"run"`   // which process wrote it: digests of arguments compare within one alone

	ID     string  `json:"id,omitempty"` // of the call
	Parent string  `json:"parent,omitempty"`
	Depth  int     `json:"depth,omitempty"`
	Caller *caller `json:"caller,omitempty"`

	Tool       string   `json:"tool,omitempty"`
	Digest     string   `json:"digest,omitempty"`
	Approved   string   `json:"approved,omitempty"` // the digest that was approved before
	ArgsDigest string   `json:"argsDigest,omitempty"`
	Sandbox    string   `json:"sandbox,omitempty"`
	Decision   string   `json:"decision,omitempty"` // allowed, denied
	Reason     string   `json:"reason,omitempty"`   // why it was denied, or why a tool waits
	Outcome    string   `json:"outcome,omitempty"`  // ok, or the code of the error
	DurationMS *float64 `json:"durationMs,omitempty"`
	Diff       string   `json:"diff,omitempty"`  // from what was approved
	Count      int      `json:"count,omitempty"` // of lines that are lost
}

type caller struct {
	Transport string `json:"transport"`
	Session   string `json:"session,omitempty"`
	User      string `json:"user,omitempty"`
	Client    string `json:"client,omitempty"`
}

// most is how many bytes are written of a text that a caller chose.
const most = 256

// clip is as much of a text that a caller chose as is written, without secrets: he may have sent one for a name.
func (t *Trail) clip(text string) string {
	text = t.masked(text)
	if len(text) > most {
		text = text[:most] + "…"
	}
	return strings.ToValidUTF8(text, "\uFFFD")
}

func (t *Trail) masked(text string) string {
	if t.Mask == nil {
		return text
	}
	return t.Mask(text)
}

func newKey() []byte {
	key := make([]byte, 32)
	_, _ = rand.Read(key) // it does not fail
	return key
}

func newRun() string { return rand.Text()[:12] }

func (t *Trail) begin(event string, at time.Time) line {
	return line{Time: at.UTC().Format("2006-01-02T15:04:05.000Z"), Event: event, Run: t.run}
}

// callLine is the line of a call that has ended now.
func (t *Trail) callLine(e exec.Event) []byte {
	l := t.begin("call", time.Now().Add(-e.Duration))
	l.ID, l.Parent, l.Depth = t.clip(e.ID), t.clip(e.Parent), e.Depth
	l.Caller = &caller{e.Caller.Transport, t.clip(e.Session), t.clip(e.User), t.clip(e.Caller.Client)}
	l.Tool, l.Digest, l.ArgsDigest, l.Sandbox = t.clip(e.Tool), e.Digest, e.ArgsDigest(t.key), string(e.Sandbox)
	l.Decision, l.Reason, l.Outcome = "allowed", e.Refusal, "ok"
	if e.Refusal != "" {
		l.Decision = "denied"
	}
	if e.Code != "" {
		l.Outcome = string(e.Code)
	}
	took := float64(e.Duration.Microseconds()) / 1000
	l.DurationMS = &took
	return encode(l)
}

func (t *Trail) lostLine(count int) []byte {
	l := t.begin("lost", time.Now())
	l.Count = count
	return encode(l)
}

// pendingLine is the line of a tool that waits for approval from now on.
func (t *Trail) pendingLine(e registry.Entry, lock *registry.Lock) []byte {
	l := t.begin("pending", time.Now())
	l.Tool, l.Digest, l.Reason = e.Tool.Spec.Name, e.Tool.Digest, e.Pending
	l.Approved, l.Diff = lock.Approved(l.Tool).Digest, t.masked(lock.Diff(e.Tool))
	return encode(l)
}

// approvedLine is the line of a tool that waited, and is offered from now on.
func (t *Trail) approvedLine(tool *exec.Tool) []byte {
	l := t.begin("approved", time.Now())
	l.Tool, l.Digest = tool.Spec.Name, tool.Digest
	return encode(l)
}

// encode is the line in JSON, whatever is in it: it holds texts and numbers.
func encode(l line) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(l)
	return b.Bytes()
}
