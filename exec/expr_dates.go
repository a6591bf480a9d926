package exec

import (
	"fmt"
	"math"
	"time"
)

var dateFunctions = map[string]function{
	"now":      {args: []kinds{isZone}, gives: gives(isTime), run: now},
	"days":     {args: []kinds{isNumber}, least: 1, null: true, gives: gives(isDuration), run: days},
	"duration": {args: []kinds{isText}, least: 1, null: true, gives: gives(isDuration), run: duration},
	"date":     {args: []kinds{isText | isZone, isText, isText, isText}, least: 1, null: true, gives: gives(isTime), run: date},
	"timezone": {args: []kinds{isText}, least: 1, null: true, gives: gives(isZone), run: timezone},
}

func now(m *meter, args []any) (any, error) {
	t := time.Now()
	if call := m.vars.root(); call != nil && call.Stub != nil && !call.Stub.Now.IsZero() {
		t = call.Stub.Now
	}
	if len(args) == 1 {
		return t.In(args[0].(zone).Location), nil
	}
	return t, nil
}

func days(_ *meter, args []any) (any, error) {
	n, err := asFloat(args, 0)
	if err != nil {
		return nil, err
	}
	d := n * float64(24*time.Hour)
	if math.Abs(d) >= 1<<63 {
		return nil, errOverflow
	}
	if whole, ok := args[0].(int); ok {
		return time.Duration(whole) * 24 * time.Hour, nil
	}
	return time.Duration(d), nil
}

func duration(_ *meter, args []any) (any, error) {
	d, err := time.ParseDuration(args[0].(string))
	if err != nil {
		return nil, &operandError{0, fmt.Sprintf("is %s; want a duration such as 90s or 1h30m", describe(args[0]))}
	}
	return d, nil
}

func timezone(_ *meter, args []any) (any, error) { return loadZone(args, 0) }

func loadZone(args []any, i int) (any, error) {
	at, err := time.LoadLocation(args[i].(string))
	if err != nil {
		return nil, &operandError{i, fmt.Sprintf("is %s; want a time zone such as UTC or Europe/Oslo", describe(args[i]))}
	}
	return zone{at}, nil
}

// dateLayouts are what date(text) reads.
var dateLayouts = []string{
	"2006-01-02", "15:04:05", "2006-01-02 15:04:05", time.RFC3339, "2006-01-02T15:04:05", "2006-01-02T15:04",
	time.RFC822, time.RFC850, time.RFC1123,
}

// date is date(text), date(text, layout), date(text, layout, zone), each with a time zone before or not.
func date(_ *meter, args []any) (any, error) {
	in := time.UTC
	first := 0
	if z, ok := args[0].(zone); ok {
		in, first = z.Location, 1
	}
	if first == len(args) {
		return nil, fmt.Errorf("date wants a text after the time zone")
	}
	text, ok := args[first].(string)
	if !ok {
		return nil, &operandError{first, "is no text"}
	}
	layouts := dateLayouts
	if len(args) > first+1 {
		layouts = []string{args[first+1].(string)}
	}
	if len(args) > first+2 {
		z, err := loadZone(args, first+2)
		if err != nil {
			return nil, err
		}
		in = z.(zone).Location
	}
	for _, layout := range layouts {
		if t, err := time.ParseInLocation(layout, text, in); err == nil {
			return t, nil
		}
	}
	if len(layouts) == 1 {
		return nil, &operandError{first, fmt.Sprintf("is %s; want a date written like %s", describe(text), layouts[0])}
	}
	return nil, &operandError{first, fmt.Sprintf("is %s; want a date such as 2006-01-02 or 2006-01-02T15:04:05Z", describe(text))}
}

// method is what can be called on a date, a duration or a time zone, as Go names it.
type method struct {
	on kinds
	function
}

var methods = map[string]method{
	"Year":         ofTime(isInt, func(t time.Time) any { return t.Year() }),
	"Month":        ofTime(isInt, func(t time.Time) any { return t.Month() }),
	"Day":          ofTime(isInt, func(t time.Time) any { return t.Day() }),
	"Hour":         ofTime(isInt, func(t time.Time) any { return t.Hour() }),
	"Minute":       ofTime(isInt, func(t time.Time) any { return t.Minute() }),
	"Second":       ofTime(isInt, func(t time.Time) any { return t.Second() }),
	"Nanosecond":   ofTime(isInt, func(t time.Time) any { return t.Nanosecond() }),
	"Weekday":      ofTime(isInt, func(t time.Time) any { return t.Weekday() }),
	"YearDay":      ofTime(isInt, func(t time.Time) any { return t.YearDay() }),
	"Unix":         ofTime(isInt, func(t time.Time) any { return int(t.Unix()) }),
	"UnixMilli":    ofTime(isInt, func(t time.Time) any { return int(t.UnixMilli()) }),
	"UTC":          ofTime(isTime, func(t time.Time) any { return t.UTC() }),
	"IsZero":       ofTime(isBool, func(t time.Time) any { return t.IsZero() }),
	"Hours":        ofDuration(isFloat, func(d time.Duration) any { return d.Hours() }),
	"Minutes":      ofDuration(isFloat, func(d time.Duration) any { return d.Minutes() }),
	"Seconds":      ofDuration(isFloat, func(d time.Duration) any { return d.Seconds() }),
	"Milliseconds": ofDuration(isInt, func(d time.Duration) any { return int(d.Milliseconds()) }),
	"Abs":          ofDuration(isDuration, func(d time.Duration) any { return d.Abs() }),
	"String":       {isAny &^ isNull, function{gives: gives(isText), run: toText}},
	"Format":       {isTime, function{args: []kinds{isText}, least: 1, gives: gives(isText), run: format}},
	"In":           {isTime, function{args: []kinds{isZone}, least: 1, gives: gives(isTime), run: func(_ *meter, a []any) (any, error) { return a[0].(time.Time).In(a[1].(zone).Location), nil }}},
	"Add":          {isTime, function{args: []kinds{isDuration}, least: 1, gives: gives(isTime), run: add}},
	"Sub":          {isTime, function{args: []kinds{isTime}, least: 1, gives: gives(isDuration), run: subtract}},
	"AddDate":      {isTime, function{args: []kinds{isNumber, isNumber, isNumber}, least: 3, gives: gives(isTime), run: addDate}},
	"Before":       {isTime, function{args: []kinds{isTime}, least: 1, gives: gives(isBool), run: comparison(func(c int) bool { return c < 0 })}},
	"After":        {isTime, function{args: []kinds{isTime}, least: 1, gives: gives(isBool), run: comparison(func(c int) bool { return c > 0 })}},
	"Equal":        {isTime, function{args: []kinds{isTime}, least: 1, gives: gives(isBool), run: comparison(func(c int) bool { return c == 0 })}},
	"Truncate":     {isTime | isDuration, function{args: []kinds{isDuration}, least: 1, gives: gives(isTime | isDuration), run: truncate}},
}

func ofTime(k kinds, f func(time.Time) any) method {
	return method{isTime, function{gives: gives(k), run: func(_ *meter, args []any) (any, error) { return f(args[0].(time.Time)), nil }}}
}

func ofDuration(k kinds, f func(time.Duration) any) method {
	return method{isDuration, function{gives: gives(k), run: func(_ *meter, args []any) (any, error) { return f(args[0].(time.Duration)), nil }}}
}

// callMethod is args[0].name(args[2:]…), where args[1] is the name; of null it is null.
func callMethod(m *meter, args []any) (any, error) {
	name := args[1].(string)
	f := methods[name]
	if args[0] == nil {
		return nil, nil
	}
	if kindOf(args[0])&f.on == 0 {
		return nil, &operandError{0, fmt.Sprintf("is %s and has no %s", kindOf(args[0]), name)}
	}
	taking := f.function
	taking.args = append([]kinds{f.on}, f.args...)
	return taking.call(name, m, append([]any{args[0]}, args[2:]...))
}

func format(m *meter, args []any) (any, error) {
	layout := args[1].(string)
	if err := m.grow(10 * len(layout)); err != nil {
		return nil, err
	}
	return args[0].(time.Time).Format(layout), nil
}

func addDate(_ *meter, args []any) (any, error) {
	var n [3]int
	for i := range n {
		var err error
		if n[i], err = wholeNumber(args, i+1); err != nil {
			return nil, err
		}
		if n[i] > 1_000_000_000 || n[i] < -1_000_000_000 {
			return nil, errOverflow
		}
	}
	return args[0].(time.Time).AddDate(n[0], n[1], n[2]), nil
}

func truncate(_ *meter, args []any) (any, error) {
	by := args[1].(time.Duration)
	if t, ok := args[0].(time.Time); ok {
		return t.Truncate(by), nil
	}
	return args[0].(time.Duration).Truncate(by), nil
}
