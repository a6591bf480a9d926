package spec

import "fmt"

// Code is what kind of thing went wrong in a call.
type Code string

// The codes, all there are.
const (
	CodeInvalidInput      Code = "invalid_input"
	CodeNotFound          Code = "not_found"
	CodeDenied            Code = "denied"
	CodeNeedsConfirmation Code = "needs_confirmation"
	CodeNeedsCredential   Code = "needs_credential" // #nosec G101 -- the name of a code
	CodeTimeout           Code = "timeout"
	CodeCanceled          Code = "canceled"
	CodeUnavailable       Code = "unavailable"
	CodeFailed            Code = "failed"
	CodeInternal          Code = "internal"
)

var codes = []Code{
	CodeInvalidInput, CodeNotFound, CodeDenied, CodeNeedsConfirmation, CodeNeedsCredential, CodeTimeout, CodeCanceled, CodeUnavailable,
	CodeFailed, CodeInternal,
}

// Error is something wrong in a call. Message is for the model: what was wrong, and what would be right. Err is the
// cause, for the log alone.
type Error struct {
	Code      Code
	Message   string
	Retryable bool // the same call may work a little later
	Err       error

	// How a program ended that failed; one of them at most.
	ExitCode *int
	Signal   string // such as SIGSEGV
}

// Info is the error as a result has it.
func (e *Error) Info() *ErrorInfo {
	return &ErrorInfo{Code: e.Code, Retryable: e.Retryable, ExitCode: e.ExitCode, Signal: e.Signal}
}

// NewError is an *Error without a cause.
func NewError(code Code, format string, args ...any) *Error {
	return &Error{Code: code, Message: fmt.Sprintf(format, args...)}
}

// Error is the message.
func (e *Error) Error() string { return e.Message }

// Unwrap is the cause.
func (e *Error) Unwrap() error { return e.Err }
