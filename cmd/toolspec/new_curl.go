package main

import (
	"errors"
	"fmt"
	"strings"
)

// curlLine is a command line of curl, read.
type curlLine struct {
	*draft
	method    string
	urls      []lineWord
	headers   []lineWord
	data      []curlData
	form      []curlPart
	user      *lineWord
	bearer    *lineWord
	redirects int
	inQuery   bool // -G
	head      bool // -I
	isJSON    bool // --json
	literal   bool // -g
}

// curlData is one -d: what is sent, and how it is read.
type curlData struct {
	text lineWord
	raw  bool // no @ names a file
	form bool // --data-urlencode
}

// curlPart is one -F.
type curlPart struct {
	text lineWord
	raw  bool
}

// curlOption is what an option of curl means here.
type curlOption struct {
	long    string
	short   byte // 0: none
	valued  bool // the next word is its value
	ignored string
	refused string
	take    func(*curlLine, lineWord) error
}

// find is the option of a name, such as -X or --request.
func findOption(name string) (curlOption, bool) {
	for _, o := range curlOptions() {
		if "--"+o.long == name || o.short != 0 && "-"+string(o.short) == name {
			return o, true
		}
	}
	return curlOption{}, false
}

// fromCurl makes a tool of a curl command.
func (d *draft) fromCurl(words []lineWord) error {
	c := &curlLine{draft: d}
	for len(words) > 0 {
		word := words[0]
		words = words[1:]
		name := ""
		if len(word) > 0 && len(word[0].text) > 1 && word[0].text[0] == '-' {
			name = word[0].text
		}
		var err error
		switch {
		case name == "":
			c.urls = append(c.urls, word)
		case strings.HasPrefix(name, "--"):
			words, err = c.long(word, words)
		default:
			words, err = c.bundle(word, words)
		}
		if err != nil {
			return err
		}
	}
	return c.finish()
}

// long reads --option VALUE; curl does not know --option=VALUE, but what is meant is clear.
func (c *curlLine) long(word lineWord, words []lineWord) ([]lineWord, error) {
	name, value, attached := strings.Cut(word[0].text, "=")
	o, known := findOption(name)
	if plain, isNo := strings.CutPrefix(name, "--no-"); !known && isNo {
		if _, is := findOption("--" + plain); is && !attached {
			return words, nil
		}
	}
	switch {
	case !known:
		return nil, unknownOption(name)
	case o.valued && attached:
		return words, c.apply(o, name, append(lineWord{{text: value}}, word[1:]...))
	case attached || len(word) > 1:
		return nil, fmt.Errorf("curl's %s takes no value", name)
	}
	return c.withNext(o, name, words)
}

// bundle reads short options, which may stand in one word with the value of the last.
func (c *curlLine) bundle(word lineWord, words []lineWord) ([]lineWord, error) {
	letters := word[0].text[1:]
	for i := range len(letters) {
		name := "-" + letters[i:i+1]
		o, known := findOption(name)
		switch rest := letters[i+1:]; {
		case !known:
			return nil, unknownOption(name)
		case o.valued && (rest != "" || len(word) > 1):
			value := word[1:]
			if rest != "" {
				value = append(lineWord{{text: rest}}, value...)
			}
			return words, c.apply(o, name, value)
		case i == len(letters)-1 && len(word) == 1:
			return c.withNext(o, name, words)
		}
		if err := c.apply(o, name, nil); err != nil {
			return nil, err
		}
	}
	return nil, fmt.Errorf("curl's option %s is followed by a placeholder it does not take", word[0].text)
}

func (c *curlLine) withNext(o curlOption, name string, words []lineWord) ([]lineWord, error) {
	if !o.valued {
		return words, c.apply(o, name, nil)
	}
	if len(words) == 0 {
		return nil, fmt.Errorf("curl's %s wants a value behind it", name)
	}
	return words[1:], c.apply(o, name, words[0])
}

func (c *curlLine) apply(o curlOption, name string, value lineWord) error {
	switch {
	case o.refused != "":
		return fmt.Errorf("curl's %s is not taken over: %s", name, o.refused)
	case o.ignored != "":
		c.note(name + " is left out: " + o.ignored)
	case o.take != nil:
		return o.take(c, value)
	}
	return nil
}

func unknownOption(name string) error {
	return fmt.Errorf("curl's option %s is not known here: leave it out, or write the file by hand (toolspec new NAME --kind http)", name)
}

// finish makes the tool of what the options said.
func (c *curlLine) finish() error {
	switch {
	case len(c.urls) == 0:
		return errors.New("the curl command names no url")
	case len(c.urls) > 1:
		return errors.New("the curl command names several urls: a tool makes one request; make a tool of each")
	case len(c.form) > 0 && len(c.data) > 0:
		return errors.New("curl sends either -d or -F: leave one of them out")
	}
	address, err := c.readAddress(c.urls[0])
	if err != nil {
		return err
	}
	config, err := c.request(address)
	if err != nil {
		return err
	}
	c.executor = object{{"http", config}}
	c.describe(address)
	return nil
}

// request is the section of the kind http.
func (c *curlLine) request(a *target) (config object, err error) {
	query, err := c.pairs(a, a.query, "query")
	if err != nil {
		return nil, err
	}
	headers, auth, err := c.readHeaders(a)
	if err != nil {
		return nil, err
	}
	body := object{}
	if !c.inQuery {
		if body, err = c.body(a, &headers); err != nil {
			return nil, err
		}
	} else if err := c.dataToQuery(a, &query); err != nil {
		return nil, err
	}
	if c.method = c.chosenMethod(body); c.method != "GET" && (c.method != "POST" || len(body) == 0) {
		config.add("method", c.method)
	}
	config.add("url", a.template)
	for _, part := range []member{{"query", query}, {"headers", headers}, {"auth", auth}, {"body", body}} {
		if o := part.value.(object); len(o) > 0 {
			config.add(part.key, o)
		}
	}
	if c.redirects > 0 {
		config.add("redirects", c.redirects)
	}
	return config, nil
}

func (c *curlLine) chosenMethod(body object) string {
	switch {
	case c.method != "":
		return c.method
	case c.head:
		return "HEAD"
	case len(body) > 0 || len(c.data) > 0 && !c.inQuery:
		return "POST"
	}
	return "GET"
}

// describe says what a model is told, and what the tool does to the world.
func (c *curlLine) describe(a *target) {
	what := "what " + a.shown + " answers"
	c.description = fmt.Sprintf("Send %s %s and give its answer. Use this tool when the user asks for %s. Do not use it for other addresses.", c.method, a.shown, what)
	switch c.method {
	case "GET", "HEAD":
		c.annotations = object{{"readOnlyHint", true}, {"openWorldHint", true}}
	case "DELETE":
		c.annotations = object{{"destructiveHint", true}, {"idempotentHint", true}, {"openWorldHint", true}}
	default:
		c.annotations = object{{"openWorldHint", true}}
	}
	c.answer = object{{"http", object{{"json", object{{"found", true}}}}}}
	if c.method == "HEAD" {
		c.answer = object{{"http", object{{"status", 200}}}}
	}
}
