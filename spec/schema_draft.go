package spec

import (
	"strconv"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v5"
)

// draft is a version of JSON Schema.
type draft int

const (
	draft4    draft = 4
	draft6    draft = 6
	draft7    draft = 7
	draft2019 draft = 2019
	draft2020 draft = 2020
)

// String is the draft's name.
func (d draft) String() string {
	switch d {
	case draft2019:
		return "2019-09"
	case draft2020:
		return "2020-12"
	}
	return "draft-0" + strconv.Itoa(int(d))
}

var draftURLs = []struct {
	url   string
	draft draft
	meta  *jsonschema.Draft
}{
	{"http://json-schema.org/draft-04/schema", draft4, jsonschema.Draft4},
	{"http://json-schema.org/draft-06/schema", draft6, jsonschema.Draft6},
	{"http://json-schema.org/draft-07/schema", draft7, jsonschema.Draft7},
	{"https://json-schema.org/draft/2019-09/schema", draft2019, jsonschema.Draft2019},
	{"https://json-schema.org/draft/2020-12/schema", draft2020, jsonschema.Draft2020},
}

// findDraft finds the draft that a schema declares; the one assumed if it declares none. http and https, and an empty
// fragment, make no difference.
func (c *schemaCompiler) findDraft(root Section) *jsonschema.Draft {
	declared := root.Get("$schema")
	text, _ := declared.Text()
	var known []string
	for _, d := range draftURLs {
		if declared.IsZero() && d.draft == c.assumed || bareURL(text.Value) == bareURL(d.url) {
			c.draft = d.draft
			return d.meta
		}
		known = append(known, d.url)
	}
	c.draft = c.assumed
	if _, remote := c.remotes[text.Value]; !remote {
		c.faults = append(c.faults, declared.Errorf("schema", "unknown draft %s; known: %s", shownValue(declared.Value()), strings.Join(known, ", ")))
	}
	return nil
}

func bareURL(url string) string {
	return strings.TrimPrefix(strings.TrimPrefix(strings.TrimSuffix(url, "#"), "http://"), "https://")
}

// assertedFormats are those that a value must have, with an example of each. Other formats say nothing of a value.
var assertedFormats = map[string]string{
	"date":         "a date such as 2026-03-01",
	"time":         "a time such as 14:30:00Z",
	"date-time":    "a date and time such as 2026-03-01T14:30:00Z",
	"email":        "an email address such as ada@example.org",
	"hostname":     "a host name such as api.example.org",
	"ipv4":         "an IPv4 address such as 192.0.2.1",
	"ipv6":         "an IPv6 address such as 2001:db8::1",
	"uri":          "a URI such as https://example.org/a",
	"uuid":         "a UUID such as 123e4567-e89b-12d3-a456-426614174000",
	"regex":        "a regular expression",
	"json-pointer": "a JSON pointer such as /a/0",
}

// The checks of formats for a compiler: the library's own, silenced where the format is not asserted.
var (
	assertingFormats = sync.OnceValue(func() map[string]func(any) bool { return formats(true) })
	silentFormats    = sync.OnceValue(func() map[string]func(any) bool { return formats(false) })
)

func formats(assert bool) map[string]func(any) bool {
	silent := map[string]func(any) bool{}
	for name := range jsonschema.Formats {
		if _, asserted := assertedFormats[name]; !asserted || !assert {
			silent[name] = func(any) bool { return true }
		}
	}
	return silent
}
