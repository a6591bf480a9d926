package exec

import (
	"time"

	"github.com/toolspec/toolspec/spec"
)

// policyConfig is the outermost map of a policy file: every key that there is.
type policyConfig struct {
	Kinds    []spec.Text   `spec:"kinds" doc:"The kinds that tool files may use; default: all."`
	Egress   egressConfig  `spec:"egress" doc:"Where requests of the kind http may go."`
	Path     spec.Text     `spec:"path" doc:"Where programs are looked up, and PATH of every command: absolute directories, separated as in PATH."`
	Env      []spec.Text   `spec:"env" doc:"Variables of the server that tool files may read as env.NAME; default: HOME, LANG, TZ, USER."`
	Secrets  secretsConfig `spec:"secrets" doc:"Where secret.NAME comes from, in this order; what is not named is not asked. Default: {env: TOOLSPEC_SECRET_}."`
	Defaults boundsConfig  `spec:"defaults" doc:"For a tool file that is silent; default: timeout 30s, output 64KiB, read 8MiB."`
	Sandbox  confineConfig `spec:"sandbox" doc:"How every command is confined, and the most that a tool file may ask for; default: only commands whose files ask are."`
	Limits   limitsConfig  `spec:"limits" doc:"The most that a tool file may ask for, and of calls the most of all tools together; default: timeout 1h, output 1MiB, read 64MiB, concurrency 16, queue 64."`
	Lock     spec.Text     `spec:"lock" doc:"The file of approved tools, as toolspec lock writes it, from the policy file's directory: no others are offered."`
}

// Words are what people bring from elsewhere, and what is to come.
func (*policyConfig) Words() map[string]string {
	return map[string]string{
		"confirm": spec.NotSupported,
		"kind":    "kinds", "network": "egress", "PATH": "path", "environment": "env", "variables": "env", "secret": "secrets", "limit": "limits", "default": "defaults",
		"hosts": "write egress: {hosts: […]}", "private": "write egress: {private: …}", "timeout": "write it under defaults or under limits",
		"output": "write it under defaults or under limits", "read": "write it under defaults or under limits",
	}
}

// Grammars says what stands in the lists.
func (*policyConfig) Grammars() map[string]spec.Grammar {
	return map[string]spec.Grammar{
		"kinds": {"minItems": 1},
		"env":   {"items": spec.Grammar{"type": "string", "pattern": envName.String()}},
	}
}

// egressConfig is egress of a policy file.
type egressConfig struct {
	Hosts   []spec.Text  `spec:"hosts" doc:"Hosts that tools may reach: names, *.example.com for all that end so, addresses, or * for any; default: any."`
	Proxy   spec.Text    `spec:"proxy" doc:"A proxy that every request to another machine goes by: http://HOST:PORT or https://HOST:PORT, with user:password@ where it asks for them; default: none, whatever the environment says."`
	Private spec.Section `spec:"private" doc:"Whether input and redirects may lead to private addresses: false (the default), true, or a list of hosts and networks such as 10.0.0.0/8."`
}

// Grammars says what private may be.
func (*egressConfig) Grammars() map[string]spec.Grammar {
	return map[string]spec.Grammar{"private": {"anyOf": []spec.Grammar{{"type": "boolean"}, {"type": "array", "items": spec.Grammar{"type": "string"}}}}}
}

// secretsConfig is secrets of a policy file.
type secretsConfig struct {
	Env     spec.Text   `spec:"env" doc:"What the names of variables that hold secrets start with, such as TOOLSPEC_SECRET_."`
	Dir     spec.Text   `spec:"dir" doc:"A directory with a file for each secret, from the policy file's directory."`
	Command []spec.Text `spec:"command" doc:"A program and its arguments, among them ${name}: it prints the secret, or nothing where there is none."`
	Keyring spec.Text   `spec:"keyring" doc:"The service under which the system's keyring has the secrets, each by its name."`
}

// Words are what people bring from elsewhere.
func (*secretsConfig) Words() map[string]string {
	return map[string]string{"prefix": "env", "directory": "dir", "files": "dir", "argv": "command", "service": "keyring"}
}

// Grammars says how short the command may be.
func (*secretsConfig) Grammars() map[string]spec.Grammar {
	return map[string]spec.Grammar{"command": {"minItems": 2}}
}

// boundsConfig is defaults of a policy file.
type boundsConfig struct {
	Timeout     time.Duration `spec:"timeout" doc:"How long a call may take, such as 30s."`
	Output      spec.Bytes    `spec:"output" doc:"How large a result may be, such as 64KiB."`
	Read        spec.Bytes    `spec:"read" doc:"How much is taken from a process or a body, such as 8MiB."`
	Concurrency spec.Count    `spec:"concurrency" doc:"How many calls of one tool may run at once; default: half of limits.concurrency."`
	Rate        spec.Rate     `spec:"rate" doc:"How many calls of one tool may begin in a time, such as 10/s; default: any number."`
}

// Words are what people write here and belongs elsewhere.
func (*boundsConfig) Words() map[string]string {
	return map[string]string{"queue": "write it under limits: it is one for all tools"}
}

// limitsConfig is limits of a policy file.
type limitsConfig struct {
	Timeout     time.Duration `spec:"timeout" doc:"How long a call may take at most, such as 1h."`
	Output      spec.Bytes    `spec:"output" doc:"How large a result may be at most, such as 1MiB."`
	Read        spec.Bytes    `spec:"read" doc:"How much may be taken at most from a process or a body, such as 64MiB."`
	Concurrency spec.Count    `spec:"concurrency" doc:"How many calls may run at once, of all tools together."`
	Rate        spec.Rate     `spec:"rate" doc:"How many calls may begin in a time, of all tools together, such as 100/s; default: any number."`
	Queue       spec.Count    `spec:"queue" doc:"How many calls may wait for others to end, of all tools together."`
}

// PolicyGrammar is what a policy file may hold: a JSON Schema of draft-07 for editors.
func (k Kinds) PolicyGrammar() spec.Grammar {
	g := spec.GrammarOf(policyConfig{})
	kinds := g["properties"].(map[string]spec.Grammar)["kinds"]
	kinds["items"] = spec.Grammar{"enum": k.Names()}
	return g.With(spec.Grammar{"$schema": "http://json-schema.org/draft-07/schema#", "title": "An operator's policy"})
}
