package exec

import (
	"context"
	"errors"
	"log/slog"
	"regexp"
	"slices"

	"github.com/expr-lang/expr/ast"

	"github.com/toolspec/toolspec/spec"
)

// stubSecret is what stands for a secret where there is none, and where one is not to be seen.
func stubSecret(name string) string { return "secret:" + name }

// secret is a secret's value for this call; not ok where there is none.
func (c *Call) secret(ctx context.Context, name string) (value string, ok bool, err error) {
	if c.Stub != nil || c.dry != nil {
		return stubSecret(name), true, nil
	}
	if value, ok = c.vault.value(name); ok {
		return value, true, nil
	}
	value, ok, err = c.tool.env.Policy.findSecret(ctx, name, c.tool.env.holds.takeLasting)
	if err != nil {
		c.log().Warn("a secret cannot be read", "tool", c.Use.Name, "secret", name, "error", err)
		why := "; the server's log says why"
		if said := (*spec.Error)(nil); errors.As(err, &said) && said.Code == spec.CodeNeedsCredential {
			why = ": " + said.Message
		}
		return "", false, &spec.Error{Code: spec.CodeNeedsCredential, Retryable: true, Err: err, Message: "the secret " + name + " cannot be read just now" + why}
	}
	if !ok || value == "" {
		return "", false, nil
	}
	c.vault.keep(name, value)
	return value, true, nil
}

// lacksSecret tells whether a call would find no such secret, where that can be known without asking anybody.
func (c *Call) lacksSecret(name string) bool {
	from := c.tool.env.Policy.Secrets
	if c.Stub != nil || from.Lookup != nil || from.Command != nil || from.Keyring != "" {
		return false
	}
	value, _, err := from.inReach(name)
	return err == nil && value == ""
}

// missingSecret says what is missing and how its operator gives it.
func (c *Call) missingSecret(name string) error {
	how := "the operator gives it to the server " + c.tool.env.Policy.Secrets.howToGive(name)
	return spec.NewError(spec.CodeNeedsCredential, "the secret %s is not there; %s", name, how)
}

// secretValue is secret.NAME in an expression.
func secretValue(m *meter, args []any) (any, error) {
	call, name := m.vars.root(), args[0].(string)
	value, ok, err := call.secret(m.ctx, name)
	if err == nil && !ok {
		err = call.missingSecret(name)
	}
	return value, err
}

// secretOrNull is secret.NAME before ??.
func secretOrNull(m *meter, args []any) (any, error) {
	call, name := m.vars.root(), args[0].(string)
	if call.dry != nil && call.lacksSecret(name) {
		return nil, nil // what would be done is what ?? says
	}
	value, ok, err := call.secret(m.ctx, name)
	if err != nil || !ok {
		return nil, err
	}
	return value, nil
}

// secretName is the name of the secret that a node is, if it is one.
func secretName(n ast.Node) (string, bool) {
	if chain, ok := n.(*ast.ChainNode); ok {
		n = chain.Node
	}
	m, ok := n.(*ast.MemberNode)
	if !ok {
		return "", false
	}
	root, isName := m.Node.(*ast.IdentifierNode)
	name, isText := m.Property.(*ast.StringNode)
	if !isName || !isText || root.Value != "secret" {
		return "", false
	}
	return name.Value, true
}

var secretNames = regexp.MustCompile(`^[A-Za-z0-9_]{1,100}$`)

// secretField checks secret.NAME.
func (c *checker) secretField(n *ast.StringNode) *spec.Shape {
	if !secretNames.MatchString(n.Value) {
		return c.errorf(n, "want the name of a secret, of letters, digits and _, have %q", shorten(n.Value, 60))
	}
	c.reads = append(c.reads, "secret")
	c.site.needSecret(n.Value)
	return textShape()
}

// Secrets are the names of the secrets that the tool's file asks for, sorted.
func (t *Tool) Secrets() []string { return t.secrets }

func (s *Site) needSecret(name string) {
	if i, known := slices.BinarySearch(s.needs.secrets, name); !known {
		s.needs.secrets = slices.Insert(s.needs.secrets, i, name)
	}
}

// withoutSecrets is the site for expressions that no secret has a place in.
func (s *Site) withoutSecrets() *Site {
	inner := *s
	inner.noSecrets, inner.seen = true, nil
	return &inner
}

// guardSecrets has all that the call says from here on looked through for the secrets that it, and the tools it calls, read.
func (c *Call) guardSecrets() {
	if c.vault != nil || !c.tool.guarded && c.tool.env.secrets.isEmpty() { // the caller's, or nothing to guard
		return
	}
	v := &vault{}
	if c.Stub == nil { // a test says the same on every machine
		v.all = c.tool.env.secrets
	}
	c.vault = v
	c.tool.env.hideProxy(v)
	c.Log = slog.New(&maskedLog{c.log().Handler(), v})
	if report := c.Progress; report != nil {
		c.Progress = func(message string) { report(v.mask(message)) }
	}
	if told := c.Planned; told != nil {
		c.Planned = func(p Plan) { told(v.maskPlan(p)) }
	}
	if heard := c.Answered; heard != nil {
		c.Answered = func(a Answer) { heard(v.maskAnswer(a)) }
	}
}
