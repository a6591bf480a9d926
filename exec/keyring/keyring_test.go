package keyring

import (
	"bytes"
	"context"
	"errors"
	"os"
	osexec "os/exec"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	keyring "github.com/zalando/go-keyring"

	"github.com/toolspec/toolspec/spec"
)

// of is a keyring that is always there, and asks as told.
func of(ask func(service, name string) (string, error)) *Keyring {
	k := New()
	k.ask, k.here = ask, func() error { return nil }
	return k
}

func TestGet(t *testing.T) {
	keyring.MockInit()
	if err := keyring.Set("my-tools", "TOKEN", "tok-1"); err != nil {
		t.Fatal(err)
	}
	k := of(keyring.Get)
	for _, c := range []struct {
		service, name, want string
		ok                  bool
	}{{"my-tools", "TOKEN", "tok-1", true}, {"my-tools", "OTHER", "", false}, {"others", "TOKEN", "", false}} {
		if value, ok, err := k.Get(t.Context(), c.service, c.name); value != c.want || ok != c.ok || err != nil {
			t.Errorf("%s of %s: have %q, %v, %v", c.name, c.service, value, ok, err)
		}
	}
}

// wantRefusal checks that an error says why to a model, and no more to it than that.
func wantRefusal(t *testing.T, err error, want string) {
	t.Helper()
	var e *spec.Error
	if !errors.As(err, &e) || e.Code != spec.CodeNeedsCredential || e.Message != want {
		t.Errorf("have %v, want %s", err, want)
	}
}

func TestKeyringsThatRefuse(t *testing.T) {
	keyring.MockInitWithError(errors.New("failed to unlock correct collection '/org/x'"))
	_, ok, err := of(keyring.Get).Get(t.Context(), "s", "n")
	wantRefusal(t, err, "the system's keyring is locked, or cannot be reached")
	if ok || !strings.Contains(errors.Unwrap(err).Error(), "/org/x") {
		t.Errorf("the cause is for the log: %v", err)
	}
	keyring.MockInitWithError(keyring.ErrUnsupportedPlatform)
	_, _, err = of(keyring.Get).Get(t.Context(), "s", "n")
	wantRefusal(t, err, "there is no keyring on this system")
	k := of(keyring.Get)
	k.here = func() error { return errors.New("no bus") }
	_, _, err = k.Get(t.Context(), "s", "n")
	wantRefusal(t, err, "the system's keyring cannot be reached")
}

// TestAKeyringThatAsksSomebody holds no call: neither the one that asked nor those after it. Once somebody has answered, it serves.
func TestAKeyringThatAsksSomebody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		prompt := make(chan struct{})
		var asked atomic.Int32
		k := of(func(string, string) (string, error) { asked.Add(1); <-prompt; return "v", nil })
		start := time.Now()
		_, _, err := k.Get(t.Context(), "s", "n")
		wantRefusal(t, err, "the system's keyring did not answer in time; it may wait for somebody to unlock it")
		if took := time.Since(start); took != patience {
			t.Errorf("it took %s", took)
		}
		soon, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		_, _, err = k.Get(soon, "s", "n")
		wantRefusal(t, err, "the system's keyring has not answered an earlier question yet; it may wait for somebody to unlock it")
		if took := time.Since(start); took != patience+time.Second || asked.Load() != 1 {
			t.Errorf("it took %s, and %d questions", took, asked.Load())
		}
		close(prompt)
		synctest.Wait()
		if value, ok, err := k.Get(t.Context(), "s", "n"); value != "v" || !ok || err != nil {
			t.Errorf("have %q, %v", value, err)
		}
	})
}

// TestSecretService asks a real one, of GNOME, in a session of its own, unlocked and locked.
func TestSecretService(t *testing.T) {
	if os.Getenv("KEYRING_TEST_SESSION") != "" {
		withinSession(t)
		return
	}
	for _, program := range []string{"dbus-run-session", "dbus-send", "gnome-keyring-daemon"} {
		if _, err := osexec.LookPath(program); err != nil {
			t.Skipf("*** NOT TESTED: a real keyring: %v (Debian: dbus, gnome-keyring)", err)
		}
	}
	const script = `printf pass | gnome-keyring-daemon --unlock --components=secrets >/dev/null 2>&1 && exec "$0" -test.run '^TestSecretService$' -test.v`
	cmd := osexec.CommandContext(t.Context(), "dbus-run-session", "--", "sh", "-c", script, os.Args[0])
	cmd.Env = append(os.Environ(), "KEYRING_TEST_SESSION=yes", "HOME="+t.TempDir(), "XDG_RUNTIME_DIR=", "DISPLAY=", "WAYLAND_DISPLAY=")
	out, err := cmd.CombinedOutput()
	switch {
	case bytes.Contains(out, []byte("--- PASS: TestSecretService")):
	case bytes.Contains(out, []byte("--- FAIL")):
		t.Errorf("%s", out)
	default:
		t.Skipf("*** NOT TESTED: a real keyring cannot be started here: %v\n%s", err, out)
	}
}

func withinSession(t *testing.T) {
	if err := keyring.Set("my-tools", "TOKEN", "tok-of-keyring"); err != nil {
		t.Skipf("the keyring takes nothing: %v", err)
	}
	k := New()
	if value, ok, err := k.Get(t.Context(), "my-tools", "TOKEN"); value != "tok-of-keyring" || !ok || err != nil {
		t.Errorf("have %q, %v, %v", value, ok, err)
	}
	if value, ok, err := k.Get(t.Context(), "my-tools", "OTHER"); value != "" || ok || err != nil {
		t.Errorf("have %q, %v, %v", value, ok, err)
	}
	lock := osexec.Command("dbus-send", "--session", "--print-reply", "--dest=org.freedesktop.secrets", "/org/freedesktop/secrets",
		"org.freedesktop.Secret.Service.Lock", "array:objpath:/org/freedesktop/secrets/collection/login")
	if out, err := lock.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
	defer cancel()
	_, _, err := k.Get(ctx, "my-tools", "TOKEN")
	var e *spec.Error
	if !errors.As(err, &e) || e.Code != spec.CodeNeedsCredential {
		t.Errorf("a locked keyring: have %v", err)
	}
}
