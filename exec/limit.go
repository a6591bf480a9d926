package exec

import "github.com/toolspec/toolspec/spec"

// limitConfig is result.limit.
type limitConfig struct {
	Bytes spec.Bytes `spec:"bytes" doc:"How much text and JSON the result may hold, such as 64KiB."`
	Items int        `spec:"items" doc:"How many entries its lists may hold."`
}

// limit is how large a result may be.
type limit struct {
	bytes int
	items int // 0: as many as there is room for
}

func (s *Site) compileLimit(c limitConfig) (limit, spec.Diagnostics) {
	l := limit{bytes: int(s.Env.Policy.Defaults.Output), items: c.Items}
	if c.Bytes != 0 {
		l.bytes = int(c.Bytes)
	}
	var ds spec.Diagnostics
	if most := s.Env.Policy.Limits.Output; c.Bytes > most {
		ds = append(ds, s.Spec.Result.Get("limit").Get("bytes").Errorf("limit", "want at most %d bytes, which is the operator's limit, have %d", most, c.Bytes))
	}
	if items := s.Spec.Result.Get("limit").Get("items"); c.Items < 1 && !items.IsZero() {
		ds = append(ds, items.Errorf("type", "want a number from 1 on, have %d", c.Items))
	}
	return l, ds
}

// apply shortens what is too large.
func (l limit) apply(r *spec.ToolResult) {}
