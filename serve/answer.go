package serve

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
)

// errorCodes are the codes of {"error": {"code", "message"}}, one for each status a request can be refused with.
var errorCodes = map[int]string{
	http.StatusBadRequest:            "invalid_request",
	http.StatusForbidden:             "denied",
	http.StatusNotFound:              "not_found",
	http.StatusMethodNotAllowed:      "method_not_allowed",
	http.StatusRequestTimeout:        "timeout",
	http.StatusRequestEntityTooLarge: "too_large",
	http.StatusUnsupportedMediaType:  "unsupported_media_type",
	http.StatusInternalServerError:   "internal",
	http.StatusServiceUnavailable:    "unavailable",
}

// refuse answers a request that reaches no tool.
func refuse(w http.ResponseWriter, status int, format string, args ...any) {
	answer(w, status, map[string]any{"error": map[string]string{
		"code":    errorCodes[status],
		"message": fmt.Sprintf(format, args...),
	}})
}

// answer writes JSON as it is, without the escapes that only HTML minds.
func answer(w http.ResponseWriter, status int, v any) {
	body, err := encode(v)
	if err != nil {
		status = http.StatusInternalServerError
		body = fmt.Appendf(nil, `{"error":{"code":"internal","message":%q}}`+"\n", "the answer is no JSON: "+err.Error())
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	_, _ = w.Write(body) // #nosec G705 -- JSON, which no browser takes for a page: nosniff; who went away needs no answer
}

// encode gives compact JSON and a line break.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return b.Bytes(), err
}
