package exec

import (
	"context"
	"encoding/base64"
	"net/http"
	"net/textproto"
	"net/url"
	"slices"
	"strings"

	"github.com/toolspec/toolspec/spec"
)

// authConfig is how a request says who asks: exactly one of these.
type authConfig struct {
	Bearer spec.Section `spec:"bearer,one" doc:"A token, sent as Authorization: Bearer …; null drops the whole auth."`
	Basic  spec.Section `spec:"basic,one" doc:"{username, password}, sent as Authorization: Basic …"`
	APIKey spec.Section `spec:"apiKey,one" doc:"{in: header or query, name, value}."`
}

// Words are the words people bring for these keys.
func (authConfig) Words() map[string]string {
	return map[string]string{ // #nosec G101 -- words, no secrets
		"":       "write auth: {bearer: …}",
		"oauth2": spec.NoOAuth, "oauth": spec.NoOAuth, "token": "bearer", "header": "apiKey", "apikey": "apiKey", "api_key": "apiKey", "key": "apiKey",
		"type": "the key says which it is: bearer, basic or apiKey", "username": "write basic: {username, password}",
		"password": "write basic: {username, password}", "digest": spec.NotSupported,
	}
}

// Grammars says what may stand in these sections.
func (authConfig) Grammars() map[string]spec.Grammar {
	return map[string]spec.Grammar{
		"bearer": spec.GrammarOf(spec.Text{}), "basic": spec.GrammarOf(basicConfig{}), "apiKey": spec.GrammarOf(apiKeyConfig{}),
	}
}

type basicConfig struct {
	Username spec.Section `spec:"username,required" doc:"A template."`
	Password spec.Section `spec:"password" doc:"A template; default empty."`
}

// Grammars says what may stand in these sections.
func (basicConfig) Grammars() map[string]spec.Grammar {
	return map[string]spec.Grammar{"username": spec.GrammarOf(spec.Text{}), "password": spec.GrammarOf(spec.Text{})}
}

type apiKeyConfig struct {
	In    spec.Section `spec:"in" doc:"header (default) or query."`
	Name  spec.Text    `spec:"name,required" doc:"Of the header, or of the pair of the query."`
	Value spec.Section `spec:"value,required" doc:"A template."`
}

// Grammars says what may stand in these sections.
func (apiKeyConfig) Grammars() map[string]spec.Grammar {
	return map[string]spec.Grammar{"in": {"enum": []string{"header", "query"}}, "value": spec.GrammarOf(spec.Text{})}
}

// auth adds to a request who asks; nothing where a slot of its is null.
type auth struct {
	scheme  string // Bearer or Basic; empty for a key
	inQuery bool
	name    string // of the header, or of the pair of the query
	values  []*Template
}

// compileAuth reads the auth section; headers and query are those of the same request.
func compileAuth(site *Site, sec spec.Section, headers, query []pair) (*auth, spec.Diagnostics) {
	if sec.IsZero() {
		return nil, nil
	}
	var c authConfig
	if ds := sec.Decode(&c); ds.HasErrors() {
		return nil, ds
	}
	a := &auth{name: "Authorization"}
	var ds spec.Diagnostics
	switch {
	case !c.Bearer.IsZero():
		a.scheme = "Bearer"
		ds = a.add(site, c.Bearer)
	case !c.Basic.IsZero():
		a.scheme = "Basic"
		ds = a.readBasic(site, c.Basic)
	default:
		ds = a.readKey(site, c.APIKey)
	}
	taken := headers
	if a.inQuery {
		taken = query
	}
	if slices.ContainsFunc(taken, func(p pair) bool { return p.name == a.name }) {
		ds = append(ds, sec.Errorf("http", "%s is set by auth, and given once more in the same request", a.name))
	}
	return a, ds
}

func (a *auth) add(site *Site, sec spec.Section) spec.Diagnostics {
	template, ds := compileText(site, sec)
	a.values = append(a.values, template)
	return ds
}

func (a *auth) readBasic(site *Site, sec spec.Section) spec.Diagnostics {
	var c basicConfig
	if ds := sec.Decode(&c); ds.HasErrors() {
		return ds
	}
	ds := a.add(site, c.Username)
	if c.Password.IsZero() {
		a.values = append(a.values, &Template{})
		return ds
	}
	return append(ds, a.add(site, c.Password)...)
}

func (a *auth) readKey(site *Site, sec spec.Section) spec.Diagnostics {
	var c apiKeyConfig
	if ds := sec.Decode(&c); ds.HasErrors() {
		return ds
	}
	ds := a.add(site, c.Value)
	in, _ := c.In.Text()
	switch {
	case in.Value == "query":
		a.inQuery = true
	case !c.In.IsZero() && in.Value != "header":
		ds = append(ds, c.In.Want("header or query"))
	}
	a.name = c.Name.Value
	name := sec.Get("name")
	switch {
	case strings.Contains(a.name, "${"):
		return append(ds, name.Errorf(ruleTemplate, "a name is literal, not a template"))
	case a.inQuery && a.name != "":
		return ds
	case !isToken(a.name):
		return append(ds, name.Errorf("http", "%q is not the name of a header", a.name))
	}
	a.name = textproto.CanonicalMIMEHeaderKey(a.name)
	if why, reserved := reservedHeaders[a.name]; reserved {
		ds = append(ds, name.Errorf("http", "the header %s is not a file's to set: %s", a.name, why))
	}
	return ds
}

// apply adds it to a request.
func (a *auth) apply(ctx context.Context, call *Call, u *url.URL, header http.Header) error {
	texts := make([]string, len(a.values))
	for i, template := range a.values {
		text, null, err := template.text(ctx, call.Vars())
		if err != nil || null {
			return err
		}
		texts[i] = text
	}
	if a.inQuery {
		u.RawQuery = strings.TrimPrefix(u.RawQuery+"&"+encodeValue(a.name)+"="+encodeValue(texts[0]), "&")
		return nil
	}
	value := texts[0]
	switch a.scheme {
	case "Bearer":
		value = "Bearer " + value
	case "Basic":
		user := texts[0]
		if call.Stub != nil {
			user = strings.TrimPrefix(user, stubSecret("")) // what stands for a secret there has a colon of its own
		}
		if strings.Contains(user, ":") {
			return spec.NewError(spec.CodeInvalidInput, "auth.basic: a user name holds no colon")
		}
		encoded := basicCredentials(texts[0], texts[1])
		if !call.vault.isEmpty() {
			call.vault.hide(encoded, "secret:basic")
		}
		value = "Basic " + encoded
	}
	if fault := headerValueFault(value); fault != "" {
		return spec.NewError(spec.CodeInvalidInput, "auth: %s", fault)
	}
	header[a.name] = []string{value}
	return nil
}

// basicCredentials are a name and a password as HTTP sends them.
func basicCredentials(user, password string) string {
	return base64.StdEncoding.EncodeToString([]byte(user + ":" + password))
}
