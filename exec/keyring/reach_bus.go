//go:build !darwin && !windows

package keyring

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
)

// reachable looks for the bus of a session. The library would start one where there is none, which would outlive us.
func reachable() error {
	if os.Getenv("DBUS_SESSION_BUS_ADDRESS") != "" {
		return nil
	}
	dir := "/run/user/" + strconv.Itoa(os.Getuid())
	for _, name := range []string{"bus", "dbus-session"} {
		if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
			return nil
		}
	}
	return errors.New("there is no session bus: DBUS_SESSION_BUS_ADDRESS is not set")
}
