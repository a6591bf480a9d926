package spec

import (
	"strconv"
	"strings"
)

// Bytes is an amount of memory. In a file it is a whole number of bytes, or one with the unit KiB, MiB or GiB.
type Bytes int64

// DecodeSection reads 65536 or 64KiB.
func (b *Bytes) DecodeSection(s Section) Diagnostics {
	text, _ := s.Text()
	digits, unit := text.Value, int64(1)
	for i, suffix := range []string{"KiB", "MiB", "GiB"} {
		if d, ok := strings.CutSuffix(text.Value, suffix); ok {
			digits, unit = strings.TrimSpace(d), 1<<(10*(i+1))
		}
	}
	n, err := strconv.ParseInt(digits, 10, 40)
	if err != nil || n <= 0 {
		var ds Diagnostics
		s.want(&ds, "a size such as 65536 or 64KiB")
		return ds
	}
	*b = Bytes(n * unit)
	return nil
}
