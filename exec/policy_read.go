package exec

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/toolspec/toolspec/spec"
)

// LoadPolicy reads the policy file at a path, which not every user of the machine may write.
func (k Kinds) LoadPolicy(path string) (Policy, spec.Diagnostics) {
	refuse := func(format string, args ...any) (Policy, spec.Diagnostics) {
		return Policy{}, spec.Diagnostics{spec.Errorf(spec.Pos{File: path, Line: 1, Column: 1}, "policy", format, args...)}
	}
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return refuse("there is no such file")
	case err == nil && !info.Mode().IsRegular():
		return refuse("want a file, have something else")
	}
	file, err := os.Open(path) // #nosec G304 -- what the operator names with --policy
	if err != nil {
		return refuse("it cannot be read: %s", errors.Unwrap(err))
	}
	defer file.Close()
	if info, err = file.Stat(); err == nil && isOpenToAll(info) {
		return refuse("every user of this machine may write this file, and so the policy; take that right away, as with chmod o-w")
	}
	if why := DefaultPolicy().NewExposure().Place(path); why != "" {
		return refuse("%s", why)
	}
	src, err := io.ReadAll(io.LimitReader(file, spec.MaxFileBytes+1))
	if err != nil {
		return refuse("it cannot be read: %s", err)
	}
	if len(bytes.TrimSpace(src)) == 0 {
		return refuse("the file is empty; a policy that says nothing is {}")
	}
	return k.ReadPolicy(path, src)
}

// ReadPolicy reads a policy file as strictly as a tool file: everything that is wrong is said at once, at its place, and
// then there is no policy. A relative path in it starts from its own directory. What it does not say is as without a file.
func (k Kinds) ReadPolicy(file string, src []byte) (Policy, spec.Diagnostics) {
	root, ds := spec.ReadDocument(file, src)
	if root.IsZero() {
		return Policy{}, ds
	}
	r := &policyReader{kinds: k, dir: directoryOf(file), ds: ds}
	var c policyConfig
	r.take(root.Decode(&c))
	r.policy = DefaultPolicy()
	r.policy.File = file
	r.readKinds(root.Get("kinds"), c.Kinds)
	r.readEgress(root.Get("egress"), c.Egress)
	r.readPath(root.Get("path"), c.Path)
	r.readSecrets(root.Get("secrets"), c.Secrets)
	r.readEnv(root.Get("env"), c.Env)
	r.readSandbox(root.Get("sandbox"), c.Sandbox)
	r.readBounds(root.Get("defaults"), c.Defaults, c.Limits)
	r.readLock(root.Get("lock"), c.Lock)
	r.ds.Sort()
	if r.ds.HasErrors() {
		return Policy{}, r.ds
	}
	return r.policy, r.ds
}

func directoryOf(file string) string {
	dir, err := filepath.Abs(filepath.Dir(file))
	if err != nil {
		return filepath.Dir(file) // the working directory is gone: paths stay as they are
	}
	return dir
}

// policyReader turns a policy file into a policy.
type policyReader struct {
	kinds  Kinds
	dir    string // of the file
	policy Policy
	ds     spec.Diagnostics
}

func (r *policyReader) take(faults spec.Diagnostics) { r.ds = append(r.ds, faults...) }

func (r *policyReader) fault(at spec.Section, format string, args ...any) {
	r.ds = append(r.ds, at.Errorf("policy", format, args...))
}

// each gives the texts of a list with their sections, but for those that are none.
func each(list spec.Section, texts []spec.Text, use func(at spec.Section, text string)) {
	for i, item := range list.Items() {
		if _, ok := item.Text(); ok && i < len(texts) {
			use(item, texts[i].Value)
		}
	}
}

func (r *policyReader) readKinds(at spec.Section, names []spec.Text) {
	if at.Form() == spec.FormList && len(names) == 0 {
		r.fault(at, "want the kinds that tool files may use, have none; known here: %s", strings.Join(r.kinds.Names(), ", "))
	}
	each(at, names, func(at spec.Section, name string) {
		r.policy.Kinds = append(r.policy.Kinds, name)
		if _, ok := r.kinds[name]; !ok {
			r.fault(at, "%s", strings.TrimPrefix(r.kinds.unknown(name), "executor: "))
		}
	})
}

func (r *policyReader) readEnv(at spec.Section, names []spec.Text) {
	if at.Form() != spec.FormList {
		return
	}
	r.policy.EnvNames = []string{}
	prefix := r.policy.Secrets.complete().Prefix
	each(at, names, func(at spec.Section, name string) {
		r.policy.EnvNames = append(r.policy.EnvNames, name)
		switch {
		case !envName.MatchString(name):
			r.fault(at, "want the name of a variable, of letters, digits and _, have %q", shorten(name, 60))
		case prefix != "" && strings.HasPrefix(name, prefix):
			r.fault(at, "%s holds a secret, which could reach the model from here; tool files read it as secret.%s", name, strings.TrimPrefix(name, prefix))
		}
	})
}

func (r *policyReader) readPath(at spec.Section, text spec.Text) {
	if _, ok := at.Text(); !ok {
		return
	}
	r.policy.Path = text.Value
	dirs := filepath.SplitList(text.Value)
	if len(dirs) == 0 {
		dirs = []string{""}
	}
	for _, dir := range dirs {
		if !filepath.IsAbs(dir) {
			r.fault(at, "want absolute directories, such as /usr/local/bin%c/usr/bin, have %q", filepath.ListSeparator, shorten(dir, 60))
		}
	}
}

func (r *policyReader) readEgress(at spec.Section, c egressConfig) {
	hosts := at.Get("hosts")
	if hosts.Form() == spec.FormList {
		r.policy.Egress.Hosts = []string{}
	}
	each(hosts, c.Hosts, func(at spec.Section, host string) {
		r.policy.Egress.Hosts = append(r.policy.Egress.Hosts, host)
		switch {
		case isNetwork(host):
			r.fault(at, "want a host, have the network %s; under egress.private networks may stand", host)
		case host != "*" && !isHost(host):
			r.fault(at, "want a host such as api.example.com, *.example.com or 192.0.2.7, without scheme, port or path, or * for any; have %q", shorten(host, 60))
		}
	})
	if _, ok := at.Get("proxy").Text(); ok {
		proxy, err := ReadProxy(c.Proxy.Value)
		if r.policy.Egress.Proxy = proxy; err != nil {
			r.fault(at.Get("proxy"), "%s", err)
		}
	}
	switch c.Private.Form() {
	case spec.FormAbsent:
	case spec.FormBool:
		if c.Private.Value() == true {
			r.policy.Egress.Private = []string{"*"}
		}
	case spec.FormList:
		r.readPrivate(c.Private)
	default:
		r.take(spec.Diagnostics{c.Private.Want("true, false, or a list of hosts and networks such as 10.0.0.0/8")})
	}
}

func (r *policyReader) readPrivate(list spec.Section) {
	var texts []spec.Text
	r.take(list.Decode(&texts))
	each(list, texts, func(at spec.Section, entry string) {
		r.policy.Egress.Private = append(r.policy.Egress.Private, entry)
		switch {
		case entry == "*":
			r.fault(at, "write private: true for all")
		case !isNetwork(entry) && !isHost(entry):
			r.fault(at, "want a host such as intern.example.com or *.lan, or a network such as 10.0.0.0/8; have %q", shorten(entry, 60))
		}
	})
}

// readBounds reads defaults and limits. A default beyond its limit would be one that no file may ask for.
func (r *policyReader) readBounds(defaults spec.Section, c boundsConfig, most limitsConfig) {
	r.policy.Defaults = Bounds{Timeout: c.Timeout, Output: c.Output, Read: c.Read, Concurrency: c.Concurrency, Rate: c.Rate}
	r.policy.Limits = Bounds(most)
	done := r.policy.complete()
	limits := done.Limits
	r.policy.Defaults, r.policy.Limits = done.Defaults, limits
	beyond := func(key string, is bool, limit, have any) {
		if is {
			r.fault(defaults.Get(key), "want at most %v, which is limits.%s, have %v", limit, key, have)
		}
	}
	beyond("timeout", c.Timeout > limits.Timeout, limits.Timeout, c.Timeout)
	beyond("output", c.Output > limits.Output, limits.Output, c.Output)
	beyond("read", c.Read > limits.Read, limits.Read, c.Read)
	beyond("rate", !limits.Rate.IsZero() && !c.Rate.IsZero() && c.Rate.PerSecond() > limits.Rate.PerSecond(), limits.Rate, c.Rate)
	if one := limits.oneTool(); int(c.Concurrency) > one {
		r.fault(defaults.Get("concurrency"), "want at most %d, so that no tool can hold all %d places of limits.concurrency, have %d", one, limits.Concurrency, c.Concurrency)
	}
}

func (r *policyReader) readLock(at spec.Section, text spec.Text) {
	if _, ok := at.Text(); !ok {
		return
	}
	if text.Value == "" {
		r.fault(at, "want the path of a lock, as toolspec lock writes it, have nothing")
		return
	}
	if r.policy.Lock = text.Value; !filepath.IsAbs(text.Value) {
		r.policy.Lock = filepath.Join(r.dir, text.Value)
	}
}
