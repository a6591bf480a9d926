package mcpserver

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// paramHeader starts the headers that repeat an argument, for whoever routes a call without reading its body.
const paramHeader = "Mcp-Param-"

// checkParamHeaders holds the Mcp-Param headers of a call against its arguments, where the tool's schema asks for them
// with x-mcp-header. The SDK does so only for tools that it has itself.
func (s *Server) checkParamHeaders(header http.Header, request *jsonrpc.Request) *refusal {
	if request.Method != methodCall || !s.isReady() {
		return nil
	}
	var params struct {
		Name      string         `json:"name"`
		Arguments map[string]any `json:"arguments"`
	}
	d := json.NewDecoder(bytes.NewReader(request.Params))
	d.UseNumber()
	if d.Decode(&params) != nil {
		return nil // what is wrong with the arguments, the call will say
	}
	tool, ok := s.reg.Snapshot().Tool(params.Name)
	if !ok || !bytes.Contains(tool.Spec.Input.JSON(), []byte("x-mcp-header")) {
		return nil
	}
	var schema headerSchema
	if json.Unmarshal(tool.Spec.Input.JSON(), &schema) != nil {
		return nil // no header can be read out of such a schema
	}
	if fault := schema.check(header, params.Arguments, ""); fault != "" {
		return &refusal{outline(mustEncode(request)).id, mcp.CodeHeaderMismatch, "header mismatch: " + fault}
	}
	return nil
}

// headerSchema is what a schema says about headers.
type headerSchema struct {
	Header     json.RawMessage         `json:"x-mcp-header"`
	Properties map[string]headerSchema `json:"properties"`
}

// check says the first contradiction between the headers and the arguments; empty if there is none.
func (s headerSchema) check(header http.Header, arguments map[string]any, path string) string {
	for _, key := range slices.Sorted(maps.Keys(s.Properties)) {
		property, argument := s.Properties[key], arguments[key]
		var name string
		if json.Unmarshal(property.Header, &name) == nil && name != "" {
			if fault := compare(paramHeader+name, header.Get(paramHeader+name), path+key, argument); fault != "" {
				return fault
			}
		}
		inner, _ := argument.(map[string]any)
		if fault := property.check(header, inner, path+key+"."); fault != "" {
			return fault
		}
	}
	return ""
}

func compare(name, given, path string, argument any) string {
	want, primitive := headerValue(argument)
	switch have, ok := decodeHeader(given); {
	case argument == nil && given != "":
		return fmt.Sprintf("%s is given, but argument %s is not", name, path)
	case argument == nil:
		return ""
	case given == "" && want != "":
		return fmt.Sprintf("%s is missing; argument %s is given", name, path)
	case !ok:
		return name + " is no base64"
	case !primitive:
		return fmt.Sprintf("%s: argument %s is no text, boolean or integer", name, path)
	case have != want && !sameNumber(have, argument):
		return fmt.Sprintf("%s differs from argument %s", name, path)
	}
	return ""
}

// headerValue is an argument as a header has it.
func headerValue(argument any) (string, bool) {
	switch v := argument.(type) {
	case string:
		return v, true
	case bool:
		return strconv.FormatBool(v), true
	case json.Number:
		return v.String(), true
	}
	return "", false
}

func sameNumber(have string, argument any) bool {
	n, ok := argument.(json.Number)
	if !ok {
		return false
	}
	if _, err := strconv.ParseInt(have, 10, 64); err == nil && !strings.ContainsAny(n.String(), ".eE") {
		return false // two integers, written differently
	}
	a, errA := strconv.ParseFloat(have, 64)
	b, errB := n.Float64()
	return errA == nil && errB == nil && a == b
}

func decodeHeader(given string) (string, bool) {
	encoded, ok := strings.CutPrefix(given, "=?base64?")
	if !ok {
		return given, true
	}
	if encoded, ok = strings.CutSuffix(encoded, "?="); !ok {
		return given, true
	}
	decoded, err := base64.StdEncoding.DecodeString(encoded)
	return string(decoded), err == nil
}
