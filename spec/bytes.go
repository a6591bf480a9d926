package spec

import (
	"math"
	"strconv"
	"strings"
)

// Bytes is an amount of memory. In a file it is a whole number of bytes, or one with the unit KiB, MiB or GiB.
type Bytes int64

// String is the amount as a file has it, in the largest unit that it is a whole number of.
func (b Bytes) String() string {
	for i, unit := range []string{"GiB", "MiB", "KiB"} {
		if size := Bytes(1) << (30 - 10*i); b >= size && b%size == 0 {
			return strconv.FormatInt(int64(b/size), 10) + unit
		}
	}
	return strconv.FormatInt(int64(b), 10)
}

// DecodeSection reads 65536 or 64KiB.
func (b *Bytes) DecodeSection(s Section) Diagnostics {
	text, _ := s.Text()
	digits, unit := text.Value, int64(1)
	for i, suffix := range []string{"KiB", "MiB", "GiB"} {
		if d, ok := strings.CutSuffix(text.Value, suffix); ok {
			digits, unit = strings.TrimSpace(d), 1<<(10*(i+1))
		}
	}
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || n <= 0 || n > math.MaxInt64/unit {
		return Diagnostics{s.Want("a size such as 65536 or 64KiB")}
	}
	*b = Bytes(n * unit)
	return nil
}

// DescribeSection is a number of bytes, or one with its unit.
func (b *Bytes) DescribeSection() Grammar {
	return Grammar{"anyOf": []Grammar{
		{"type": "integer", "minimum": 1},
		{"type": "string", "pattern": `^\s*\+?0*[1-9][0-9]*\s*([KMG]iB)?$`, "examples": []string{"64KiB", "1MiB"}},
	}}
}
