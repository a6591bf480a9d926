package main

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"regexp"
	"strings"
)

// target is where a request goes, read.
type target struct {
	marks
	template string // of the url, without its query
	shown    string // for people
	query    string // marked
	label    string // what its owner is called, for the names of secrets
}

var urlScheme = regexp.MustCompile(`^([A-Za-z][A-Za-z0-9+.-]*)://`)

// curlPattern is what curl takes for several urls in one, unless it is told -g.
var curlPattern = regexp.MustCompile(`\[\w+-\w+(:\d+)?\]|\{[^{}/?":]*,[^{}/?":]*\}`)

func (c *curlLine) readAddress(word lineWord) (*target, error) {
	a := &target{}
	text := a.text(placeholders(word, ""))
	if several := curlPattern.FindString(text); several != "" && !c.literal {
		return nil, fmt.Errorf("curl makes several requests of %s, and a tool makes one: write a placeholder such as {page} in its place", several)
	}
	text, _, _ = strings.Cut(text, "#")
	scheme := ""
	if m := urlScheme.FindStringSubmatch(text); m != nil {
		scheme, text = strings.ToLower(m[1]), text[len(m[0]):]
	}
	text, a.query, _ = strings.Cut(text, "?")
	host, path, hasPath := strings.Cut(text, "/")
	if at := strings.LastIndex(host, "@"); at >= 0 {
		if user := a.word(host[:at]); c.user == nil {
			c.user = &user
		}
		host = host[at+1:]
	}
	switch {
	case host == "":
		return nil, fmt.Errorf("the url %q has no host", text)
	case marked(host) || isUpperPlaceholder(host):
		return nil, errors.New("the host is chosen by no input: write its name where the placeholder stands")
	case scheme == "" && isLocal(host):
		scheme = "http"
	case scheme == "":
		scheme = "https"
		c.note("the url names no scheme, so it is https here")
	case scheme != "http" && scheme != "https":
		return nil, fmt.Errorf("want a url of http or https, have %s", scheme)
	}
	a.label = ownerOf(host)
	a.template, a.shown = escapeSlots(scheme+"://"+host), host
	if hasPath {
		c.addPath(a, path)
	}
	return a, nil
}

func (c *curlLine) addPath(a *target, path string) {
	for _, segment := range strings.Split(path, "/") {
		word := placeholders(a.word(segment), "")
		a.template += "/"
		a.shown += "/"
		for _, part := range word {
			if part.name == "" {
				a.template += escapeSlots(part.text)
				a.shown += part.text
				continue
			}
			p := c.fromPlaceholder(part.name, use{about: "Value of " + part.name + " in the path"})
			a.template += p.slot()
			a.shown += "{" + p.name + "}"
		}
	}
}

func isLocal(host string) bool {
	name, _, _ := strings.Cut(host, ":")
	ip := net.ParseIP(strings.Trim(name, "[]"))
	return name == "localhost" || ip != nil
}

// ownerOf is the part of a host that names who it belongs to, in upper case.
func ownerOf(host string) string {
	name, _, _ := strings.Cut(host, ":")
	labels := strings.Split(name, ".")
	if len(labels) > 1 && net.ParseIP(name) == nil {
		name = labels[len(labels)-2]
	} else {
		name = "SERVICE"
	}
	name = strings.ToUpper(strings.Trim(notInNames.ReplaceAllString(name, "_"), "_"))
	if name == "" || name[0] >= '0' && name[0] <= '9' {
		return "SERVICE"
	}
	return name
}

// pairs are name=value&… as pairs of a query or a form.
func (c *curlLine) pairs(a *target, text, where string) (object, error) {
	var names []string
	values := map[string][]string{}
	for _, pair := range strings.Split(text, "&") {
		name, value, _ := strings.Cut(pair, "=")
		name, err1 := url.QueryUnescape(name)
		value, err2 := url.QueryUnescape(value)
		switch {
		case pair == "":
			continue
		case err1 != nil || err2 != nil:
			return nil, fmt.Errorf("in the %s, %q is not encoded as it must be", where, pair)
		case marked(name):
			return nil, fmt.Errorf("in the %s, a name is a placeholder: names are literal", where)
		}
		if values[name] == nil {
			names = append(names, name)
		}
		values[name] = append(values[name], value)
	}
	o := object{}
	for _, name := range names {
		o.add(name, c.pair(a, where, name, values[name]))
	}
	return o, nil
}

// pair is the value of a pair, or the list of its values.
func (c *curlLine) pair(a *target, where, name string, values []string) any {
	if len(values) == 1 {
		return c.value(a, where, name, values[0])
	}
	if p, ok := c.listParameter(where, where+":"+name, name, values); ok {
		return p.slot()
	}
	var all []any
	for _, value := range values {
		all = append(all, c.constant(a, value))
	}
	return all
}

// value is a text that stands under a name, as a template: that of a secret, of placeholders, or of a parameter of that name.
func (c *curlLine) value(a *target, where, name, text string) string {
	word := placeholders(a.word(text), "")
	about := "Value of " + name + " in the " + where
	switch {
	case isSecret(name):
		return c.secret(a, word, name)
	case len(word) == 1 && word[0].name != "":
		return c.fromPlaceholder(word[0].name, use{about: about, option: name}).slot()
	case marked(text):
		return c.template(word, use{about: about, option: name})
	}
	kind, given := kindOfValue(text)
	p := parameter{source: where + ":" + name, name: name, kind: kind, about: about, given: given, required: where != "query"}
	if text == "" && where != "query" {
		p.given = nil
	}
	return c.parameter(p).slot()
}

// constant is a text with slots for its placeholders, and no parameter of its own.
func (c *curlLine) constant(a *target, text string) string {
	return c.template(placeholders(a.word(text), ""), use{about: "Value to send"})
}

// listParameter is a parameter for several literal values of one kind.
func (c *curlLine) listParameter(where, source, name string, values []string) (*parameter, bool) {
	list, items := []any{}, ""
	for _, text := range values {
		kind, value := kindOfValue(text)
		if items != "" && kind != items {
			kind, value = "string", text
			for i := range list {
				list[i] = values[i]
			}
		}
		if marked(text) || isUpperPlaceholder(text) {
			return nil, false
		}
		items, list = kind, append(list, value)
	}
	return c.parameter(parameter{
		source: source, name: name, kind: "array", items: items, given: list, required: where != "query",
		about: "Values of " + name + " in the " + where,
	}), true
}
