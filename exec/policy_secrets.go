package exec

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"github.com/toolspec/toolspec/spec"
)

func (r *policyReader) readSecrets(at spec.Section, c secretsConfig) {
	if at.Form() != spec.FormMap {
		return
	}
	r.policy.Secrets = Secrets{Prefix: c.Env.Value}
	switch prefix, ok := at.Get("env").Text(); {
	case ok && !envName.MatchString(prefix.Value):
		r.fault(at.Get("env"), "want what the names of variables start with, such as %s, have %q", secretPrefix, shorten(prefix.Value, 60))
	case len(at.Fields()) == 0:
		r.fault(at, "want env, dir, command or keyring, have none")
	}
	if _, ok := at.Get("keyring").Text(); ok {
		if r.policy.Secrets.Keyring = c.Keyring.Value; c.Keyring.Value == "" || strings.ContainsFunc(c.Keyring.Value, unicode.IsControl) {
			r.fault(at.Get("keyring"), "want the service that the keyring has the secrets under, such as toolspec, have %q", shorten(c.Keyring.Value, 60))
		}
	}
	if _, ok := at.Get("dir").Text(); ok {
		r.readSecretsDir(at.Get("dir"), c.Dir.Value)
	}
	if command := at.Get("command"); command.Form() == spec.FormList {
		r.readSecretsCommand(command, c.Command)
	}
}

func (r *policyReader) readSecretsDir(at spec.Section, dir string) {
	if dir == "" {
		r.fault(at, "want a directory, have nothing")
		return
	}
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(r.dir, filepath.FromSlash(dir))
	}
	r.policy.Secrets.Dir = dir
	info, err := os.Stat(dir)
	switch {
	case err != nil || !info.IsDir():
		r.fault(at, "there is no directory %s", dir)
	case isOpenToAll(info):
		r.fault(at, "every user of this machine may write in %s; take that right away, as with chmod o-w", dir)
	default:
		if why := DefaultPolicy().NewExposure().Place(dir); why != "" {
			r.fault(at, "%s", why)
		}
	}
}

// readSecretsCommand fixes the program, as a tool's is fixed when its file is read.
func (r *policyReader) readSecretsCommand(at spec.Section, texts []spec.Text) {
	var argv []string
	each(at, texts, func(at spec.Section, text string) {
		argv = append(argv, text)
		if strings.Contains(strings.ReplaceAll(text, secretNameSlot, ""), "${") {
			r.fault(at, "%s is all that can stand in it, have %q", secretNameSlot, shorten(text, 60))
		}
		if strings.IndexByte(text, 0) >= 0 {
			r.fault(at, "no argument can hold a NUL character")
		}
	})
	hasName := func(text string) bool { return strings.Contains(text, secretNameSlot) }
	switch {
	case len(argv) == 0 || argv[0] == "" || hasName(argv[0]):
		r.fault(at, "want a program and its arguments, such as [pass, show, '%s']", secretNameSlot)
		return
	case !slices.ContainsFunc(argv, hasName):
		r.fault(at, "want %s in one of the arguments: it stands for the secret's name", secretNameSlot)
	}
	program, err := r.policy.findProgram(argv[0], r.dir)
	if err != nil {
		r.fault(at.Items()[0], "it runs the command %s", err)
	}
	argv[0] = program
	r.policy.Secrets.Command = argv
}
