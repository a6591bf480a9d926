package exec

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/toolspec/toolspec/spec"
)

// Secrets is where secret.NAME comes from: the first source that has it, in the order of the fields. If none is given it
// is the environment, with the prefix TOOLSPEC_SECRET_.
type Secrets struct {
	// Prefix and the name are the variable of the server's environment that holds a secret.
	Prefix string
	// Dir is a directory with a file for each secret, which has its name.
	Dir string
	// Command is a program, by its absolute path, and its arguments, in which ${name} stands for the secret's name. It prints
	// the secret, or nothing where there is none.
	Command []string
	// Keyring is the service under which the system's keyring has secrets, each by its name as the user's; AskKeyring asks it. exec/keyring
	// has one.
	Keyring    string
	AskKeyring func(ctx context.Context, service, name string) (value string, ok bool, err error)

	// Lookup, unless nil, is asked instead of all that, once a call for each secret that the call needs. Not ok: there is no
	// such secret. Its error is for the log: what a caller is told does not repeat it.
	Lookup func(ctx context.Context, name string) (value string, ok bool, err error)
}

// secretPrefix is what the names of variables that hold secrets start with.
const secretPrefix = "TOOLSPEC_SECRET_"

// secretNameSlot stands for the secret's name in Secrets.Command.
const secretNameSlot = "${name}"

const (
	mostSecret     = 64 << 10         // bytes of one secret
	secretPatience = 10 * time.Second // how long its command may take
)

func (s Secrets) complete() Secrets {
	if s.Prefix == "" && s.Dir == "" && s.Command == nil && s.Keyring == "" {
		s.Prefix = secretPrefix
	}
	return s
}

// findSecret asks the sources one after the other.
func (p Policy) findSecret(ctx context.Context, name string, hold func() hold) (string, bool, error) {
	if p.Secrets.Lookup != nil {
		return p.Secrets.Lookup(ctx, name)
	}
	value, ok, err := p.Secrets.inReach(name)
	if !ok && err == nil && p.Secrets.Command != nil {
		value, ok, err = p.secretFromCommand(ctx, name, hold)
	}
	if !ok && err == nil && p.Secrets.Keyring != "" {
		value, ok, err = p.Secrets.fromKeyring(ctx, name)
	}
	return value, ok, err
}

func (s Secrets) fromKeyring(ctx context.Context, name string) (string, bool, error) {
	if s.AskKeyring == nil {
		return "", false, &spec.Error{Code: spec.CodeNeedsCredential, Message: "this program asks no keyring"}
	}
	text, ok, err := s.AskKeyring(ctx, s.Keyring, name)
	if len(text) > mostSecret {
		return "", false, errors.New("the keyring holds more than 64 KiB under this name")
	}
	value := withoutBreak([]byte(text))
	return value, ok && value != "", err
}

// inReach is a secret from the sources that nobody is asked for.
func (s Secrets) inReach(name string) (string, bool, error) {
	if s.Prefix != "" {
		if value := os.Getenv(s.Prefix + name); value != "" {
			return value, true, nil
		}
	}
	if s.Dir == "" {
		return "", false, nil
	}
	value, err := readSecret(filepath.Join(s.Dir, name)) // a name has neither dots nor slashes
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", false, nil
	case err != nil:
		return "", false, err
	}
	return value, value != "", nil
}

// readSecret reads a file that holds one secret.
func readSecret(path string) (string, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return "", err
	case !info.Mode().IsRegular():
		return "", fmt.Errorf("%s is no ordinary file", path)
	case isOpenToAll(info):
		return "", fmt.Errorf("%s: every user of this machine may write it", path)
	}
	file, err := os.Open(path) // #nosec G304 -- in the operator's directory; no input makes a name
	if err != nil {
		return "", err
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, mostSecret+1))
	if err == nil && len(text) > mostSecret {
		err = fmt.Errorf("%s holds more than 64 KiB", path)
	}
	return withoutBreak(text), err
}

// withoutBreak takes away the one line break that editors and programs end a text with.
func withoutBreak(text []byte) string {
	return string(bytes.TrimSuffix(bytes.TrimSuffix(text, []byte("\n")), []byte("\r")))
}

// secretFromCommand runs the command. What it wrote is told to nobody, not even in the log: it may hold the secret.
func (p Policy) secretFromCommand(ctx context.Context, name string, hold func() hold) (string, bool, error) {
	ctx, cancel := context.WithTimeout(ctx, secretPatience)
	defer cancel()
	argv := make([]string, len(p.Secrets.Command))
	for i, arg := range p.Secrets.Command {
		argv[i] = strings.ReplaceAll(arg, secretNameSlot, name)
	}
	run := &process{name: "the command of secrets", path: argv[0], argv: argv, env: p.inheritedEnv(), read: mostSecret, hold: hold}
	out, err := run.run(ctx, nil)
	switch {
	case err != nil:
		return "", false, err
	case out.killed:
		return "", false, interruption(ctx, run.name+" took too long, or the call ended")
	case out.signal != "":
		return "", false, fmt.Errorf("%s was ended by a signal (%s)", run.name, out.signal)
	case out.exitCode != 0:
		return "", false, fmt.Errorf("%s exited with code %d", run.name, out.exitCode)
	case out.stdout.total > mostSecret:
		return "", false, fmt.Errorf("%s printed more than 64 KiB", run.name)
	}
	value := withoutBreak(out.stdout.bytes())
	return value, value != "", nil
}

// howToGive says in a model's hearing how an operator gives a secret: no paths.
func (s Secrets) howToGive(name string) string {
	var ways []string
	switch {
	case s.Lookup != nil:
		return "where that looks for secrets"
	case s.Prefix != "":
		ways = append(ways, "as the environment variable "+s.Prefix+name)
	}
	if s.Dir != "" {
		ways = append(ways, "as the file "+name+" in its directory of secrets")
	}
	if s.Command != nil {
		ways = append(ways, "by its command for secrets")
	}
	if s.Keyring != "" {
		ways = append(ways, "as "+name+" of the service "+s.Keyring+" in the system's keyring")
	}
	return strings.Join(ways, ", or ")
}
