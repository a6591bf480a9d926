package main

import (
	"encoding/base64"
	"fmt"
	"net/textproto"
	"regexp"
	"slices"
	"strings"

	"github.com/toolspec/toolspec/exec"
)

// secretNames are the names of headers, pairs and fields that hold what nobody may read.
var secretNames = regexp.MustCompile(`(?i)^(x-)?(.*[-_])?(api[-_]?key|apikey|appid|access[-_]?key|token|secret|password|passwd|pwd|authorization|credentials?|session|sessionid|cookie|signature|key)$`)

func isSecret(name string) bool { return secretNames.MatchString(name) }

// secret is a slot for a secret in the place of what stood there: named as its placeholder, or after whom it is for.
func (c *curlLine) secret(a *target, word lineWord, what string) string {
	name := a.label + "_" + strings.TrimPrefix(strings.ToUpper(strings.Trim(notInNames.ReplaceAllString(what, "_"), "_")), "X_")
	if len(word) == 1 && word[0].name != "" {
		name = strings.ToUpper(notInNames.ReplaceAllString(word[0].name, "_"))
	}
	c.note("the secret " + name + " stands for what was in the command line: give it to the server as " + exec.DefaultPolicy().Secrets.Prefix + name)
	return "${secret." + name + "}"
}

// ownHeaders follow from the connection, or are written for every request.
var ownHeaders = []string{
	"Host", "Content-Length", "Transfer-Encoding", "Accept-Encoding", "Connection", "Keep-Alive", "Proxy-Connection", "Proxy-Authorization",
	"Te", "Trailer", "Upgrade", "Expect",
}

// readHeaders reads the headers; those that say who asks become the auth of the request.
func (c *curlLine) readHeaders(a *target) (headers, auth object, err error) {
	if auth, err = c.readUser(a); err != nil {
		return nil, nil, err
	}
	for _, word := range c.headers {
		text := a.text(placeholders(word, " =;,"))
		name, value, ok := strings.Cut(text, ":")
		value = strings.TrimSpace(value)
		if bare, empty := strings.CutSuffix(text, ";"); !ok && empty {
			name, value, ok = bare, "", true
		} else if ok && value == "" {
			c.note("the header " + name + " is left out, as curl leaves it out")
			continue
		}
		if !ok || marked(name) {
			return nil, nil, fmt.Errorf("want a header such as 'Accept: application/json', have %q", name)
		}
		name = textproto.CanonicalMIMEHeaderKey(strings.TrimSpace(name))
		switch {
		case slices.Contains(ownHeaders, name) || strings.HasPrefix(name, "Sec-"):
			c.note("the header " + name + " is left out: it is no file's to set")
		case name == "Authorization" && len(auth) == 0:
			if auth = c.readAuthorization(a, value); auth == nil {
				headers.set(name, c.schemeSecret(a, value))
			}
		case name == "Authorization":
			c.note("of several credentials the first is taken")
		case isSecret(name):
			headers.set(name, c.secret(a, a.word(value), name))
		default:
			headers.set(name, c.template(a.word(value), use{about: "Value of the header " + name}))
		}
	}
	return headers, auth, nil
}

// set adds a value; several of one name are a list.
func (o *object) set(key string, value any) {
	for i, m := range *o {
		if m.key == key {
			list, isList := m.value.([]any)
			if !isList {
				list = []any{m.value}
			}
			(*o)[i].value = append(list, value)
			return
		}
	}
	o.add(key, value)
}

// drop takes a key away and gives its value.
func (o *object) drop(key string) (value any) {
	*o = slices.DeleteFunc(*o, func(m member) bool {
		if m.key == key {
			value = m.value
		}
		return m.key == key
	})
	return value
}

// readUser reads -u, what stood before the host, and --oauth2-bearer.
func (c *curlLine) readUser(a *target) (object, error) {
	if c.bearer != nil {
		return object{{"bearer", c.secret(a, *c.bearer, "token")}}, nil
	}
	if c.user == nil {
		return nil, nil
	}
	text := a.text(*c.user)
	user, password, _ := strings.Cut(text, ":")
	return c.basic(a, user, password), nil
}

// basic is a user and a password; a user without one is most likely a key.
func (c *curlLine) basic(a *target, user, password string) object {
	basic := object{}
	if password == "" || marked(user) {
		basic.add("username", c.secret(a, a.word(user), "user"))
	} else {
		basic.add("username", escapeSlots(user))
	}
	if password != "" {
		basic.add("password", c.secret(a, a.word(password), "password"))
	}
	return object{{"basic", basic}}
}

// readAuthorization is the auth that a header Authorization says; nil for a scheme that has none.
func (c *curlLine) readAuthorization(a *target, value string) object {
	scheme, credentials, _ := strings.Cut(value, " ")
	switch strings.ToLower(scheme) {
	case "bearer":
		return object{{"bearer", c.secret(a, a.word(strings.TrimSpace(credentials)), "token")}}
	case "basic":
		plain, err := base64.StdEncoding.DecodeString(strings.TrimSpace(credentials))
		user, password, ok := strings.Cut(string(plain), ":")
		if err == nil && ok && !marked(string(plain)) && strings.ToValidUTF8(user, "") == user {
			return c.basic(a, user, password)
		}
	}
	return nil
}

// schemeSecret is the value of a header Authorization of another scheme: its word stays, what follows is secret.
func (c *curlLine) schemeSecret(a *target, value string) string {
	scheme, credentials, ok := strings.Cut(value, " ")
	if !ok || marked(scheme) || !methodName.MatchString(scheme) {
		return c.secret(a, a.word(value), "authorization")
	}
	return scheme + " " + c.secret(a, a.word(strings.TrimSpace(credentials)), "token")
}
