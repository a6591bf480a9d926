package exec

import (
	"bytes"
	"context"
	"mime/multipart"
	"net/textproto"
	"path/filepath"
	"strings"

	"github.com/toolspec/toolspec/spec"
)

// partConfig is one part of a multipart body that says more than its text.
type partConfig struct {
	File  spec.Section `spec:"file,one" doc:"A template for the path of a file to send. A call does not lead out of the directory in front of what it gives, or dir.work."`
	Bytes spec.Section `spec:"bytes,one" doc:"One slot: bytes, or a text of base64."`
	Text  spec.Section `spec:"text,one" doc:"A template."`
	Name  spec.Section `spec:"name" doc:"The file name the part is sent under; a file's own by default."`
	Type  spec.Section `spec:"type" doc:"The Content-Type of the part; by the file name by default."`
}

// Words are the words people bring for these keys.
func (partConfig) Words() map[string]string {
	return map[string]string{"filename": "name", "fileName": "name", "contentType": "type", "content-type": "type", "path": "file", "content": "text", "value": "text"}
}

// Grammars says what may stand in these sections.
func (partConfig) Grammars() map[string]spec.Grammar {
	text := spec.GrammarOf(spec.Text{})
	return map[string]spec.Grammar{"file": text, "bytes": text, "text": text, "name": text, "type": text}
}

// bodyPart is one part of a multipart body, compiled: exactly one of text, bytes, file.
type bodyPart struct {
	field             string
	text, bytes       *Template
	file              *pathTemplate
	name, contentType *Template // nil: the default
	workDir           string
}

func multipartBody(site *Site, sec spec.Section, headers []pair) (bodyTemplate, spec.Diagnostics) {
	var ds spec.Diagnostics
	if sec.Form() != spec.FormMap {
		return nil, spec.Diagnostics{sec.Errorf("type", "want a map of names and parts, have %s", sec.Form())}
	}
	if _, _, given := literalHeader(headers, "Content-Type"); given {
		ds = append(ds, sec.Errorf("http", "a multipart body makes its own Content-Type, which says where its parts end: leave the header out"))
	}
	var parts []bodyPart
	for _, f := range sec.Fields() {
		if d, ok := literalKey(f); !ok {
			ds = append(ds, d)
			continue
		}
		if headerFault(f.Key.Value) != "" {
			ds.Add(f.Key.Pos, "http", "%s: the name of a part holds no line breaks or control characters", sec.Path())
			continue
		}
		items := []spec.Section{f.Value}
		if f.Value.Form() == spec.FormList {
			items = f.Value.Items()
		}
		for _, item := range items {
			part, faults := compilePart(site, f.Key.Value, item)
			ds = append(ds, faults...)
			parts = append(parts, part)
		}
	}
	return func(ctx context.Context, call *Call) (*requestBody, error) {
		return writeParts(ctx, call.Vars(), parts)
	}, ds
}

func compilePart(site *Site, field string, sec spec.Section) (bodyPart, spec.Diagnostics) {
	p := bodyPart{field: field, workDir: site.Env.WorkDir}
	var ds spec.Diagnostics
	if sec.Form() != spec.FormMap {
		p.text, ds = compileText(site, sec)
		return p, ds
	}
	var c partConfig
	ds = sec.Decode(&c)
	for _, t := range []struct {
		sec  spec.Section
		into **Template
	}{{c.Bytes, &p.bytes}, {c.Text, &p.text}, {c.Name, &p.name}, {c.Type, &p.contentType}} {
		if t.sec.IsZero() {
			continue
		}
		template, faults := compileText(site, t.sec)
		ds = append(ds, faults...)
		*t.into = template
	}
	if !c.File.IsZero() {
		path, faults := compilePathText(site, c.File)
		p.file, ds = &path, append(ds, faults...)
	}
	return p, ds
}

// writeParts makes the body. Files stay on disk: only what stands between them is made here.
func writeParts(ctx context.Context, v *Vars, parts []bodyPart) (*requestBody, error) {
	body := &requestBody{}
	var between bytes.Buffer
	w := multipart.NewWriter(&between)
	if call := v.root(); call != nil && (call.Stub != nil || call.dry != nil) {
		_ = w.SetBoundary("toolspec") // it is one
	}
	body.contentType = w.FormDataContentType()
	for _, p := range parts {
		chunks, err := p.chunks(ctx, v)
		if err != nil {
			return nil, err
		}
		for _, c := range chunks {
			header, err := p.header(ctx, v, c)
			if err != nil {
				return nil, err
			}
			if _, err := w.CreatePart(header); err != nil {
				return nil, err
			}
			body.addData(bytes.Clone(between.Bytes()))
			between.Reset()
			body.add(c)
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	body.addData(between.Bytes())
	return body, nil
}

// chunks are what a part sends: nothing for a null, one part for every entry of a list of texts.
func (p bodyPart) chunks(ctx context.Context, v *Vars) ([]chunk, error) {
	switch {
	case p.file != nil:
		c, null, err := fileChunk(ctx, v, *p.file, p.workDir)
		if err != nil || null {
			return nil, err
		}
		return []chunk{c}, nil
	case p.bytes != nil:
		data, null, err := bytesOf(ctx, v, p.bytes)
		if err != nil || null {
			return nil, err
		}
		return []chunk{{data: data, size: int64(len(data))}}, nil
	}
	texts, err := repeated(ctx, v, p.text, nil)
	chunks := make([]chunk, len(texts))
	for i, text := range texts {
		chunks[i] = chunk{data: []byte(text), size: int64(len(text))}
	}
	return chunks, err
}

func (p bodyPart) header(ctx context.Context, v *Vars, c chunk) (textproto.MIMEHeader, error) {
	name, err := optionalText(ctx, v, p.name, "name")
	if err != nil {
		return nil, err
	}
	contentType, err := optionalText(ctx, v, p.contentType, "type")
	if err != nil {
		return nil, err
	}
	if name == "" && c.name != "" {
		name = filepath.Base(c.name)
	}
	if name == "" && p.bytes != nil {
		name = p.field // without a file name, servers take bytes for text
	}
	header := textproto.MIMEHeader{}
	if name == "" {
		header.Set("Content-Disposition", strings.TrimSuffix(multipart.FileContentDisposition(p.field, ""), `; filename=""`))
	} else {
		header.Set("Content-Disposition", multipart.FileContentDisposition(p.field, name))
	}
	if contentType == "" && (name != "" || p.text == nil) {
		contentType = typeOfFile(name)
	}
	if contentType != "" {
		header.Set("Content-Type", contentType)
	}
	return header, nil
}

// optionalText is the text of a template that may be absent, fit for a header.
func optionalText(ctx context.Context, v *Vars, t *Template, what string) (string, error) {
	if t == nil {
		return "", nil
	}
	text, null, err := t.text(ctx, v)
	if err != nil || null {
		return "", err
	}
	if what == "name" && strings.ContainsAny(text, "\"\\\t") {
		return "", spec.NewError(spec.CodeInvalidInput, "%s: the name of a part holds no quotes, backslashes or tabs, which servers read in different ways", namesOr(t, what))
	}
	if headerFault(text) != "" {
		return "", spec.NewError(spec.CodeInvalidInput, "%s: the %s of a part holds no line breaks or control characters", namesOr(t, what), what)
	}
	return text, nil
}
