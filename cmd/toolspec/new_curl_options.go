package main

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

const (
	notTrusted  = "certificates are always checked; have the server's authority trusted by the machine"
	noProxy     = "no proxy is used"
	noClient    = "certificates of one's own are not supported"
	noFiles     = "a tool reads no file of options or cookies; write what it holds"
	toValue     = "what is answered becomes the tool's value"
	oneRequest  = "a tool makes one request; make a tool of each"
	chosenBelow = "which protocol and which address is used is found out when the connection is made"
)

// curlOptions are the options of curl that are known.
func curlOptions() []curlOption {
	options := []curlOption{
		{long: "request", short: 'X', valued: true, take: (*curlLine).takeMethod},
		{long: "header", short: 'H', valued: true, take: (*curlLine).takeHeader},
		{long: "url", valued: true, take: func(c *curlLine, w lineWord) error { c.urls = append(c.urls, w); return nil }},
		{long: "data", short: 'd', valued: true, take: takeData(false, false, false)},
		{long: "data-ascii", valued: true, take: takeData(false, false, false)},
		{long: "data-binary", valued: true, take: takeData(false, false, false)},
		{long: "data-raw", valued: true, take: takeData(true, false, false)},
		{long: "data-urlencode", valued: true, take: takeData(false, true, false)},
		{long: "json", valued: true, take: takeData(false, false, true)},
		{long: "form", short: 'F', valued: true, take: takePart(false)},
		{long: "form-string", valued: true, take: takePart(true)},
		{long: "get", short: 'G', take: func(c *curlLine, _ lineWord) error { c.inQuery = true; return nil }},
		{long: "globoff", short: 'g', take: func(c *curlLine, _ lineWord) error { c.literal = true; return nil }},
		{long: "head", short: 'I', take: func(c *curlLine, _ lineWord) error { c.head = true; return nil }},
		{long: "user", short: 'u', valued: true, take: func(c *curlLine, w lineWord) error { c.user = &w; return nil }},
		{long: "oauth2-bearer", valued: true, take: func(c *curlLine, w lineWord) error { c.bearer = &w; return nil }},
		{long: "cookie", short: 'b', valued: true, take: (*curlLine).takeCookie},
		{long: "user-agent", short: 'A', valued: true, take: takeHeaderOf("User-Agent")},
		{long: "referer", short: 'e', valued: true, take: takeHeaderOf("Referer")},
		{long: "range", short: 'r', valued: true, take: takeHeaderOf("Range")},
		{long: "location", short: 'L', take: func(c *curlLine, _ lineWord) error { c.redirects = max(c.redirects, 10); return nil }},
		{long: "max-redirs", valued: true, take: (*curlLine).takeRedirects},
		{long: "max-time", short: 'm', valued: true, take: (*curlLine).takeTimeout},
		{long: "output", short: 'o', valued: true, ignored: toValue},
		{long: "remote-name", short: 'O', ignored: toValue},
		{long: "connect-timeout", valued: true, ignored: "timeout holds for the whole call"},
		{long: "retry", valued: true, ignored: "whoever calls the tool is told when to try again"},
		{long: "include", short: 'i', ignored: "headers are read as response.headers in result"},
		{long: "cookie-jar", short: 'c', valued: true, ignored: "a tool keeps no cookies"},
		{long: "write-out", short: 'w', valued: true, ignored: "status and headers are read as response in result"},
	}
	return append(append(options, refusedOptions()...), silentOptions()...)
}

func refusedOptions() []curlOption {
	return []curlOption{
		{long: "insecure", short: 'k', refused: notTrusted},
		{long: "proxy", short: 'x', valued: true, refused: noProxy},
		{long: "socks5", valued: true, refused: noProxy}, {long: "socks5-hostname", valued: true, refused: noProxy},
		{long: "cert", short: 'E', valued: true, refused: noClient}, {long: "key", valued: true, refused: noClient},
		{long: "cacert", valued: true, refused: notTrusted},
		{long: "config", short: 'K', valued: true, refused: noFiles}, {long: "netrc", short: 'n', refused: "secrets come from the operator; give -u USER:PASSWORD"},
		{long: "upload-file", short: 'T', valued: true, refused: "write -X PUT --data-binary @FILE"},
		{long: "location-trusted", refused: "credentials are never sent to another host"},
		{long: "unix-socket", valued: true, refused: "tools reach hosts, not sockets"},
		{long: "resolve", valued: true, refused: chosenBelow}, {long: "connect-to", valued: true, refused: chosenBelow},
		{long: "next", refused: oneRequest}, {long: "parallel", short: 'Z', refused: oneRequest},
		{long: "digest", refused: "of -u only Basic is known"}, {long: "negotiate", refused: "of -u only Basic is known"}, {long: "ntlm", refused: "of -u only Basic is known"},
	}
}

// silentOptions say only what curl shows, or what is done here anyway.
func silentOptions() (silent []curlOption) {
	for _, name := range strings.Fields("silent/s show-error/S verbose/v fail/f fail-with-body progress-bar/# no-buffer/N no-progress-meter compressed " +
		"remote-header-name/J basic http1.0/0 http1.1 http2 http2-prior-knowledge http3 ipv4/4 ipv6/6 tlsv1.2 tlsv1.3 create-dirs disable/q") {
		long, short, _ := strings.Cut(name, "/")
		o := curlOption{long: long}
		if short != "" {
			o.short = short[0]
		}
		silent = append(silent, o)
	}
	return silent
}

var methodName = regexp.MustCompile(`^[A-Za-z]+$`)

func (c *curlLine) takeMethod(w lineWord) error {
	text, plain := w.text()
	if !plain || !methodName.MatchString(text) {
		return errors.New("the method is literal: write -X POST, not a placeholder")
	}
	c.method = strings.ToUpper(text)
	return nil
}

func (c *curlLine) takeHeader(w lineWord) error {
	if len(w) > 0 && strings.HasPrefix(w[0].text, "@") {
		return errors.New("curl's -H @FILE is not taken over: write the headers")
	}
	c.headers = append(c.headers, w)
	return nil
}

func takeHeaderOf(name string) func(*curlLine, lineWord) error {
	return func(c *curlLine, w lineWord) error {
		if name == "Range" {
			w = append(lineWord{{text: "bytes="}}, w...)
		}
		c.headers = append(c.headers, append(lineWord{{text: name + ": "}}, w...))
		return nil
	}
}

func (c *curlLine) takeCookie(w lineWord) error {
	if text, plain := w.text(); plain && !strings.Contains(text, "=") {
		return errors.New("curl's -b FILE is not taken over: a tool reads no file of cookies; write -b NAME=VALUE")
	}
	c.headers = append(c.headers, append(lineWord{{text: "Cookie: "}}, w...))
	return nil
}

func (c *curlLine) takeRedirects(w lineWord) error {
	text, _ := w.text()
	n, err := strconv.Atoi(text)
	if err != nil || n < -1 {
		return fmt.Errorf("curl's --max-redirs wants a number, have %q", text)
	}
	if n < 0 || n > 20 {
		n = 20
		c.note("--max-redirs is 20, which is the most")
	}
	c.redirects = n
	return nil
}

func (c *curlLine) takeTimeout(w lineWord) error {
	text, _ := w.text()
	seconds, err := strconv.ParseFloat(text, 64)
	if err != nil || !(seconds > 0 && seconds <= 3600) {
		return fmt.Errorf("curl's --max-time wants seconds, at most 3600, have %q", text)
	}
	c.timeout = strconv.FormatFloat(max(seconds, 0.001), 'f', -1, 64) + "s"
	return nil
}

func takeData(raw, form, isJSON bool) func(*curlLine, lineWord) error {
	return func(c *curlLine, w lineWord) error {
		c.data = append(c.data, curlData{w, raw, form})
		c.isJSON = c.isJSON || isJSON
		return nil
	}
}

func takePart(raw bool) func(*curlLine, lineWord) error {
	return func(c *curlLine, w lineWord) error {
		c.form = append(c.form, curlPart{w, raw})
		return nil
	}
}
