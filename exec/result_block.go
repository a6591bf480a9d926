package exec

import (
	"context"
	"encoding/base64"
	"slices"
	"strings"

	"github.com/toolspec/toolspec/spec"
)

// block is one entry of result.content, compiled. made tells whether there is a block: a null drops it.
type block interface {
	build(ctx context.Context, call *Call, r *result) (c spec.Content, made bool, err error)
}

// blockConfig is one entry of result.content; exactly one key is given.
type blockConfig struct {
	Text     spec.Text       `spec:"text,one" doc:"A text."`
	JSON     spec.Section    `spec:"json,one" doc:"Any JSON, whose texts are templates."`
	Image    *mediaConfig    `spec:"image,one" doc:"A picture: {format, file | bytes}."`
	Document *mediaConfig    `spec:"document,one" doc:"A document: {format, name, file | bytes | text}."`
	Audio    *mediaConfig    `spec:"audio,one" doc:"A sound: {format, file | bytes}."`
	Video    *mediaConfig    `spec:"video,one" doc:"A film: {format, file | bytes}."`
	Resource *resourceConfig `spec:"resource,one" doc:"Anything else: {uri, mimeType, text | bytes | file}."`
}

// Words are what people bring from elsewhere.
func (*blockConfig) Words() map[string]string {
	const file = "write document: {format: …, name: …, text: …}"
	return map[string]string{
		"": "write text: … for a text, json: … for anything else", "type": "the key says which it is: text: …, json: …, image: {…}",
		"csv": file, "html": file, "markdown": file, "pdf": file, "file": file, "picture": "image", "img": "image", "object": "json", "data": "json",
	}
}

// Grammars says what may stand as json, and which formats each medium has.
func (blockConfig) Grammars() map[string]spec.Grammar {
	all := map[string]spec.Grammar{"json": {}}
	for _, medium := range []string{"image", "document", "audio", "video"} {
		format := map[string]spec.Grammar{"format": orTemplate(spec.Grammar{"enum": spec.MediaFormats(medium)})}
		all[medium] = spec.Grammar{"allOf": []spec.Grammar{{"properties": format}}}
	}
	return all
}

// mediaConfig is a medium with its bytes, which stand in exactly one place.
type mediaConfig struct {
	Format spec.Text `spec:"format,required" doc:"Such as png, pdf, mp3, mp4."`
	Name   spec.Text `spec:"name" doc:"Of a document."`
	File   spec.Text `spec:"file,one" doc:"A file in dir.scratch."`
	Bytes  spec.Text `spec:"bytes,one" doc:"Bytes, or base64."`
	Text   spec.Text `spec:"text,one" doc:"The content itself, as text."`
}

// Words are what people bring from elsewhere.
func (*mediaConfig) Words() map[string]string {
	return map[string]string{
		"": "write {format: …, file: …}", "path": "file", "filename": "name", "title": "name", "mimeType": "format", "type": "format",
		"data": "bytes", "base64": "bytes", "source": "write file, bytes or text", "url": "write file, bytes or text",
	}
}

type resourceConfig struct {
	URI      spec.Text `spec:"uri,required" doc:"What the resource is called."`
	MIMEType spec.Text `spec:"mimeType" doc:"Such as application/zip."`
	File     spec.Text `spec:"file,one" doc:"A file in dir.scratch."`
	Bytes    spec.Text `spec:"bytes,one" doc:"Bytes, or base64."`
	Text     spec.Text `spec:"text,one" doc:"The content itself, as text."`
}

func (s *Site) compileBlocks(list spec.Section, entries []spec.Section) ([]block, spec.Diagnostics) {
	if list.IsZero() {
		return nil, nil
	}
	var ds spec.Diagnostics
	blocks := []block{}
	for _, entry := range entries {
		var c blockConfig
		faults := entry.Decode(&c)
		if !faults.HasErrors() {
			var b block
			b, faults = s.compileBlock(entry, &c)
			blocks = append(blocks, b)
		}
		ds = append(ds, faults...)
	}
	return blocks, ds
}

func (s *Site) compileBlock(entry spec.Section, c *blockConfig) (block, spec.Diagnostics) {
	field := entry.Fields()[0]
	key, value := field.Key.Value, field.Value
	switch {
	case key == "text":
		t, ds := s.Template(c.Text)
		return textBlock{t}, ds
	case key == "json":
		t, ds := s.Tree(c.JSON)
		return jsonBlock{t}, ds
	case key == "resource":
		return s.compileResource(c.Resource)
	}
	media := map[string]*mediaConfig{"image": c.Image, "document": c.Document, "audio": c.Audio, "video": c.Video}[key]
	return s.compileMedia(key, value, media)
}

type textBlock struct{ text *Template }

func (b textBlock) build(ctx context.Context, call *Call, _ *result) (spec.Content, bool, error) {
	text, null, err := b.text.text(ctx, call.Vars())
	if err != nil || null && b.text.whole() {
		return spec.Content{}, false, err
	}
	return spec.TextBlock(text), true, nil
}

type jsonBlock struct{ tree *Tree }

func (b jsonBlock) build(ctx context.Context, call *Call, _ *result) (spec.Content, bool, error) {
	value, err := b.tree.eval(ctx, call.Vars())
	if err != nil || value == nil {
		return spec.Content{}, false, err
	}
	c, err := spec.JSONBlock(value)
	return c, err == nil, err
}

// payload is where a block's bytes come from: exactly one of the three.
type payload struct {
	file, bytes, text *Template
}

func (s *Site) compilePayload(file, bytes, text spec.Text) (p payload, ds spec.Diagnostics) {
	for _, each := range []struct {
		text spec.Text
		into **Template
	}{{file, &p.file}, {bytes, &p.bytes}, {text, &p.text}} {
		if each.text.IsZero() {
			continue
		}
		t, faults := s.Template(each.text)
		*each.into, ds = t, append(ds, faults...)
	}
	if p.file != nil {
		s.NeedScratch()
	}
	return p, ds
}

// read gives the bytes; null where there are none to be had because a slot is null.
func (p payload) read(ctx context.Context, call *Call, most int64) (b []byte, null bool, err error) {
	switch {
	case p.file != nil:
		name, null, err := p.file.text(ctx, call.Vars())
		if err != nil || null {
			return nil, null, err
		}
		b, err = call.readScratch(name, most)
		return b, false, err
	case p.text != nil:
		text, null, err := p.text.text(ctx, call.Vars())
		return []byte(text), null && p.text.whole(), err
	}
	value, err := p.bytes.value(ctx, call.Vars())
	if err != nil || value == nil {
		return nil, value == nil, err
	}
	if b, ok := value.([]byte); ok {
		return b, false, nil
	}
	b, err = base64.StdEncoding.DecodeString(strings.Join(strings.Fields(renderText(value)), ""))
	if err != nil {
		return nil, false, &spec.Error{Code: spec.CodeFailed, Err: err, Message: "a result's bytes are neither bytes nor base64: for text write text"}
	}
	return b, false, nil
}

type mediaBlock struct {
	medium       string
	format, name *Template
	payload      payload
}

func (s *Site) compileMedia(medium string, sec spec.Section, c *mediaConfig) (block, spec.Diagnostics) {
	b := mediaBlock{medium: medium}
	var ds, faults spec.Diagnostics
	b.payload, ds = s.compilePayload(c.File, c.Bytes, c.Text)
	b.format, faults = s.Template(c.Format)
	ds = append(ds, faults...)
	if format, ok := b.format.literal(); ok && !slices.Contains(spec.MediaFormats(medium), format) {
		ds = append(ds, sec.Get("format").Errorf("result", "want %s, have %q", strings.Join(spec.MediaFormats(medium), ", "), format))
	}
	switch {
	case c.Name.IsZero():
	case medium != "document":
		ds = append(ds, sec.Get("name").Errorf("result", "only a document has a name"))
	default:
		b.name, faults = s.Template(c.Name)
		ds = append(ds, faults...)
	}
	return b, ds
}

func (b mediaBlock) build(ctx context.Context, call *Call, r *result) (spec.Content, bool, error) {
	bytes, null, err := b.payload.read(ctx, call, r.read)
	if err != nil || null {
		return spec.Content{}, false, err
	}
	format, null, err := b.format.text(ctx, call.Vars())
	if err != nil || null {
		return spec.Content{}, false, err
	}
	m := &spec.Media{Format: format, Source: spec.Source{Bytes: bytes}}
	c := spec.Content{}
	switch b.medium {
	case "image":
		c.Image = m
	case "audio":
		c.Audio = m
	case "video":
		c.Video = m
	default:
		name := ""
		if b.name != nil {
			if name, _, err = b.name.text(ctx, call.Vars()); err != nil {
				return c, false, err
			}
		}
		m.Name = spec.DocumentName(name)
		c.Document = m
	}
	return c, true, checked(c)
}

type resourceBlock struct {
	uri, mime *Template
	payload   payload
}

func (s *Site) compileResource(c *resourceConfig) (block, spec.Diagnostics) {
	var b resourceBlock
	var ds, faults spec.Diagnostics
	b.payload, ds = s.compilePayload(c.File, c.Bytes, c.Text)
	b.uri, faults = s.Template(c.URI)
	ds = append(ds, faults...)
	b.mime, faults = s.Template(c.MIMEType)
	return b, append(ds, faults...)
}

func (b resourceBlock) build(ctx context.Context, call *Call, r *result) (spec.Content, bool, error) {
	bytes, null, err := b.payload.read(ctx, call, r.read)
	if err != nil || null {
		return spec.Content{}, false, err
	}
	uri, null, err := b.uri.text(ctx, call.Vars())
	if err != nil || null {
		return spec.Content{}, false, err
	}
	mime, _, err := b.mime.text(ctx, call.Vars())
	if err != nil {
		return spec.Content{}, false, err
	}
	res := &spec.Resource{URI: uri, MIMEType: mime}
	if b.payload.text != nil {
		res.Text = string(bytes)
	} else {
		res.Bytes = append([]byte{}, bytes...)
	}
	c := spec.Content{Resource: res}
	return c, true, checked(c)
}

func checked(c spec.Content) error {
	if err := c.Check(); err != nil {
		return spec.NewError(spec.CodeFailed, "a block of result.content %s", err)
	}
	return nil
}
