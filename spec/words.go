package spec

// NotSupported is what Words says of a key that the format knows and this version does not obey.
const NotSupported = "not supported by this version"

// What a version that does not obey a key has in its place.
const (
	NoState     = NotSupported + ", which lets expressions read state and self but writes neither"
	NoArtifacts = NotSupported + "; leave it out: an image, document or resource in result.content carries a file"
	NoOAuth     = NotSupported + "; get a token in a step of a pipeline, and write bearer: ${steps.token.access_token} in the next"

	noConfirm    = NotSupported + "; annotations: {destructiveHint: true} has clients ask"
	noBackground = NotSupported + "; leave it out: a call may take as long as timeout says, at most 1h"
)

const (
	writeCommand  = "write executor: {command: {argv: [program, argument]}}"
	writeShell    = "write executor: {command: {shell: …}}"
	writeHTTP     = "write executor: {http: {url: …}}"
	writeFunc     = "write executor: {func: NAME}"
	writeExpr     = "write executor: {expr: …}"
	writePipeline = "write executor: {pipeline: [{id: …, tool: …}]}"
	writeKind     = "the kind is the one key of executor, such as executor: {command: …}"
	writeLimits   = "write limits: {concurrency: 4, rate: 10/s}"
	writeSecret   = "secrets are given to the server, not to a file, which reads them as secret.NAME in its executor"
)

// Words says what to write instead of the keys that people bring to the outermost map from elsewhere.
func (*toolFile) Words() map[string]string {
	return map[string]string{
		"parameters": "inputSchema", "params": "inputSchema", "input_schema": "inputSchema", "inputschema": "inputSchema",
		"input": "inputSchema", "inputs": "inputSchema", "arguments": "inputSchema", "properties": "inputSchema",
		"schema": "inputSchema", "args_schema": "inputSchema", "json_schema": "inputSchema", "json": "inputSchema",
		"output_schema": "outputSchema", "outputschema": "outputSchema", "outputs": "outputSchema",
		"returns": "outputSchema", "return": "outputSchema", "response_schema": "outputSchema",
		"output": "write outputSchema for the value, result for what the model reads",
		"args":   "write inputSchema for the tool's input, executor.command.argv for a command line",

		"tool": "name", "id": "name", "tool_name": "name", "toolName": "name", "function_name": "name",
		"desc": "description", "summary": "description", "doc": "description", "docs": "description", "help": "description",
		"label": "title", "display_name": "title", "displayName": "title", "display_label": "title", "tag": "tags",
		"deadline": "timeout", "timeout_ms": "timeout", "timeoutMs": "timeout", "timeout_seconds": "timeout",
		"dependencies": "requires", "requirements": "requires", "depends": "requires", "hints": "annotations",
		"readOnlyHint": "annotations.readOnlyHint", "destructiveHint": "annotations.destructiveHint",
		"idempotentHint": "annotations.idempotentHint", "openWorldHint": "annotations.openWorldHint",
		"required": "inputSchema.required",

		"command": writeCommand, "run": writeCommand, "cmd": writeCommand, "exec": writeCommand, "argv": writeCommand,
		"script": writeShell, "shell": writeShell, "bash": writeShell, "sh": writeShell,
		"http": writeHTTP, "url": writeHTTP, "endpoint": writeHTTP, "uri": writeHTTP, "method": writeHTTP,
		"headers": writeHTTP, "body": writeHTTP, "request": writeHTTP, "query": writeHTTP, "api": writeHTTP,
		"function": writeFunc, "func": writeFunc, "handler": writeFunc, "callable": writeFunc, "entrypoint": writeFunc,
		"expr": writeExpr, "expression": writeExpr, "code": writeExpr,
		"pipeline": writePipeline, "steps": writePipeline, "workflow": writePipeline,
		"type": writeKind, "kind": writeKind, "runtime": writeKind,
		"env":      "write executor.command.env for variables to set, requires.env for variables to have",
		"tools":    "one file holds one tool",
		"toolSpec": "write its keys at the top of the file",
		"version":  "a tool file has no version; its digest tells it from another",
		"enabled":  "a file whose name starts with _ is skipped",
		"disabled": "a file whose name starts with _ is skipped",

		"test": "tests", "testcases": "tests", "test_cases": "tests", "cases": "tests",

		"confirm": noConfirm, "background": noBackground, "stateSchema": NoState,
		"limit":       "write result: {limit: …} for what bounds a result, limits: {concurrency: …, rate: …} for calls",
		"concurrency": writeLimits, "rate": writeLimits, "rateLimit": writeLimits, "rate_limit": writeLimits, "ratelimit": writeLimits, "throttle": writeLimits,
		"secret": writeSecret, "secrets": writeSecret, "auth": "write executor.http.auth", "retry": "write executor: {http: {url: …, retry: {attempts: 3}}}",
		"sandbox": "executor.command.sandbox", "state": NoState, "self": NoState, "actions": NotSupported, "artifacts": NoArtifacts,
	}
}

// Words says what to write instead of the keys that people bring to annotations.
func (*Annotations) Words() map[string]string {
	return map[string]string{"readOnly": "readOnlyHint", "destructive": "destructiveHint", "title": "write title at the top of the file"}
}

// Words says what to write instead of the keys that people bring to requires.
func (*Requires) Words() map[string]string {
	return map[string]string{
		"bins": "commands", "binaries": "commands", "programs": "commands", "tools": "commands", "executables": "commands",
		"environment": "env", "variables": "env", "platform": "os", "platforms": "os", "system": "os",
	}
}

// Words says what to write instead of the keys that people bring to limits.
func (*Limits) Words() map[string]string {
	return map[string]string{
		"": "write limits: {concurrency: 4, rate: 10/s}", "parallel": "concurrency", "maxConcurrency": "concurrency", "max_concurrency": "concurrency",
		"rps": "rate", "qps": "rate", "burst": "a rate of 10/s lets 10 begin at once", "queue": "the operator's policy says how many calls may wait",
		"timeout": "write it at the top of the file, beside name", "bytes": "write it under result.limit", "items": "write it under result.limit",
		"output": "write result: {limit: {bytes: …}}",
	}
}
