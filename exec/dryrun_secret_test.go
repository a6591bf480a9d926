package exec

import (
	"strings"
	"testing"
)

// TestDryRunOfASecretThatMayBeMissing shows what would be sent: where a secret is not there, what the file says instead.
func TestDryRunOfASecretThatMayBeMissing(t *testing.T) {
	t.Setenv("TOOLSPEC_SECRET_THERE", "never shown")
	file := "executor: {http: {url: 'https://a.example/', query: {a: '${secret.GONE ?? \"none\"}', b: '${secret.THERE ?? \"none\"}', c: '${secret.GONE ?? null}'}, auth: {bearer: '${secret.GONE ?? null}'}}}"
	p, refused := dryRun(t, file, "{}")
	if p == nil {
		t.Fatal(refused)
	}
	request := p.Plans[0].Request
	if want := "https://a.example/?a=none&b=secret%3ATHERE"; request.URL != want {
		t.Errorf("have %s, want %s", request.URL, want)
	}
	if got := strings.Join(request.Header["Authorization"], ""); got != "" {
		t.Errorf("have Authorization %q, want none", got)
	}
}
