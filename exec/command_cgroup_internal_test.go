//go:build linux

package exec

import "testing"

func TestFindCgroup(t *testing.T) {
	const (
		v2     = "30 23 0:26 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw,nsdelegate\n"
		hybrid = "31 23 0:28 / /sys/fs/cgroup rw - tmpfs tmpfs rw\n32 31 0:29 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu\n41 31 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n"
		within = "30 23 0:26 /docker/1f /sys/fs/cgroup ro - cgroup2 cgroup rw\n"
		odd    = `30 23 0:26 / /mnt/c\040g\134 rw shared:9 - cgroup2 none rw` + "\n"
	)
	for _, c := range []struct{ groups, mounts, want, wrong string }{
		{"0::/user.slice/a.scope\n", v2, "/sys/fs/cgroup/user.slice/a.scope", ""},
		{"0::/\n", v2, "/sys/fs/cgroup", ""},
		{"9:name=systemd:/x\n4:memory:/y\n0::/z\n", hybrid, "/sys/fs/cgroup/unified/z", ""},
		{"0::/docker/1f/in\n", within, "/sys/fs/cgroup/in", ""},
		{"0::/docker/2\n", within, "", "no cgroup2 file system is mounted in which this process is"},
		{"0::/../other\n", v2, "", "the cgroup of this process is outside of those that it sees"},
		{"0::/a b\n", odd, `/mnt/c g\/a b`, ""},
		{"4:memory:/y\n", v2, "", "this process is in no cgroup of version 2"},
		{"0::/z\n", "31 23 0:28 / /sys/fs/cgroup rw - tmpfs tmpfs rw\n", "", "no cgroup2 file system is mounted in which this process is"},
	} {
		have, err := findCgroup(c.groups, c.mounts)
		switch {
		case c.wrong != "":
			if err == nil || err.Error() != c.wrong {
				t.Errorf("%q: %q, %v, want %s", c.groups, have, err, c.wrong)
			}
		case err != nil || have != c.want:
			t.Errorf("%q: %q, %v, want %s", c.groups, have, err, c.want)
		}
	}
}
