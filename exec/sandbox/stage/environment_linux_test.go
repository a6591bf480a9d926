//go:build amd64 || arm64

package stage

import (
	"slices"
	"testing"
)

func TestEnvironment(t *testing.T) {
	for _, c := range []struct{ env, added, want []string }{
		{nil, nil, nil},
		{[]string{"LD_PRELOAD=x", "_a=1", "__b=2", "EMPTY="}, nil, []string{"LD_PRELOAD=x", "_a=1", "__b=2", "EMPTY="}},
		{[]string{"MARK=forged", "a=1"}, []string{"MARK=real"}, []string{"a=1", "MARK=real"}},
	} {
		hidden := Hide(c.env)
		for _, pair := range hidden {
			if pair[0] != '_' {
				t.Errorf("%s is not hidden", pair)
			}
		}
		if have := environment(append(hidden, c.added...)); !slices.Equal(have, c.want) {
			t.Errorf("%q, want %q", have, c.want)
		}
	}
}
