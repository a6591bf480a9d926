package exec

import (
	"context"
	"maps"
	"net/http"
	"net/url"
	"strings"

	"github.com/toolspec/toolspec/spec"
)

// httpConfig is the section of the kind http: one request, and what counts as its answer.
type httpConfig struct {
	Method       spec.Section `spec:"method" doc:"GET, POST, …; default GET, or POST with a body."`
	URL          spec.Section `spec:"url,required" doc:"Where the request goes. A value in its path is one segment; scheme and host are literal or from env, or the whole url is one template."`
	Query        spec.Section `spec:"query" doc:"Names and values of the query; a list repeats its pair, null drops it."`
	Headers      spec.Section `spec:"headers" doc:"Names and values of headers; a list repeats one, null drops it."`
	Auth         spec.Section `spec:"auth" doc:"Who asks: exactly one of bearer, basic, apiKey. Null drops it."`
	Body         spec.Section `spec:"body" doc:"Exactly one of json, form, text, multipart, file, bytes."`
	Redirects    spec.Section `spec:"redirects" doc:"How many redirects are followed, at most 20; default none."`
	Retry        spec.Section `spec:"retry" doc:"{attempts: 3}: GET, HEAD, PUT and DELETE are made again on 429, 502, 503, 504; every request on a refused connection."`
	Output       outputFormat `spec:"output" doc:"How the body is read: text, json, jsonl, csv, lines, bytes; default by its Content-Type."`
	SuccessCodes spec.Section `spec:"successCodes" doc:"Statuses that are a success, as numbers and ranges; default [200-399]."`
}

// Words are the words people bring for these keys.
func (httpConfig) Words() map[string]string {
	return map[string]string{
		"":                "write http: {url: …}",
		"pagination":      "one call is one request: make the page a parameter",
		"authorization":   "auth",
		"authentication":  "auth",
		"bearer":          "write it under auth, as auth: {bearer: …}",
		"retries":         "write retry: {attempts: 3}",
		"attempts":        "write retry: {attempts: 3}",
		"backoff":         "write retry: {attempts: 3}",
		"uri":             "url",
		"endpoint":        "url",
		"params":          "query",
		"header":          "headers",
		"data":            "body",
		"json":            "write it under body, as body: {json: …}",
		"form":            "write it under body, as body: {form: …}",
		"timeout":         "write it at the top of the file, beside name: it holds for the whole call",
		"proxy":           "the operator's policy says which proxy is used, as egress: {proxy: http://HOST:PORT}",
		"followRedirects": "redirects",
		"maxRedirects":    "redirects",
		"expectedStatus":  "successCodes",
	}
}

// Grammars says what may stand in these sections.
func (httpConfig) Grammars() map[string]spec.Grammar {
	return map[string]spec.Grammar{
		"method": {
			"type": "string", "pattern": "^[A-Z0-9!#$%&'*+.^_`|~-]+$", "not": spec.Grammar{"enum": []string{http.MethodConnect, http.MethodTrace}},
			"examples": []string{"GET", "POST", "PUT", "PATCH", "DELETE", "HEAD"},
		},
		"url":          spec.GrammarOf(spec.Text{}),
		"query":        pairsGrammar(),
		"headers":      pairsGrammar().With(spec.Grammar{"propertyNames": spec.Grammar{"pattern": "^[A-Za-z0-9!#$%&'*+.^_`|~-]+$"}}),
		"auth":         spec.GrammarOf(authConfig{}),
		"body":         spec.GrammarOf(bodyConfig{}),
		"retry":        spec.GrammarOf(retryConfig{}),
		"redirects":    {"type": "integer", "minimum": 0, "maximum": mostRedirects},
		"successCodes": spec.GrammarOf(codeRanges{}),
	}
}

// mostRedirects is how many redirects a file may have followed.
const mostRedirects = 20

// httpRequest is the kind http, compiled.
type httpRequest struct {
	env       *Env
	method    string
	url       *urlTemplate
	query     []pair
	fixed     http.Header  // that every request has
	headers   []pair       // that depend on the call
	auth      *auth        // nil: none
	body      bodyTemplate // nil: none
	redirects int
	attempts  int
	output    outputFormat // empty: by Content-Type
	success   codeRanges
}

// newHTTP is the kind http; everything that is wrong in its section is said at once.
func newHTTP(site *Site, config spec.Section) (Executor, spec.Diagnostics) {
	var c httpConfig
	ds := config.Decode(&c)
	if config.Form() != spec.FormMap {
		return nil, ds
	}
	h := &httpRequest{env: site.Env, output: c.Output, success: codeRanges{{200, 399}}}
	take := func(faults spec.Diagnostics) { ds = append(ds, faults...) }
	var faults spec.Diagnostics
	if !c.URL.IsZero() {
		h.url, faults = compileURL(site, c.URL)
		take(faults)
	}
	h.query, faults = compilePairs(site, c.Query)
	take(faults)
	headers, faults := compileHeaders(site, c.Headers)
	take(faults)
	h.fixed, h.headers = splitHeaders(headers, h.accept())
	h.auth, faults = compileAuth(site, c.Auth, headers, h.query)
	take(faults)
	h.body, faults = compileBody(site, c.Body, headers)
	take(faults)
	h.attempts, faults = readRetry(c.Retry)
	take(faults)
	take(h.readMethod(c))
	take(h.readAnswer(c))
	take(h.checkRetry(c.Retry))
	if ds.HasErrors() {
		return nil, ds
	}
	return h, ds
}

func (h *httpRequest) readMethod(c httpConfig) spec.Diagnostics {
	h.method = http.MethodGet
	if !c.Body.IsZero() {
		h.method = http.MethodPost
	}
	if c.Method.IsZero() {
		return nil
	}
	var ds spec.Diagnostics
	if ds = c.Method.Decode(&h.method); ds.HasErrors() {
		return ds
	}
	switch {
	case strings.Contains(h.method, "${"):
		return append(ds, c.Method.Errorf("http", "the method is literal, not a template"))
	case !isToken(h.method) || h.method != strings.ToUpper(h.method):
		return append(ds, c.Method.Errorf("http", "want a method such as GET or POST, in capitals, have %q", h.method))
	case h.method == http.MethodConnect || h.method == http.MethodTrace:
		return append(ds, c.Method.Errorf("http", "the method %s is not for tools", h.method))
	}
	return ds
}

// readAnswer reads what is said about the response.
func (h *httpRequest) readAnswer(c httpConfig) spec.Diagnostics {
	var ds spec.Diagnostics
	if !c.Redirects.IsZero() {
		ds = append(ds, c.Redirects.Decode(&h.redirects)...)
		if h.redirects < 0 || h.redirects > mostRedirects {
			ds = append(ds, c.Redirects.Errorf("http", "want 0 to 20 redirects, have %d", h.redirects))
		}
	}
	if !c.SuccessCodes.IsZero() {
		ds = append(ds, c.SuccessCodes.Decode(&h.success)...)
	}
	return ds
}

// Execute makes the request and reads its answer. A status that is no success is an error, and yet the value is that
// of its body: the tool's result may know better what it says.
func (h *httpRequest) Execute(ctx context.Context, call *Call) (any, error) {
	out, err := h.build(ctx, call)
	if err != nil {
		return nil, err
	}
	call.tell(h.planOf(out))
	tries := &attempts{most: h.attempts, made: 1}
	response, err := h.send(ctx, call, out, tries)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	if call.watched() {
		call.Show("response", shownResponse(response))
	}
	body, err := readBody(response, h.env.readLimit())
	call.hear(func() Answer { return heardResponse(response, body, err) })
	if !h.success.has(response.StatusCode) {
		var value any
		if err == nil { // part of a body is no value
			value, _ = decodeBody(h.output, response.Header, body, roomFor(int(h.env.readLimit())), call.vault)
		}
		return value, statusError(response, body, tries, call.vault)
	}
	if err != nil {
		return nil, networkError(ctx, out.url, err)
	}
	return decodeBody(h.output, response.Header, body, roomFor(int(h.env.readLimit())), call.vault)
}

// outgoing is one request on its way; a redirect makes another of it.
type outgoing struct {
	method  string
	url     *url.URL
	header  http.Header
	body    *requestBody // nil: none
	foreign bool         // the host comes from the input or from a redirect
}

// build makes the request of one call.
func (h *httpRequest) build(ctx context.Context, call *Call) (*outgoing, error) {
	v := call.Vars()
	u, err := h.url.build(ctx, v)
	if err != nil {
		return nil, err
	}
	if err := addQuery(ctx, v, u, h.query); err != nil {
		return nil, err
	}
	header := maps.Clone(h.fixed)
	if err := addHeaders(ctx, v, header, h.headers); err != nil {
		return nil, err
	}
	if h.auth != nil {
		if err := h.auth.apply(ctx, call, u, header); err != nil {
			return nil, err
		}
	}
	if err := checkHead(u, header); err != nil {
		return nil, err
	}
	out := &outgoing{method: h.method, url: u, header: header, foreign: h.url.foreign}
	if h.body == nil {
		return out, nil
	}
	if out.body, err = h.body(ctx, call); err != nil {
		return nil, err
	}
	if out.body != nil && header["Content-Type"] == nil {
		header["Content-Type"] = []string{out.body.contentType}
	}
	return out, nil
}

func (h *httpRequest) accept() string {
	if h.output == "" || h.output == outputJSON {
		return "application/json, */*;q=0.8"
	}
	return "*/*"
}

// addQuery adds the pairs of the query to what the url has already.
func addQuery(ctx context.Context, v *Vars, u *url.URL, pairs []pair) error {
	if len(pairs) == 0 {
		return nil
	}
	var b strings.Builder
	b.Grow(len(u.RawQuery) + 64)
	b.WriteString(u.RawQuery)
	for _, p := range pairs {
		texts, err := p.texts(ctx, v)
		if err != nil {
			return err
		}
		for _, text := range texts {
			if b.Len() > 0 {
				b.WriteByte('&')
			}
			b.WriteString(encodeValue(p.name))
			b.WriteByte('=')
			b.WriteString(encodeValue(text))
		}
	}
	u.RawQuery = b.String()
	return nil
}
