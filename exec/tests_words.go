package exec

import (
	"time"

	"github.com/toolspec/toolspec/spec"
)

// Words are what people bring from elsewhere.
func (*testConfig) Words() map[string]string {
	return map[string]string{
		"args": "input", "arguments": "input", "given": "input", "title": "name", "description": "name", "mock": "stub", "mocks": "stub", "stubs": "stub",
		"want": "expect", "expected": "expect", "output": "expect", "result": "expect", "assert": "write expect: {that: …}",
		"then": "expect", "http": "write stub: {http: …}", "command": "write stub: {command: …}", "env": "write stub: {env: …}", "now": "write stub: {now: …}",
		"status": "expect.status", "text": "expect.text",
	}
}

// Words are what people bring from elsewhere.
func (*Expect) Words() map[string]string {
	return map[string]string{
		"": "write expect: {text: …}", "contains": "text", "content": "text", "output": "json", "value": "json", "data": "json", "command": "argv", "url": "write it under request, as request: {url: …}",
		"http": "request", "error": "write status: error, and its words as text", "code": `write that: 'result.metadata.error.code == "failed"'`,
		"expr": "that", "assert": "that",
	}
}

// Words are what people bring from elsewhere.
func (*ExpectedRequest) Words() map[string]string {
	return map[string]string{"uri": "url", "header": "headers", "body": "write json, text or base64", "query": "it is part of url"}
}

// Words are what people bring from elsewhere.
func (*httpStub) Words() map[string]string {
	return map[string]string{
		"code": "status", "statusCode": "status", "header": "headers", "body": "write json, text or base64", "content": "write json, text or base64", "bytes": "base64",
	}
}

// Words are what people bring from elsewhere.
func (*commandStub) Words() map[string]string {
	return map[string]string{"output": "stdout", "out": "stdout", "err": "stderr", "code": "exitCode", "exit": "exitCode", "status": "exitCode"}
}

// atMostOne says that no two of these keys are given.
func atMostOne(keys ...string) spec.Grammar {
	var pairs []spec.Grammar
	for i, one := range keys {
		for _, other := range keys[:i] {
			pairs = append(pairs, spec.Grammar{"required": []string{other, one}})
		}
	}
	return spec.Grammar{"not": spec.Grammar{"anyOf": pairs}}
}

func base64Grammar() spec.Grammar { return spec.Grammar{"pattern": `^[A-Za-z0-9+/=\s]*$`} }

// Grammars says what may stand in a test.
func (*testConfig) Grammars() map[string]spec.Grammar {
	return map[string]spec.Grammar{"name": {"pattern": `\S`}, "input": {}}
}

// Grammars says what may stand in these sections.
func (*Expect) Grammars() map[string]spec.Grammar {
	return map[string]spec.Grammar{
		"status": {"enum": []spec.Status{spec.StatusSuccess, spec.StatusError}}, "json": {}, "argv": {"minItems": 1},
	}
}

// Grammars says what may stand in these sections.
func (*ExpectedRequest) Grammars() map[string]spec.Grammar {
	return map[string]spec.Grammar{"json": {}, "base64": base64Grammar(), "": atMostOne("json", "text", "base64")}
}

// Grammars says what may stand in these sections.
func (*stubConfig) Grammars() map[string]spec.Grammar {
	return map[string]spec.Grammar{
		"steps": {}, "tools": {}, "state": {}, "self": {},
		"now": {"type": "string", "pattern": `^[0-9]{4}-[0-9]{2}-[0-9]{2}T`, "examples": []string{time.Date(2031, 5, 4, 12, 0, 0, 0, time.UTC).Format(time.RFC3339)}},
	}
}

// Grammars says what may stand in these sections.
func (*httpStub) Grammars() map[string]spec.Grammar {
	return map[string]spec.Grammar{
		"status": {"minimum": 100, "maximum": 599}, "json": {}, "base64": base64Grammar(), "": atMostOne("json", "text", "base64"),
	}
}

// Grammars says what may stand in these sections.
func (*commandStub) Grammars() map[string]spec.Grammar {
	return map[string]spec.Grammar{"exitCode": {"minimum": 0, "maximum": 255}}
}
