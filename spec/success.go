package spec

import (
	"context"
	"encoding/json"
	"errors"
	"net/url"
	"reflect"
	"slices"
	"strconv"
)

// Success is the result that a value makes: the one place where values become content. Text becomes a text block;
// numbers, booleans and null the text of their JSON; objects and arrays a json block; times RFC 3339; bytes an image,
// a document, audio or video by what they hold, else a resource. A value that is an error, or that JSON has no form
// for, is a [Failure]. A value that already is {status, content} is taken as it is, with this id.
func Success(id string, v any) ToolResult {
	if err, ok := v.(error); ok && !isNil(v) {
		return Failure(id, err)
	}
	if r, ok, err := AsResult(v); err != nil {
		return Failure(id, err)
	} else if ok {
		r.ID = id
		return r
	}
	plain, err := Plain(v)
	if err != nil {
		return Failure(id, err)
	}
	block, err := Convert(id, plain)
	if err != nil {
		return Failure(id, err)
	}
	return ToolResult{ID: id, Status: StatusSuccess, Content: []Content{block}, Value: plain}
}

// Failure is the result that an error makes: the one place where errors become content. The message stands in one
// text block, after "Error: "; the code goes into the metadata.
func Failure(id string, err error) ToolResult {
	e := AsError(err)
	return ToolResult{
		ID:       id,
		Status:   StatusError,
		Content:  []Content{TextBlock("Error: " + e.Message)},
		Metadata: Metadata{Error: e.Info()},
	}
}

// AsError is any error as an *Error: itself if one is in its chain; a context's end as timeout or canceled; anything
// else as failed, with its text as the message.
func AsError(err error) *Error {
	var e *Error
	switch {
	case errors.As(err, &e) && e != nil:
		return e
	case isNil(err):
		return NewError(CodeInternal, "the tool failed without saying why")
	case errors.Is(err, context.DeadlineExceeded):
		return &Error{Code: CodeTimeout, Message: "the time for this call is over", Retryable: true, Err: err}
	case errors.Is(err, context.Canceled):
		return &Error{Code: CodeCanceled, Message: "the call was canceled", Err: err}
	}
	return &Error{Code: CodeFailed, Message: err.Error(), Err: err}
}

// isNil tells whether v is nil, or a nil pointer within an interface.
func isNil(v any) bool {
	if v == nil {
		return true
	}
	r := reflect.ValueOf(v)
	return r.Kind() == reflect.Pointer && r.IsNil()
}

// Convert is the block that a plain value makes, see [Success]. The id names a resource, where one is made.
func Convert(id string, plain any) (Content, error) {
	switch v := plain.(type) {
	case nil:
		return TextBlock("null"), nil
	case string:
		return TextBlock(v), nil
	case bool:
		return TextBlock(strconv.FormatBool(v)), nil
	case json.Number:
		return TextBlock(string(v)), nil
	case []byte:
		return bytesBlock("toolspec:result/"+url.PathEscape(id), v), nil
	}
	text, err := encode(plain)
	return Content{JSON: text}, err
}

// AsResult is a value that already is a result: a ToolResult, or a map with status success or error, a content list
// of blocks, and no keys that a result does not have. Its error says what is wrong with the blocks.
func AsResult(v any) (r ToolResult, ok bool, err error) {
	switch v := v.(type) {
	case ToolResult:
		r = v
	case *ToolResult:
		if v == nil {
			return r, false, nil
		}
		r = *v
	case map[string]any:
		if !looksLikeResult(v) {
			return r, false, nil
		}
		if r, err = readResult(v); err != nil {
			return r, false, err
		}
	default:
		return r, false, nil
	}
	return r.settle()
}

func looksLikeResult(m map[string]any) bool {
	list, ok := m["content"].([]any)
	if !ok || (m["status"] != string(StatusSuccess) && m["status"] != string(StatusError)) {
		return false
	}
	for key := range m {
		if key != "status" && key != "content" && key != "toolUseId" && key != "metadata" {
			return false
		}
	}
	_, sure := m["toolUseId"]
	return !slices.ContainsFunc(list, func(block any) bool { return !looksLikeBlock(block, sure) })
}

// looksLikeBlock tells a block, right or not, from an entry of what other APIs call content; in what is a result for
// sure, any map is one.
func looksLikeBlock(v any, sure bool) bool {
	m, ok := v.(map[string]any)
	return ok && (sure || slices.ContainsFunc(blockNames, func(name string) bool { _, ok := m[name]; return ok }))
}

func readResult(m map[string]any) (r ToolResult, err error) {
	text, err := encode(map[string]any{"status": m["status"], "content": m["content"]})
	if err == nil {
		err = json.Unmarshal(text, &r)
	}
	if err != nil {
		return r, &Error{Code: CodeFailed, Message: "the tool answered {status, content}, but " + encodeFault(err), Err: err}
	}
	r.Metadata.Error = errorOf(m)
	return r, nil
}

// errorOf is what the metadata of a ready result say of its error; nil if that is nothing we know.
func errorOf(m map[string]any) *ErrorInfo {
	metadata, _ := m["metadata"].(map[string]any)
	info, _ := metadata["error"].(map[string]any)
	code, _ := info["code"].(string)
	if m["status"] != string(StatusError) || !slices.Contains(codes, Code(code)) {
		return nil
	}
	return &ErrorInfo{Code: Code(code), Retryable: info["retryable"] == true}
}

// settle checks a ready result and fills what follows from it.
func (r ToolResult) settle() (ToolResult, bool, error) {
	if r.Status != StatusSuccess && r.Status != StatusError {
		return r, false, NewError(CodeFailed, "the tool answered with status %q; want success or error", r.Status)
	}
	for i, block := range r.Content {
		if err := block.Check(); err != nil {
			return r, false, NewError(CodeFailed, "the tool answered {status, content}, but content[%d] %s", i, err)
		}
	}
	if r.Status == StatusError && r.Metadata.Error == nil {
		r.Metadata.Error = &ErrorInfo{Code: CodeFailed}
	}
	if r.Status == StatusSuccess && r.Value == nil && len(r.Content) == 1 && r.Content[0].JSON != nil {
		r.Value, _ = decodePlain(r.Content[0].JSON) // it was checked just now
	}
	return r, true, nil
}
