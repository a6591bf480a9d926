package spec

import (
	"strconv"
	"strings"
	"time"
)

// Rate is how many calls may begin in a time. In a file it is a number and the time, s, m or h: 10/s, 300/h.
type Rate struct {
	N   int           // 0: any number
	Per time.Duration // a second, a minute or an hour
}

// mostPerTime is the most that a rate can say: what is faster than that is no limit.
const mostPerTime = 1_000_000

var rateUnits = map[string]time.Duration{"s": time.Second, "m": time.Minute, "h": time.Hour}

// IsZero tells whether there is no limit.
func (r Rate) IsZero() bool { return r.N == 0 }

// PerSecond is how many calls may begin in a second, on the average.
func (r Rate) PerSecond() float64 { return float64(r.N) / r.Per.Seconds() }

// String is the rate as a file has it; empty if there is no limit.
func (r Rate) String() string {
	for unit, per := range rateUnits {
		if per == r.Per && r.N > 0 {
			return strconv.Itoa(r.N) + "/" + unit
		}
	}
	return ""
}

// DecodeSection reads 10/s, 5/m or 300/h.
func (r *Rate) DecodeSection(s Section) Diagnostics {
	text, _ := s.Text()
	count, unit, _ := strings.Cut(text.Value, "/")
	n, err := strconv.Atoi(strings.TrimSpace(count))
	per := rateUnits[strings.TrimSpace(unit)]
	if err != nil || n < 1 || n > mostPerTime || per == 0 {
		return Diagnostics{s.Want("a number of calls in a second, minute or hour, such as 10/s, 5/m or 300/h")}
	}
	*r = Rate{n, per}
	return nil
}

// DescribeSection is a number and a time.
func (r *Rate) DescribeSection() Grammar {
	return Grammar{"type": "string", "pattern": `^\s*\+?0*[1-9][0-9]{0,6}\s*/\s*[smh]\s*$`, "examples": []string{"10/s", "300/h"}}
}

// Count is a number of things, at least one.
type Count int

// mostCounted is more than any machine has use for.
const mostCounted = 10_000

// DecodeSection reads a whole number.
func (c *Count) DecodeSection(s Section) Diagnostics {
	text, _ := s.Text()
	n, err := strconv.Atoi(text.Value)
	if s.Form() != FormNumber || err != nil || n < 1 || n > mostCounted {
		return Diagnostics{s.Want("a whole number from 1 to 10000")}
	}
	*c = Count(n)
	return nil
}

// DescribeSection is a whole number.
func (c *Count) DescribeSection() Grammar {
	return Grammar{"type": "integer", "minimum": 1, "maximum": mostCounted}
}
