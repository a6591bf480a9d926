package keyring

import (
	"context"
	"errors"
	"fmt"
	"time"

	keyring "github.com/zalando/go-keyring"

	"github.com/toolspec/toolspec/spec"
)

// patience is how long a keyring may take to answer: it may have asked somebody to unlock it.
const patience = 10 * time.Second

// Keyring asks the system's keyring, one question at a time: the library takes no context, so that a question that nobody
// answers stays open. Another one is then not begun.
type Keyring struct {
	free chan struct{}                              // holds one token while no question is open
	ask  func(service, name string) (string, error) // the library's
	here func() error                               // why there is no keyring to be asked
}

// New is a keyring that nobody has asked yet.
func New() *Keyring {
	k := &Keyring{free: make(chan struct{}, 1), ask: keyring.Get, here: reachable}
	k.free <- struct{}{}
	return k
}

// answer is what a keyring said.
type answer struct {
	value string
	err   error
}

// Get is the secret that the keyring has under a service and a name (which it calls the user's); not ok if it has none. It comes
// back when ctx is done, or after ten seconds, whatever the keyring waits for. Its errors are fit for a model to read.
func (k *Keyring) Get(ctx context.Context, service, name string) (value string, ok bool, err error) {
	if err := k.here(); err != nil {
		return "", false, refused(err, "the system's keyring cannot be reached")
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	select {
	case <-k.free:
	case <-ctx.Done():
		return "", false, refused(ctx.Err(), "the system's keyring has not answered an earlier question yet; it may wait for somebody to unlock it")
	}
	came := make(chan answer, 1)
	go func() {
		value, err := k.ask(service, name)
		came <- answer{value, err}
		k.free <- struct{}{}
	}()
	select {
	case a := <-came:
		return a.told()
	case <-ctx.Done():
		return "", false, refused(ctx.Err(), "the system's keyring did not answer in time; it may wait for somebody to unlock it")
	}
}

func (a answer) told() (value string, ok bool, err error) {
	switch {
	case errors.Is(a.err, keyring.ErrNotFound):
		return "", false, nil
	case errors.Is(a.err, keyring.ErrUnsupportedPlatform):
		return "", false, refused(a.err, "there is no keyring on this system")
	case a.err != nil:
		return "", false, refused(a.err, "the system's keyring is locked, or cannot be reached")
	}
	return a.value, true, nil
}

func refused(cause error, what string) error {
	return &spec.Error{Code: spec.CodeNeedsCredential, Message: what, Retryable: true, Err: fmt.Errorf("keyring: %w", cause)}
}
