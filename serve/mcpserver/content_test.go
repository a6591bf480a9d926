package mcpserver

import (
	"context"
	"encoding/json"
	"runtime"
	"testing"
	"time"

	"github.com/toolspec/toolspec/exec"
	"github.com/toolspec/toolspec/spec"
)

// execFunc is one Go function named wait.
func execFunc(f func(context.Context)) map[string]exec.ExecutorFunc {
	return map[string]exec.ExecutorFunc{"wait": func(ctx context.Context, _ *exec.Call) (any, error) {
		f(ctx)
		return nil, ctx.Err()
	}}
}

// waitUntil looks again and again: for what no event tells of.
func waitUntil(t *testing.T, true func() bool) {
	t.Helper()
	for range 1000 {
		if true() {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	t.Fatal("waited in vain\n", stacks())
}

func stacks() string {
	buf := make([]byte, 1<<20)
	return string(buf[:runtime.Stack(buf, true)])
}

func TestContent(t *testing.T) {
	text, empty := "hi", ""
	data := spec.Source{Bytes: []byte("hi")}
	s3 := spec.Source{Location: &spec.Location{Type: "s3", URI: "s3://b/dir/film.mp4"}}
	for _, c := range []struct {
		about   string
		block   spec.Content
		version string
		want    string
	}{
		{"text", spec.Content{Text: &text}, "2024-11-05", `{"type":"text","text":"hi"}`},
		{"no text", spec.Content{Text: &empty}, "2024-11-05", `{"type":"text","text":""}`},
		{"json", spec.Content{JSON: json.RawMessage(`{"n": 9007199254740993}`)}, "2024-11-05", `{"type":"text","text":"{\"n\":9007199254740993}"}`},
		{"image", spec.Content{Image: &spec.Media{Format: "png", Source: data}}, "2024-11-05", `{"type":"image","mimeType":"image/png","data":"aGk="}`},
		{"image elsewhere", spec.Content{Image: &spec.Media{Format: "png", Source: s3}}, "2025-06-18", `{"type":"resource_link","mimeType":"image/png","uri":"s3://b/dir/film.mp4","name":"film.mp4"}`},
		{"audio", spec.Content{Audio: &spec.Media{Format: "mp3", Source: data}}, "2025-03-26", `{"type":"audio","mimeType":"audio/mpeg","data":"aGk="}`},
		{"audio before there was any", spec.Content{Audio: &spec.Media{Format: "wav", Source: data}}, "2024-11-05", `{"type":"resource","resource":{"uri":"toolspec:audio/audio.wav","mimeType":"audio/wav","blob":"aGk="}}`},
		{"video", spec.Content{Video: &spec.Media{Format: "mp4", Source: data}}, "2026-07-28", `{"type":"resource","resource":{"uri":"toolspec:video/video.mp4","mimeType":"video/mp4","blob":"aGk="}}`},
		{"video elsewhere", spec.Content{Video: &spec.Media{Format: "mp4", Source: s3}}, "2026-07-28", `{"type":"resource_link","mimeType":"video/mp4","uri":"s3://b/dir/film.mp4","name":"film.mp4"}`},
		{"a link before there were any", spec.Content{Video: &spec.Media{Format: "mp4", Source: s3}}, "2025-03-26", `{"type":"text","text":"s3://b/dir/film.mp4"}`},
		{"document", spec.Content{Document: &spec.Media{Format: "pdf", Name: "a b", Source: data}}, "2026-07-28", `{"type":"resource","resource":{"uri":"toolspec:document/a%20b.pdf","mimeType":"application/pdf","blob":"aGk="}}`},
		{"document of text", spec.Content{Document: &spec.Media{Format: "csv", Name: "t", Source: data}}, "2026-07-28", `{"type":"resource","resource":{"uri":"toolspec:document/t.csv","mimeType":"text/csv","text":"hi"}}`},
		{"document of broken text", spec.Content{Document: &spec.Media{Format: "txt", Name: "t", Source: spec.Source{Bytes: []byte{0xff}}}}, "2026-07-28", `{"type":"resource","resource":{"uri":"toolspec:document/t.txt","mimeType":"text/plain","blob":"/w=="}}`},
		{"resource", spec.Content{Resource: &spec.Resource{URI: "x:y", MIMEType: "text/x", Text: "hi"}}, "2024-11-05", `{"type":"resource","resource":{"uri":"x:y","mimeType":"text/x","text":"hi"}}`},
		{"resource of bytes", spec.Content{Resource: &spec.Resource{URI: "x:y", Bytes: []byte("hi")}}, "2024-11-05", `{"type":"resource","resource":{"uri":"x:y","blob":"aGk="}}`},
		{"resource of nothing", spec.Content{Resource: &spec.Resource{URI: "x:y"}}, "2024-11-05", `{"type":"resource","resource":{"uri":"x:y","blob":""}}`},
	} {
		t.Run(c.about, func(t *testing.T) {
			have, err := json.Marshal(toContent(c.block, c.version))
			if err != nil {
				t.Fatal(err)
			}
			if string(have) != c.want {
				t.Errorf("have %s\nwant %s", have, c.want)
			}
		})
	}
}

func TestStructuredContentIsTheValue(t *testing.T) {
	text := "three"
	r := spec.ToolResult{Status: spec.StatusSuccess, Content: []spec.Content{{Text: &text}}, Value: map[string]any{"n": json.Number("9007199254740993"), "t": "<"}}
	if have, _ := toMCP(r, true, "2025-06-18").StructuredContent.(json.RawMessage); string(have) != `{"n":9007199254740993,"t":"<"}` {
		t.Errorf("have %s", have)
	}
	if have := toMCP(r, false, "2025-06-18").StructuredContent; have != nil {
		t.Errorf("without an output schema: %s", have)
	}
	r.Status, r.Value = spec.StatusError, nil
	if have := toMCP(r, true, "2025-06-18"); have.StructuredContent != nil || !have.IsError {
		t.Errorf("an error: %+v", have)
	}
}
