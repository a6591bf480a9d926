package main

import (
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"strings"
)

// body is what -d, -F and their like send. headers lose a Content-Type that goes without saying.
func (c *curlLine) body(a *target, headers *object) (object, error) {
	if len(c.form) > 0 {
		headers.drop("Content-Type")
		return c.multipart(a)
	}
	if len(c.data) == 0 {
		return nil, nil
	}
	contentType, _ := headers.drop("Content-Type").(string)
	if file, ok := c.onlyFile(a); ok {
		if contentType == "" {
			contentType = "application/x-www-form-urlencoded"
		}
		headers.add("Content-Type", contentType)
		return object{{"file", file}}, nil
	}
	text, err := c.dataText(a)
	if err != nil || text == "" {
		return nil, err
	}
	media, _, _ := strings.Cut(strings.ToLower(contentType), ";")
	media = strings.TrimSpace(media)
	tree, isJSON := readTree(a, text)
	switch {
	case isJSON && (c.isJSON || media == "" || strings.HasSuffix(media, "json")):
		if media != "" && media != "application/json" {
			headers.add("Content-Type", contentType)
		}
		return object{{"json", c.tree(a, tree, "", "body")}}, nil
	case c.isJSON || strings.HasSuffix(media, "json"):
		return nil, errors.New("the body is no JSON object or list, as its Content-Type wants; a placeholder such as NAME stands where a value stands")
	case (media == "" || media == "application/x-www-form-urlencoded") && strings.Contains(text, "="):
		form, err := c.pairs(a, text, "form")
		return object{{"form", form}}, err
	case contentType == "":
		contentType = "text/plain"
		c.note("the body is sent as text/plain: say in headers what else it is")
	}
	headers.add("Content-Type", contentType)
	if strings.Contains(media, "xml") || strings.Contains(media, "html") {
		return object{{"text", c.markup(a, text)}}, nil
	}
	return object{{"text", c.value(a, "body", "text", text)}}, nil
}

// markup is a body of XML or HTML: it stays as it is, but for placeholders, whose values are escaped.
func (c *curlLine) markup(a *target, text string) string {
	var word lineWord
	for _, part := range a.word(text) { // those in braces are marked by now
		if part.name != "" {
			word = append(word, part)
		} else {
			word = append(word, upperParts(part.text, "<>\"'", false, false)...)
		}
	}
	if len(word) == 1 && word[0].name == "" {
		c.note("the body has no placeholder, so it is always the same: write one, such as {name}, where a value stands")
	}
	return c.template(word, use{about: "Value to send in the body"})
}

// dataToQuery sends the data in the query, as -G says.
func (c *curlLine) dataToQuery(a *target, query *object) error {
	text, err := c.dataText(a)
	if err != nil {
		return err
	}
	more, err := c.pairs(a, text, "query")
	*query = append(*query, more...)
	return err
}

// onlyFile is the path of the one file that is sent as it is.
func (c *curlLine) onlyFile(a *target) (path string, ok bool) {
	if len(c.data) != 1 || c.data[0].raw || c.data[0].form {
		return "", false
	}
	text, ok := strings.CutPrefix(a.text(c.data[0].text), "@")
	if !ok {
		return "", false
	}
	return c.path(a, "body_file", text), true
}

// path is a path as a template: what stands there is the example. A call keeps to the directory that stands there, or else
// to dir.work.
func (c *curlLine) path(a *target, name, text string) string {
	word := placeholders(a.word(text), "/.")
	about := "Path of the file to send as " + name
	if len(word) != 1 || word[0].name != "" {
		return c.template(word, use{about: about})
	}
	dir, file := "", text
	if at := strings.LastIndexByte(text, '/'); at > 0 && (text[0] == '/' || strings.Contains(text, "..")) {
		dir, file = text[:at+1], text[at+1:]
		about += ", from " + dir
	}
	return dir + c.parameter(parameter{source: "file:" + name, name: name, kind: "string", about: about, given: file, required: true}).slot()
}

// dataText is all the data as one text, marked.
func (c *curlLine) dataText(a *target) (string, error) {
	between, parts := "&", []string{}
	if c.isJSON {
		between = ""
	}
	for _, d := range c.data {
		text := a.text(placeholders(d.text, ""))
		if !d.raw && strings.HasPrefix(text, "@") {
			return "", errors.New("of the data one part is a file: write body: {file: …}, or what the file holds")
		}
		if d.form {
			name, value, named := strings.Cut(text, "=")
			if !named {
				name, value = "", text
			}
			if !named && strings.Contains(text, "@") {
				return "", errors.New("curl's --data-urlencode NAME@FILE is not taken over: write what the file holds")
			}
			if text = escapeMarked(value); name != "" {
				text = name + "=" + text
			}
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, between), nil
}

// escapeMarked encodes all but the marks.
func escapeMarked(text string) string {
	var b strings.Builder
	for _, c := range text {
		if c >= firstMark {
			b.WriteRune(c)
		} else {
			b.WriteString(url.QueryEscape(string(c)))
		}
	}
	return b.String()
}

// multipart is the parts of -F.
func (c *curlLine) multipart(a *target) (object, error) {
	parts := object{}
	for _, f := range c.form {
		name, value, ok := strings.Cut(a.text(placeholders(f.text, "")), "=")
		if !ok || marked(name) || name == "" {
			return nil, fmt.Errorf("curl's -F wants NAME=VALUE, have %q", name)
		}
		if f.raw {
			parts.set(name, c.value(a, "form", name, value))
			continue
		}
		value, settings := cutSettings(value)
		var part object
		if value != "" && (value[0] == '@' || value[0] == '<') {
			part.add("file", c.path(a, name, value[1:]))
		} else if part.add("text", c.value(a, "form", name, value)); settings == "" {
			parts.set(name, part[0].value)
			continue
		}
		for _, setting := range strings.Split(settings, ";") {
			switch key, text, _ := strings.Cut(strings.TrimSpace(setting), "="); key {
			case "type":
				part.add("type", c.constant(a, text))
			case "filename":
				part.add("name", c.constant(a, strings.Trim(text, `"`)))
			}
		}
		parts.set(name, part)
	}
	return object{{"multipart", parts}}, nil
}

// partSetting is what curl takes for a setting of a part, and not for its value.
var partSetting = regexp.MustCompile(`; *(type|filename|headers|encoder)=`)

// cutSettings parts what -F sends from how it sends it.
func cutSettings(value string) (sent, settings string) {
	if at := partSetting.FindStringIndex(value); at != nil {
		return value[:at[0]], value[at[0]+1:]
	}
	return value, ""
}
