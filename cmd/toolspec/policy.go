package main

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/toolspec/toolspec/exec"
	"github.com/toolspec/toolspec/spec"
)

func policyCommand(std stdio, where *place) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "policy",
		Short: "Print the operator's policy, and what each tool may touch under it",
		Long: `Print the policy in force, from a file or as it is without one, and what each tool may touch under it: the programs it
starts, the hosts it asks, the variables and secrets it reads, how long it may take. No value of a variable or a secret is shown.`,
		Example: `  toolspec policy -d tools --policy policy.yaml
  toolspec policy --builtin --json`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			told, set, err := where.tell()
			if err != nil {
				return err
			}
			if asJSON {
				err = writeJSON(std.out, told)
			} else {
				err = told.write(std.out)
			}
			if set != nil {
				set.printDiagnostics(std.err)
			}
			return failed(err)
		},
	}
	where.flags(cmd)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

// toldPolicy is a policy with what is touched under it.
type toldPolicy struct {
	Policy policyInForce `json:"policy"`
	Tools  []exec.Touch  `json:"tools"`
}

// policyInForce is a policy as it is told: what its file does not say, too.
type policyInForce struct {
	File     string      `json:"file,omitempty"`
	Kinds    []string    `json:"kinds"`
	Egress   toldEgress  `json:"egress"`
	Path     string      `json:"path"`
	Env      []string    `json:"env"`
	Secrets  toldSecrets `json:"secrets"`
	Defaults toldBounds  `json:"defaults"`
	Limits   toldBounds  `json:"limits"`
	Sandbox  toldSandbox `json:"sandbox"`
	Lock     string      `json:"lock,omitempty"`
}

type toldEgress struct {
	Hosts   []string `json:"hosts"`
	Private []string `json:"private"`
	Proxy   string   `json:"proxy,omitempty"` // without its password
}

type toldSecrets struct {
	Env     string   `json:"env,omitempty"`
	Dir     string   `json:"dir,omitempty"`
	Command []string `json:"command,omitempty"`
	Keyring string   `json:"keyring,omitempty"`
}

type toldBounds struct {
	Timeout     string `json:"timeout"`
	Output      int64  `json:"output"`
	Read        int64  `json:"read"`
	Concurrency int    `json:"concurrency"` // calls at once
	Rate        string `json:"rate,omitempty"`
	Queue       int    `json:"queue,omitempty"` // calls that may wait
}

func tellBounds(b exec.Bounds) toldBounds {
	return toldBounds{b.Timeout.String(), int64(b.Output), int64(b.Read), int(b.Concurrency), b.Rate.String(), int(b.Queue)}
}

// tell reads the policy, and the tools where there are any.
func (p *place) tell() (toldPolicy, *set, error) {
	set, err := p.readUnlocked()
	if errors.Is(err, errNoDirectory) {
		env, err := p.environment(slog.New(slog.DiscardHandler), nil)
		if err != nil {
			return toldPolicy{}, nil, err
		}
		return toldPolicy{inForce(env.Policy), []exec.Touch{}}, nil, nil
	}
	if err != nil {
		return toldPolicy{}, nil, err
	}
	told := toldPolicy{inForce(set.env.Policy), []exec.Touch{}}
	for t := range set.registry.Snapshot().All() {
		told.Tools = append(told.Tools, t.Touches())
	}
	return told, set, nil
}

func inForce(p exec.Policy) policyInForce {
	told := policyInForce{
		File: p.File, Kinds: p.Kinds, Egress: toldEgress{p.Egress.Hosts, p.Egress.Private, p.Egress.ShownProxy()}, Path: p.Path, Env: p.EnvNames,
		Secrets: toldSecrets{p.Secrets.Prefix, p.Secrets.Dir, p.Secrets.Command, p.Secrets.Keyring}, Defaults: tellBounds(p.Defaults), Limits: tellBounds(p.Limits),
		Sandbox: tellSandbox(p),
		Lock:    p.Lock,
	}
	if told.Kinds == nil {
		told.Kinds = exec.StandardKinds().Names()
	}
	if told.Egress.Hosts == nil {
		told.Egress.Hosts = []string{"*"}
	}
	if told.Egress.Private == nil {
		told.Egress.Private = []string{}
	}
	if told.Path == "" {
		told.Path = os.Getenv("PATH")
	}
	return told
}

func (t toldPolicy) write(w io.Writer) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	p := t.Policy
	line := func(label, text string) { fmt.Fprintf(table, "%s\t%s\n", label, text) }
	file := p.File
	if file == "" {
		file = "none: what holds without one"
	}
	line("policy", file)
	line("kinds", listed(p.Kinds))
	line("hosts", listed(p.Egress.Hosts))
	line("private", listed(p.Egress.Private))
	if p.Egress.Proxy != "" {
		line("proxy", p.Egress.Proxy)
	}
	line("path", p.Path)
	line("env", listed(p.Env))
	line("secrets", p.Secrets.text())
	line("defaults", p.Defaults.text())
	line("limits", p.Limits.text())
	line("sandbox", p.Sandbox.text())
	if p.Lock != "" {
		line("lock", p.Lock)
	}
	for _, touch := range t.Tools {
		fmt.Fprintf(table, "\n%s\t%s\n", touch.Tool, strings.Join(touch.Kinds, ", "))
		writeTouch(line, touch)
	}
	return table.Flush()
}

// writeTouch leaves out what the tool does not touch.
func writeTouch(line func(label, text string), t exec.Touch) {
	for _, program := range t.Programs {
		path := program.Path
		if path == "" {
			path = program.Name + ", which is not found"
		}
		if program.Shell != "" {
			path += " -c: a shell, which starts what its text says"
		}
		line("  program", path)
		if program.Sandbox != nil {
			line("  sandbox", grantedText(*program.Sandbox))
		}
	}
	hosts := listed(t.Hosts)
	if t.Redirect {
		hosts += ", redirects too"
	}
	for _, part := range []struct {
		label, text string
		is          bool
	}{
		{"  hosts", hosts, len(t.Hosts) > 0},
		{"  funcs", listed(t.Funcs), len(t.Funcs) > 0},
		{"  tools", listed(t.Tools), len(t.Tools) > 0},
		{"  env", listed(t.Env), len(t.Env) > 0},
		{"  secrets", listed(t.Secrets), len(t.Secrets) > 0},
	} {
		if part.is {
			line(part.label, part.text)
		}
	}
	line("  limits", toldBounds{t.Timeout, t.Output, t.Read, t.Concurrency, t.Rate, 0}.text())
}

func listed(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}

func (b toldBounds) text() string {
	text := fmt.Sprintf("timeout %s, output %s, read %s", b.Timeout, spec.Bytes(b.Output), spec.Bytes(b.Read))
	for _, more := range []struct {
		label, value string
		is           bool
	}{{"concurrency", strconv.Itoa(b.Concurrency), b.Concurrency > 0}, {"rate", b.Rate, b.Rate != ""}, {"queue", strconv.Itoa(b.Queue), b.Queue > 0}} {
		if more.is {
			text += ", " + more.label + " " + more.value
		}
	}
	return text
}

func (s toldSecrets) text() string {
	var ways []string
	if s.Env != "" {
		ways = append(ways, "variables "+s.Env+"NAME")
	}
	if s.Dir != "" {
		ways = append(ways, "files "+s.Dir+string(os.PathSeparator)+"NAME")
	}
	if s.Command != nil {
		ways = append(ways, "the command "+strings.Join(s.Command, " "))
	}
	if s.Keyring != "" {
		ways = append(ways, "the service "+s.Keyring+" of the keyring")
	}
	return strings.Join(ways, ", then ")
}
