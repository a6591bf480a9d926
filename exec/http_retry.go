package exec

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"net/http"
	"slices"
	"strconv"
	"syscall"
	"time"

	"github.com/toolspec/toolspec/spec"
)

// retryConfig says how often a request may be made.
type retryConfig struct {
	Attempts spec.Section `spec:"attempts,required" doc:"How often the request is made at most, the first time counted: 2 to 5."`
}

// mostAttempts is how often a file may have one request made.
const mostAttempts = 5

// Words are the words people bring for this key.
func (*retryConfig) Words() map[string]string {
	const wait = "the wait is what Retry-After says, else a quarter of a second, doubled each time"
	return map[string]string{
		"": "write retry: {attempts: 3}", "max": "attempts", "count": "attempts", "times": "attempts", "max_attempts": "attempts", "maxAttempts": "attempts",
		"retries": "attempts, which counts the first time, too", "backoff": wait, "delay": wait, "wait": wait, "interval": wait, "jitter": wait,
		"on": "what is tried again depends on the method: see the reference", "statuses": "what is tried again depends on the method: see the reference",
	}
}

// Grammars says what may stand in these sections.
func (*retryConfig) Grammars() map[string]spec.Grammar {
	return map[string]spec.Grammar{"attempts": {"type": "integer", "minimum": 2, "maximum": mostAttempts}}
}

func readRetry(sec spec.Section) (attempts int, ds spec.Diagnostics) {
	if sec.IsZero() {
		return 1, nil
	}
	var c retryConfig
	if ds = sec.Decode(&c); ds.HasErrors() {
		return 1, ds
	}
	ds = c.Attempts.Decode(&attempts)
	if !ds.HasErrors() && (attempts < 2 || attempts > mostAttempts) {
		ds = append(ds, c.Attempts.Errorf("http", "want 2 to %d attempts, the first one counted, have %d", mostAttempts, attempts))
	}
	return attempts, ds
}

// attempts are those of one call's request, those that redirects ask for counted with it.
type attempts struct {
	most, made int    // how often it may be made, and which time it is
	later      string // what is known of when the next could be
}

// The waits where the server names none: a quarter of a second, doubled each time; of each the second half is by chance, so that
// those who failed together do not come back together.
const firstPause = 250 * time.Millisecond

func (a *attempts) pause() time.Duration {
	whole := firstPause << (a.made - 1)
	return whole/2 + rand.N(whole/2) // #nosec G404 -- no secret hangs on it
}

// roundTrip makes one request, and makes it again as long as that can do no harm, is of use, and may be.
func (h *httpRequest) roundTrip(ctx context.Context, call *Call, out *outgoing, tries *attempts) (*http.Response, error) {
	for {
		response, err := h.env.transport(out.foreign).RoundTrip(out.request(ctx))
		if !h.mayPass(out.method, response, err) {
			return response, err
		}
		wait, named := retryAfter(response, time.Now())
		if named {
			tries.later = "it says to try again in " + inSeconds(wait)
		}
		if tries.made >= tries.most {
			return response, err
		}
		if !named {
			wait = tries.pause()
		}
		if deadline, ok := ctx.Deadline(); ok && wait >= time.Until(deadline) {
			if tries.later == "" {
				tries.later = "the next would come in " + inSeconds(wait)
			}
			tries.later += ", after this call's deadline"
			return response, err
		}
		if response != nil {
			drain(response)
		}
		if !slept(ctx, wait) {
			return nil, ctx.Err()
		}
		call.retried()
		tries.made, tries.later = tries.made+1, ""
	}
}

// drain reads what little is left of a body, so that its connection can be used again.
func drain(response *http.Response) {
	_, _ = io.CopyN(io.Discard, response.Body, 4<<10)
	_ = response.Body.Close()
}

// slept waits; false when ctx ended it.
func slept(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// mayPass tells whether what came of a request may be another the next time, and asking again does no harm: nobody listened, or a
// request that may be repeated met a server that had no time for it. What the file takes for a success is never left for another.
func (h *httpRequest) mayPass(method string, response *http.Response, err error) bool {
	if err != nil {
		return errors.Is(err, syscall.ECONNREFUSED)
	}
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodPut, http.MethodDelete:
		return isPassing(response.StatusCode) && !h.success.has(response.StatusCode)
	}
	return false
}

// passing are the statuses that say that the same request may be answered later.
var passing = []int{http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout}

// isPassing tells whether a status is one of them.
func isPassing(status int) bool { return slices.Contains(passing, status) }

// checkRetry warns of a retry that leads nowhere.
func (h *httpRequest) checkRetry(sec spec.Section) spec.Diagnostics {
	if sec.IsZero() || slices.ContainsFunc(passing, func(status int) bool { return !h.success.has(status) }) {
		return nil
	}
	return spec.Diagnostics{{Pos: sec.Pos(), Severity: spec.SeverityWarning, Rule: "retry",
		Message: sec.Path() + ": only a refused connection is tried again: successCodes takes 429, 502, 503 and 504 for a success"}}
}

// retryAfter is how long a server that has no time asks to be left alone, if it says so: in seconds, or by a date, which is counted
// from the server's own.
func retryAfter(response *http.Response, now time.Time) (wait time.Duration, named bool) {
	if response == nil || !isPassing(response.StatusCode) {
		return 0, false
	}
	text := response.Header.Get("Retry-After")
	seconds, err := strconv.ParseUint(text, 10, 64)
	if err == nil || errors.Is(err, strconv.ErrRange) {
		return time.Duration(min(seconds, mostSeconds)) * time.Second, true
	}
	then, err := http.ParseTime(text)
	if err != nil {
		return 0, false
	}
	if date, err := http.ParseTime(response.Header.Get("Date")); err == nil {
		now = date
	}
	return max(0, then.Sub(now)), true
}

// mostSeconds is what a longer wait counts as: it is beyond every deadline, too.
const mostSeconds = math.MaxInt32

// said is what is known of the attempts, for the end of a message.
func (a *attempts) said() string {
	switch {
	case a.most > 1 && a.later != "":
		return fmt.Sprintf(" (attempt %d of %d; %s)", a.made, a.most, a.later)
	case a.most > 1 && a.made > 1:
		return fmt.Sprintf(" (attempt %d of %d)", a.made, a.most)
	case a.later != "":
		return " (" + a.later + ")"
	}
	return ""
}

// retried counts a request that is made again.
func (c *Call) retried() {
	if c.retries != nil {
		*c.retries++
	}
}

// failed adds to an error of the network what is known of the attempts.
func (a *attempts) failed(err error) error {
	if e := (*spec.Error)(nil); a.said() != "" && errors.As(err, &e) && e.Code == spec.CodeUnavailable {
		told := *e
		told.Message += a.said()
		return &told
	}
	return err
}
