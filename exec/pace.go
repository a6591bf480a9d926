package exec

import (
	"time"

	"golang.org/x/time/rate"

	"github.com/toolspec/toolspec/spec"
)

// pace is how fast calls have come: as many at once as the rate has in its time, then evenly. A nil pace is that of calls
// that nobody has counted.
type pace struct{ limiter *rate.Limiter }

// at is the pace under a rate that may be another than before: what has been used up stays so.
func (p *pace) at(r spec.Rate, now time.Time) *pace {
	if r.IsZero() {
		return p // kept: the file may name a rate again
	}
	limit := rate.Limit(r.PerSecond())
	if p == nil {
		return &pace{rate.NewLimiter(limit, r.N)}
	}
	if p.limiter.Limit() != limit {
		p.limiter.SetLimitAt(now, limit)
	}
	if p.limiter.Burst() != r.N {
		p.limiter.SetBurstAt(now, r.N)
	}
	return p
}

// wait is how long the rate has a call wait that comes behind others.
func (p *pace) wait(r spec.Rate, behind int, now time.Time) time.Duration {
	if p == nil || r.IsZero() {
		return 0
	}
	missing := float64(behind+1) - p.limiter.TokensAt(now)
	if missing <= 0 {
		return 0
	}
	return time.Duration(missing/float64(p.limiter.Limit())*float64(time.Second)) + time.Microsecond
}

func (p *pace) take(r spec.Rate, now time.Time) {
	if p != nil && !r.IsZero() {
		p.limiter.AllowN(now, 1)
	}
}

// isRested tells whether as many calls could come at once as if none ever had.
func (p *pace) isRested(now time.Time) bool {
	return p == nil || p.limiter.TokensAt(now) >= float64(p.limiter.Burst())
}
