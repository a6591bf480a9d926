package loader

import (
	"io/fs"
	"time"
)

// stamp is what stat says of a file: as long as it is the same, and old enough, the bytes are taken to be the same.
type stamp struct {
	dev, ino     uint64 // 0 where the system, or the file system, has none
	links        uint64 // how many names the file has
	size         int64
	mtime, ctime int64 // nanoseconds; ctime 0 where there is none
	mode         fs.FileMode
}

func stampOf(info fs.FileInfo) stamp {
	s := stamp{size: info.Size(), mtime: info.ModTime().UnixNano(), mode: info.Mode()}
	s.fromSystem(info.Sys())
	return s
}

// ident tells directories apart; zero where that is not possible.
type ident struct{ dev, ino uint64 }

func identOf(info fs.FileInfo) ident {
	s := stampOf(info)
	return ident{s.dev, s.ino}
}

// coarse is how long after a change another one may leave the same stamp, with a wide margin for clocks of file
// systems.
const coarse = 2 * time.Second

// proves tells whether a file that still has this stamp holds what was read at that time: every change moves ctime, which
// no program can set, but only as fast as its clock ticks.
func (s stamp) proves(read time.Time) bool {
	return s.ctime != 0 && read.Sub(time.Unix(0, s.ctime)) > coarse
}
