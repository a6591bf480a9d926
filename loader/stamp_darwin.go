package loader

import "syscall"

func (s *stamp) fromSystem(sys any) {
	if st, ok := sys.(*syscall.Stat_t); ok {
		s.dev, s.ino, s.links, s.ctime = uint64(st.Dev), st.Ino, uint64(st.Nlink), st.Ctimespec.Nano() // #nosec G115 -- compared, not counted with
	}
}
