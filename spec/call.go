package spec

import "encoding/json"

// ToolUse is one use of a tool, as a model asks for it.
type ToolUse struct {
	ID    string          `json:"toolUseId"`
	Name  string          `json:"name"`
	Input json.RawMessage `json:"input"`
}

// Status tells whether a tool did what was asked.
type Status string

// The statuses.
const (
	StatusSuccess Status = "success"
	StatusError   Status = "error"
)

// ToolResult is what came of a tool use.
type ToolResult struct {
	ID       string    `json:"toolUseId"`
	Status   Status    `json:"status"`
	Content  []Content `json:"content"`
	Metadata Metadata  `json:"metadata"`

	// Value is the tool's value, which outputSchema describes and MCP sends as structured content; nil for an error.
	// It does not travel: it is JSON already, or becomes so as [Success] says.
	Value any `json:"-"`
}

// Metadata is what a program, not a model, may want to know of a result.
type Metadata struct {
	Generation uint64     `json:"generation,omitempty"` // of the snapshot the call was admitted to
	Digest     string     `json:"digest,omitempty"`     // of the tool that ran
	DurationMS float64    `json:"durationMs"`
	Repaired   []string   `json:"repaired,omitempty"` // JSON pointers of input values that were repaired
	Retries    int        `json:"retries,omitempty"`  // requests that the tool, or its steps, made once more
	Truncated  bool       `json:"truncated,omitempty"`
	Error      *ErrorInfo `json:"error,omitempty"`
}

// ErrorInfo is an [Error] in a result.
type ErrorInfo struct {
	Code      Code   `json:"code"`
	Retryable bool   `json:"retryable"`
	ExitCode  *int   `json:"exitCode,omitempty"` // of a program that ended by itself, with a code that is a failure
	Signal    string `json:"signal,omitempty"`   // such as SIGSEGV, of a program that was ended by one that was not ours
}

// Content is one block of a result: exactly one field is set.
type Content struct {
	Text     *string         `json:"text,omitempty"`
	JSON     json.RawMessage `json:"json,omitempty"`
	Image    *Media          `json:"image,omitempty"`    // png, jpeg, gif, webp
	Document *Media          `json:"document,omitempty"` // pdf, csv, doc, docx, xls, xlsx, html, txt, md
	Audio    *Media          `json:"audio,omitempty"`    // mp3, wav, ogg, flac, …
	Video    *Media          `json:"video,omitempty"`    // mp4, webm, …
	Resource *Resource       `json:"resource,omitempty"`
}

// Media is a picture, a document, a sound or a film.
type Media struct {
	Format string `json:"format"`
	Name   string `json:"name,omitempty"` // of a document only
	Source Source `json:"source"`
}

// Source is where the bytes of a medium are: here (base64 in JSON), or at a location. Exactly one is set.
type Source struct {
	Bytes    []byte    `json:"bytes,omitempty"`
	Location *Location `json:"location,omitempty"`
}

// Location is a place that the model's provider reads itself.
type Location struct {
	Type string `json:"type"` // s3
	URI  string `json:"uri"`
}

// Resource is anything else, by URI, with its text or its bytes.
type Resource struct {
	URI      string `json:"uri"`
	MIMEType string `json:"mimeType,omitempty"`
	Text     string `json:"text,omitempty"`
	Bytes    []byte `json:"bytes,omitempty"`
}

// TextBlock is a content block of text.
func TextBlock(text string) Content { return Content{Text: &text} }
