package spec

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
)

// JSONBlock is a content block of a value, which must have a form in JSON.
func JSONBlock(v any) (Content, error) {
	plain, err := plainInside(v, maxResultDepth)
	if err != nil {
		return Content{}, err
	}
	text, err := encode(plain)
	return Content{JSON: text}, err
}

var blockNames = []string{"text", "json", "image", "document", "audio", "video", "resource"}

// Check tells what is wrong with a block: not exactly one field, a format that its medium does not have, a document
// name that is not valid, a source that is not exactly one place.
func (c Content) Check() error {
	var set []string
	for _, field := range []struct {
		name  string
		given bool
	}{
		{"text", c.Text != nil}, {"json", c.JSON != nil}, {"image", c.Image != nil}, {"document", c.Document != nil},
		{"audio", c.Audio != nil}, {"video", c.Video != nil}, {"resource", c.Resource != nil},
	} {
		if field.given {
			set = append(set, field.name)
		}
	}
	if len(set) == 0 {
		return fmt.Errorf("is empty: want one of text, json, image, document, audio, video, resource")
	}
	if len(set) > 1 {
		return fmt.Errorf("has %s: want exactly one", strings.Join(set, " and "))
	}
	return c.checkField(set[0])
}

func (c Content) checkField(field string) error {
	switch field {
	case "json":
		if !json.Valid(c.JSON) {
			return fmt.Errorf("is not valid JSON")
		}
	case "image":
		return c.Image.check("image")
	case "document":
		return c.Document.check("document")
	case "audio":
		return c.Audio.check("audio")
	case "video":
		return c.Video.check("video")
	case "resource":
		return c.Resource.check()
	}
	return nil
}

func (m *Media) check(medium string) error {
	switch {
	case !knownFormat(medium, m.Format):
		return fmt.Errorf("is %s of format %q: want %s", medium, m.Format, strings.Join(MediaFormats(medium), ", "))
	case medium == "document" && m.Name != DocumentName(m.Name):
		return fmt.Errorf("is a document named %q: want letters, digits, single spaces, - ( ) [ ], at most 200", m.Name)
	case (m.Source.Bytes != nil) == (m.Source.Location != nil):
		return fmt.Errorf("is %s whose source is not exactly one of bytes, location", medium)
	case m.Source.Location != nil && (m.Source.Location.Type != "s3" || !strings.HasPrefix(m.Source.Location.URI, "s3://")):
		return fmt.Errorf("is %s at a location that is not {type: s3, uri: s3://…}", medium)
	}
	return nil
}

func (r *Resource) check() error {
	switch {
	case r.URI == "":
		return fmt.Errorf("is a resource without a uri")
	case r.Text != "" && r.Bytes != nil:
		return fmt.Errorf("is a resource with both text and bytes: want exactly one")
	}
	return nil
}

// UnmarshalJSON reads a block strictly: unknown keys, and anything that [Content.Check] minds, are errors.
func (c *Content) UnmarshalJSON(text []byte) error {
	type plain Content
	var p plain
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&p); err != nil {
		return fmt.Errorf("a content block is not one: %s", encodeFault(err))
	}
	if err := Content(p).Check(); err != nil {
		return fmt.Errorf("a content block %w", err)
	}
	*c = Content(p)
	return nil
}

// MarshalJSON writes a source whose bytes are there but none as the empty text they are.
func (s Source) MarshalJSON() ([]byte, error) {
	if s.Bytes != nil {
		return json.Marshal(map[string]any{"bytes": s.Bytes})
	}
	return json.Marshal(map[string]any{"location": s.Location})
}

// MarshalJSON writes a resource with exactly one of text and bytes, even where it is empty.
func (r Resource) MarshalJSON() ([]byte, error) {
	out := struct {
		URI      string  `json:"uri"`
		MIMEType string  `json:"mimeType,omitempty"`
		Text     *string `json:"text,omitempty"`
		Bytes    *[]byte `json:"bytes,omitempty"`
	}{URI: r.URI, MIMEType: r.MIMEType}
	if r.Bytes != nil {
		out.Bytes = &r.Bytes
	} else {
		out.Text = &r.Text
	}
	return encode(out)
}
