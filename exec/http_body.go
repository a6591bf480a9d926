package exec

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"html"
	"mime"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/toolspec/toolspec/spec"
)

// bodyConfig is the body of a request: exactly one of these.
type bodyConfig struct {
	JSON      spec.Section `spec:"json,one" doc:"JSON whose texts are templates. It is built, never spliced."`
	Form      spec.Section `spec:"form,one" doc:"Names and values, sent as a web form; a list repeats its pair, null drops it."`
	Text      spec.Section `spec:"text,one" doc:"A template. Values are escaped for XML and HTML, unless a Content-Type says the text is neither."`
	Multipart spec.Section `spec:"multipart,one" doc:"Parts by name: a template, or {file | bytes | text, name, type}; a list is several parts."`
	File      spec.Section `spec:"file,one" doc:"A template for the path of a file that is sent as it is; a relative one is from dir.work. A call does not lead out of the directory in front of what it gives, or dir.work."`
	Bytes     spec.Section `spec:"bytes,one" doc:"One slot: bytes, or a text of base64."`
}

// Words are the words people bring for these keys.
func (bodyConfig) Words() map[string]string {
	return map[string]string{
		"":        "write body: {json: …} for JSON, {form: …} for a web form, {text: …} for another text",
		"graphql": "write body: {json: {query: …, variables: {…}}}", "query": "write body: {json: {query: …, variables: {…}}}",
		"raw": "text", "string": "text", "xml": "text", "html": "text", "base64": "bytes", "binary": "bytes",
		"urlencoded": "form", "formData": "multipart", "form-data": "multipart", "files": "multipart",
	}
}

// Grammars says what may stand in these sections.
func (bodyConfig) Grammars() map[string]spec.Grammar {
	text := spec.GrammarOf(spec.Text{})
	part := []spec.Grammar{text, spec.GrammarOf(partConfig{})}
	return map[string]spec.Grammar{
		"json": {},
		"form": pairsGrammar(),
		"multipart": pairsGrammar().With(spec.Grammar{
			"additionalProperties": spec.Grammar{"anyOf": append(part, spec.Grammar{"type": "array", "items": spec.Grammar{"anyOf": part}})},
		}),
		"text": text, "file": text, "bytes": text,
	}
}

// bodyTemplate makes the body of one call; nil where a null leaves none.
type bodyTemplate func(ctx context.Context, call *Call) (*requestBody, error)

// compileBody reads the body section; the headers are those of the same request.
func compileBody(site *Site, sec spec.Section, headers []pair) (bodyTemplate, spec.Diagnostics) {
	if sec.IsZero() {
		return nil, nil
	}
	var c bodyConfig
	if ds := sec.Decode(&c); ds.HasErrors() {
		return nil, ds
	}
	switch {
	case !c.JSON.IsZero():
		return jsonBody(site, c.JSON)
	case !c.Form.IsZero():
		return formBody(site, c.Form)
	case !c.Text.IsZero():
		return textBody(site, c.Text, headers)
	case !c.Multipart.IsZero():
		return multipartBody(site, c.Multipart, headers)
	case !c.File.IsZero():
		return fileBody(site, c.File)
	}
	return bytesBody(site, c.Bytes)
}

func jsonBody(site *Site, sec spec.Section) (bodyTemplate, spec.Diagnostics) {
	tree, ds := site.Tree(sec)
	return func(ctx context.Context, call *Call) (*requestBody, error) {
		value, err := tree.eval(ctx, call.Vars())
		if err != nil || value == nil && sec.Form() != spec.FormNull {
			return nil, err
		}
		var b bytes.Buffer
		e := json.NewEncoder(&b)
		e.SetEscapeHTML(false)
		if err := e.Encode(value); err != nil {
			return nil, spec.NewError(spec.CodeFailed, "body.json: %s", err)
		}
		return dataBody("application/json", bytes.TrimSuffix(b.Bytes(), []byte("\n"))), nil
	}, ds
}

func formBody(site *Site, sec spec.Section) (bodyTemplate, spec.Diagnostics) {
	pairs, ds := compilePairs(site, sec)
	return func(ctx context.Context, call *Call) (*requestBody, error) {
		var b bytes.Buffer
		for _, p := range pairs {
			texts, err := p.texts(ctx, call.Vars())
			if err != nil {
				return nil, err
			}
			for _, text := range texts {
				if b.Len() > 0 {
					b.WriteByte('&')
				}
				b.WriteString(url.QueryEscape(p.name) + "=" + url.QueryEscape(text))
			}
		}
		return dataBody("application/x-www-form-urlencoded", b.Bytes()), nil
	}, ds
}

func textBody(site *Site, sec spec.Section, headers []pair) (bodyTemplate, spec.Diagnostics) {
	template, ds := compileText(site, sec)
	contentType, literal, given := literalHeader(headers, "Content-Type")
	media := mediaType(contentType)
	switch {
	case !literal:
		ds = append(ds, headerNamed(headers, "Content-Type").at.Errorf("http", "of a text body it is literal, since it decides how values are written "+
			"into the text; write it out, or send the text as it is: body: {bytes: '${toBase64(…)}'}"))
	case isJSONType(media):
		ds = append(ds, sec.Errorf("http", "a value that is spliced into JSON text can change what it says: write body: {json: …}"))
	}
	escape := html.EscapeString
	if given && isTextType(media) && media != "text/html" && media != "text/xml" && media != "application/xml" && !strings.HasSuffix(media, "+xml") {
		escape = nil
	}
	return func(ctx context.Context, call *Call) (*requestBody, error) {
		values, err := template.eval(ctx, call.Vars())
		if err != nil {
			return nil, err
		}
		return dataBody("text/plain; charset=utf-8", []byte(template.fill(values, escape))), nil
	}, ds
}

func bytesBody(site *Site, sec spec.Section) (bodyTemplate, spec.Diagnostics) {
	template, ds := compileText(site, sec)
	return func(ctx context.Context, call *Call) (*requestBody, error) {
		data, null, err := bytesOf(ctx, call.Vars(), template)
		if err != nil || null {
			return nil, err
		}
		return dataBody("application/octet-stream", data), nil
	}, ds
}

// bytesOf are the bytes that a template gives: those of a bytes value, or of base64 text.
func bytesOf(ctx context.Context, v *Vars, t *Template) (data []byte, null bool, err error) {
	value, err := t.value(ctx, v)
	if err != nil || value == nil {
		return nil, true, err
	}
	if data, ok := value.([]byte); ok {
		return data, false, nil
	}
	text, ok := value.(string)
	compact := strings.TrimRight(strings.Join(strings.Fields(text), ""), "=")
	encoding := base64.RawStdEncoding
	if strings.ContainsAny(compact, "-_") {
		encoding = base64.RawURLEncoding
	}
	data, err = encoding.DecodeString(compact)
	if !ok || err != nil {
		return nil, false, spec.NewError(spec.CodeInvalidInput, "%s: want bytes, written as base64", namesOr(t, "body.bytes"))
	}
	return data, false, nil
}

func fileBody(site *Site, sec spec.Section) (bodyTemplate, spec.Diagnostics) {
	path, ds := compilePathText(site, sec)
	return func(ctx context.Context, call *Call) (*requestBody, error) {
		file, null, err := fileChunk(ctx, call.Vars(), path, site.Env.WorkDir)
		if err != nil || null {
			return nil, err
		}
		p := &requestBody{contentType: typeOfFile(file.name)}
		p.add(file)
		return p, nil
	}, ds
}

func compilePathText(site *Site, sec spec.Section) (pathTemplate, spec.Diagnostics) {
	var text spec.Text
	if ds := sec.Decode(&text); ds.HasErrors() {
		return pathTemplate{Template: &Template{}}, ds
	}
	return site.compilePath(sec, text)
}

// fileChunk is a file to send. It is opened only when it is sent, but what cannot be sent is said before.
func fileChunk(ctx context.Context, v *Vars, p pathTemplate, workDir string) (c chunk, null bool, err error) {
	dir, name, null, err := p.place(ctx, v, workDir)
	if err != nil || null {
		return chunk{}, null, err
	}
	path := filepath.Join(dir, name)
	if call := v.root(); call != nil && call.Stub != nil { // the file is not touched
		if dir == "" {
			path = name // as it is written
		}
		return namedChunk(path), false, nil
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(workDir, path)
	}
	if dir == "" {
		name = path
	}
	info, err := p.find(dir, name)
	var ours *spec.Error
	switch {
	case errors.As(err, &ours):
		return chunk{}, false, ours
	case err != nil:
		return chunk{}, false, &spec.Error{Code: spec.CodeInvalidInput, Message: namesOr(p.Template, "the file to send") + ": there is no such file, or it cannot be read", Err: err}
	case !info.Mode().IsRegular():
		return chunk{}, false, spec.NewError(spec.CodeInvalidInput, "%s: want a regular file", namesOr(p.Template, "the file to send"))
	}
	if call := v.root(); call != nil && call.dry != nil {
		return namedChunk(path), false, nil
	}
	return chunk{open: func() (*os.File, error) { return openIn(dir, name) }, name: path, size: info.Size()}, false, nil
}

// namedChunk stands for a file that is not read.
func namedChunk(path string) chunk {
	text := []byte("file:" + path)
	return chunk{data: text, name: path, size: int64(len(text))}
}

func typeOfFile(path string) string {
	if t := mime.TypeByExtension(filepath.Ext(path)); t != "" {
		return t
	}
	return "application/octet-stream"
}

// namesOr are the names of a template's slots, or another name where it has none.
func namesOr(t *Template, other string) string {
	if names := slotNames(t); names != "" {
		return names
	}
	return other
}
