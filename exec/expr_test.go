package exec

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/toolspec/toolspec/spec"
)

// exprInput is the input of the tests below, as a call has it.
const exprInput = `{
	"city": "Ålesund", "n": 3, "f": 2.5, "e": 1e3, "big": 12345678901234567890, "id": 9007199254740993, "yes": true, "none": null,
	"tags": ["b", "a", "b"], "nums": [3, 1, 2], "places": [{"name": "x", "max": 3}, {"name": "y", "max": 5}],
	"deep": {"a": {"b": 1}}, "json": "{\"k\": [1, 12345678901234567890]}", "html": "<a&b>", "empty": ""}`

func exprVars(t testing.TB) *Vars {
	input, err := spec.ReadValue([]byte(exprInput))
	if err != nil {
		t.Fatal(err)
	}
	var v *Vars
	return v.With("input", input).With("env", map[string]any{"HOME": "/home/x"}).With("output", []string{"typed", "list"})
}

func evalText(t testing.TB, source string, v *Vars) (any, error) {
	t.Helper()
	e, ds := testSite(t, spec.Section{}).With("input", nil).Expr(spec.Text{Value: source})
	if ds.HasErrors() {
		t.Fatalf("%s: %v", source, ds)
	}
	return e.Eval(context.Background(), v)
}

// TestExprValues compares what expressions give, as JSON.
func TestExprValues(t *testing.T) {
	v := exprVars(t)
	for source, want := range map[string]string{
		// null
		`null`: `null`, `nil`: `null`, `input.nothing`: `null`, `input.nothing.at.all`: `null`, `input.nothing[0].x`: `null`, `input.none?.x`: `null`,
		`upper(input.none)`: `null`, `split(input.none, ",")`: `null`, `string(null)`: `null`, `match(null, "x")`: `null`, `fromJSON(input.none)`: `null`,
		`map(input.none, #)`: `[]`, `filter(input.none, #)`: `[]`, `len(input.none)`: `0`, `all(null, #)`: `true`, `any(null, #)`: `false`, `none(null, #)`: `true`,
		`count(null, #)`: `0`, `sum(null)`: `0`, `sum(null, .x)`: `0`, `join(null, ",")`: `""`, `keys(null)`: `[]`, `sort(null)`: `[]`, `first(null)`: `null`, `concat(null, [1])`: `[1]`,
		`find(null, # == 1)`: `null`, `groupBy(null, #)`: `{}`, `sortBy(null, #)`: `[]`, `null ?? "x"`: `"x"`, `input.none == null`: `true`, `input.none != null`: `false`,
		`input.none ? 1 : 2`: `2`, `!input.none`: `true`, `input.none && true`: `false`, `"x" in null`: `false`, `null contains "x"`: `false`, `input.none matches "x"`: `false`,
		`input.none.Format("x")`: `null`, `input.none[1:2]`: `null`, `toJSON(null)`: `"null"`,
		// numbers
		`1 + 2 * 3`: `7`, `7 / 2`: `3.5`, `6 / 2`: `3`, `7 % 4`: `3`, `2 ** 10`: `1024`, `input.n + 1`: `4`, `input.f * 2`: `5`, `input.e + 1`: `1001`, `-input.n`: `-3`, `+input.n`: `3`,
		`input.id + 1`: `9007199254740994`, `input.id == 9007199254740993`: `true`, `input.id == 9007199254740992`: `false`, `input.big > 1`: `true`, `input.big == input.big`: `true`,
		`1 == 1.0`: `true`, `1 < 2.5`: `true`, `input.n in [1, 2, 3]`: `true`, `3 in input.nums`: `true`, `max(input.nums)`: `3`, `min(4, input.nums)`: `1`, `sum(input.nums)`: `6`,
		`mean(input.nums)`: `2`, `median([1, 2, 3, 4])`: `2.5`, `abs(-3)`: `3`, `round(2.5)`: `3`, `ceil(1.2)`: `2`, `floor(1.8)`: `1`, `int("42")`: `42`, `int(2.9)`: `2`, `float("1.5")`: `1.5`,
		`bitand(6, 3)`: `2`, `bitnot(0)`: `-1`, `bitshl(1, 4)`: `16`, `1..3`: `[1,2,3]`, `3..1`: `[]`, `max([])`: `null`, `sum(input.places, .max)`: `8`, `1e21 * 1`: `1e+21`, `9223372036854775807`: `9223372036854775807`,
		// digits that nothing computes with
		`input.big`: `12345678901234567890`, `[input.big]`: `[12345678901234567890]`, `{"a": input.e}.a`: `1000`, `filter([input.big], true)`: `[12345678901234567890]`, `fromJSON(input.json).k`: `[1,12345678901234567890]`,
		`toJSON(fromJSON(input.json))`: `"{\"k\":[1,12345678901234567890]}"`, `string(input.big)`: `"12345678901234567890"`, `input.e`: `1e3`,
		// texts
		`"a" + input.city`: `"aÅlesund"`, `upper(input.city)`: `"ÅLESUND"`, `len(input.city)`: `7`, `input.city[0]`: `"Å"`, `input.city[0:2]`: `"Ål"`, `input.city[-1]`: `"d"`, `input.city[9]`: `null`, `indexOf(input.city, "l")`: `1`,
		`split("a,b", ",")`: `["a","b"]`, `split("a,b,c", ",", 2)`: `["a","b,c"]`, `join(input.tags, "-")`: `"b-a-b"`, `join([1, null, true], ",")`: `"1,true"`, `replace("aaa", "a", "b")`: `"bbb"`, `replace("aaa", "a", "b", 2)`: `"bba"`,
		`trim(" x ")`: `"x"`, `trim("xyx", "x")`: `"y"`, `trimPrefix("abc", "a")`: `"bc"`, `trimSuffix("abc", "c")`: `"ab"`, `repeat("ab", 3)`: `"ababab"`, `hasPrefix("ab", "a")`: `true`, `lower("A")`: `"a"`,
		`"abc" contains "b"`: `true`, `"abc" startsWith "a"`: `true`, `"abc" endsWith "b"`: `false`, `"abc" matches "^a.c$"`: `true`, `not ("abc" matches "x")`: `true`, `"abc" not contains "b"`: `false`,
		`match("v1.22", "v(\\d+)\\.(\\d+)")`: `["v1.22","1","22"]`, `match("x", "y")`: `null`, `match("ac", "a(b)?c")`: `["ac",null]`, `match("åbc", "b(c)")[1]`: `"c"`, `toBase64("hi")`: `"aGk="`, `fromBase64("aGk=")`: `"hi"`,
		`string(1.5)`: `"1.5"`, `string([1, "x"])`: `"[1,\"x\"]"`, `string(true)`: `"true"`, `toJSON({"b": 1, "a": input.html})`: `"{\"a\":\"<a&b>\",\"b\":1}"`, `type(input.n)`: `"int"`, `"b" < "a"`: `false`,
		// lists and objects
		`map(input.places, .name)`: `["x","y"]`, `map(input.places, ({"n": .name}))`: `[{"n":"x"}]`, `filter(input.nums, # > 1)`: `[3,2]`, `find(input.nums, # < 3)`: `1`, `findIndex(input.nums, # < 3)`: `1`, `findLast(input.nums, # < 3)`: `2`,
		`findLastIndex(input.nums, # == 9)`: `null`, `one(input.nums, # == 1)`: `true`, `count(input.nums, # > 1)`: `2`, `count([true, false, true])`: `2`, `reduce(input.nums, #acc + #, 10)`: `16`, `reduce(input.nums, #acc + #)`: `6`,
		`sort(input.nums)`: `[1,2,3]`, `sort(input.tags, "desc")`: `["b","b","a"]`, `sortBy(input.places, .max, "desc")[0].name`: `"y"`, `sortBy(input.places, -.max)[0].name`: `"y"`, `groupBy(input.tags, #)`: `{"a":["a"],"b":["b","b"]}`,
		`uniq(input.tags)`: `["b","a"]`, `uniq([1, 1.0, "1"])`: `[1,"1"]`, `reverse(input.nums)`: `[2,1,3]`, `concat([1], [2], [3])`: `[1,2,3]`, `flatten([1, [2, [3]]])`: `[1,2,3]`, `take(input.nums, 2)`: `[3,1]`, `take(input.nums, -1)`: `[]`,
		`first(input.nums)`: `3`, `last(input.nums)`: `2`, `input.nums[-1]`: `2`, `input.nums[7]`: `null`, `input.nums[1:]`: `[1,2]`, `input.nums[:-1]`: `[3,1]`, `input.nums[5:9]`: `[]`, `keys({"b": 1, "a": 2})`: `["a","b"]`, `values({"b": 1, "a": 2})`: `[2,1]`,
		`toPairs({"b": 1, "a": 2})`: `[["a",2],["b",1]]`, `fromPairs([["a", 1]])`: `{"a":1}`, `get(input, "n")`: `3`, `get([1], 0)`: `1`, `{"low": 4}["low"]`: `4`, `{(input.city): 1}`: `{"Ålesund":1}`, `"n" in input`: `true`, `[1, 2] == [1, 2.0]`: `true`,
		`{"a": [1]} == {"a": [1]}`: `true`, `{"a": 1} == {"b": 1}`: `false`, `input.deep.a.b`: `1`, `map(0..len(input.nums)-1, input.nums[#])`: `[3,1,2]`, `map(input.nums, #index)`: `[0,1,2]`, `output[1]`: `"list"`, `output`: `["typed","list"]`,
		`map(filter(input.places, .max > 3), .name)`: `["y"]`, `map(input.nums, map(input.tags, #))[0]`: `["b","a","b"]`, `input.nums | map(# * 2) | sum()`: `12`, `let x = 2; let y = x + 1; x * y`: `6`, `if input.yes { 1 } else { 2 }`: `1`, `1 < 2 < 3`: `true`,
		// dates
		`date("2026-02-28") + days(1)`: `"2026-03-01T00:00:00Z"`, `(date("2026-03-01") - date("2026-02-27")).Hours()`: `48`, `date("2026-01-31").AddDate(0, 1, 0).Format("2006-01-02")`: `"2026-03-03"`, `string(date("2026-11-30").Weekday())`: `"Monday"`,
		`date("2026-11-30").Month()`: `"November"`, `date("2026-11-30").Month() == 11`: `true`, `date("2026-01-01") < date("2026-01-02")`: `true`, `duration("1h") + duration("30m")`: `"1h30m0s"`, `date("01.02.2026", "02.01.2006").Year()`: `2026`,
		`date("2026-01-01T12:00:00Z").In(timezone("Asia/Tokyo")).Hour()`: `21`, `duration("2s") * 3`: `"6s"`, `string(timezone("UTC"))`: `"UTC"`, `[date("2026-01-01"), days(1)]`: `["2026-01-01T00:00:00Z","24h0m0s"]`, `now().Year() > 2000`: `true`, `days(1.5)`: `"36h0m0s"`,
	} {
		value, err := evalText(t, source, v)
		if err != nil {
			t.Errorf("%s: %v", source, err)
			continue
		}
		if source == `map(input.places, ({"n": .name}))` {
			value = value.([]any)[:1]
		}
		if have := renderJSON(value); have != want {
			t.Errorf("%s: have %s, want %s", source, have, want)
		}
	}
}

// TestExprErrors compares what is said of an expression that fails when it runs.
func TestExprErrors(t *testing.T) {
	v := exprVars(t)
	for source, want := range map[string]string{
		`input.big + 1`:                       "input.big is 12345678901234567890, which is more than 64 bits hold; only a plain ${path} keeps its digits",
		`1 * input.big`:                       "input.big is 12345678901234567890, which",
		`sum([input.big, 1])`:                 "[input.big, 1] is",
		`9223372036854775807 + input.n`:       ": from 9223372036854775807 and input.n comes a result that is larger than 64 bits hold",
		`-9223372036854775807 - input.n`:      "input.n comes a result that is larger",
		`9223372036854775807 * input.n`:       "input.n comes a result that is larger",
		`input.n / 0`:                         "0 is 0; nothing can be divided by it",
		`input.n % (input.n - 3)`:             "input.n - 3 is 0; nothing",
		`10.0 ** 400`:                         "the result is no number",
		`input.none + 1`:                      "input.none is null; give it a value with ??",
		`"a" + input.none`:                    "input.none is null; give it a value with ??",
		`"a" + input.n`:                       "input.n is an integer and the other is a text; string(…)",
		`input.none > 1`:                      "input.none is null, which is neither less nor more",
		`input.city > 1`:                      "a text and an integer cannot be compared",
		`input.city && true`:                  "input.city is a text; a boolean is wanted here",
		`input.n ? 1 : 2`:                     "input.n is an integer; a boolean is wanted here",
		`filter(input.nums, #)`:               "# is an integer; a boolean is wanted here",
		`map(input, #)`:                       "input is an object; a list is wanted",
		`upper(input.n)`:                      "input.n is an integer; upper wants a text",
		`input.n.x`:                           "input.n is an integer and has no fields",
		`input.nums["x"]`:                     "input.nums is a list and has no field x; take an item, as in [0]",
		`sort([1, "a"])`:                      "the items have no order",
		`reduce([], #acc + #)`:                "reduce of empty array with no initial value",
		`int("x")`:                            "is \"x\", which is no whole number",
		`date("x")`:                           `is "x"; want a date such as 2006-01-02`,
		`duration("x")`:                       `want a duration such as`,
		`timezone("Nowhere/Land")`:            `want a time zone such as`,
		`fromJSON("{")`:                       `is not JSON: it ends too early`,
		`fromJSON("1 2")`:                     `something follows`,
		`fromJSON("1e99999")`:                 `exponent`,
		`fromBase64("?")`:                     `is not base64`,
		`repeat("x", -1)`:                     `-1 is negative`,
		`"x" matches input.html + "("`:        `is no regular expression`,
		`"x" in "xyz" + input.city`:           `is a text; write text contains`,
		`input.city.Year()`:                   `input.city is a text and has no Year`,
		`{(input.nums): 1}`:                   `a key is a text`,
		`[1] + [2, input.n]`:                  `is a list; concat(a, b) joins lists`,
		`bitshl(1, -1)`:                       `negative`,
		`input.nums[0.5]`:                     `a whole number is wanted`,
		`join(input.nums, input.n)`:           `input.n is an integer; join wants a text`,
		`now().AddDate(0, 0, 99999999999999)`: `larger than 64 bits`,
		`days(99999999999)`:                   `larger than 64 bits`,
	} {
		e, ds := testSite(t, spec.Section{}).With("input", nil).Expr(spec.Text{Value: source})
		if ds.HasErrors() {
			if !strings.Contains(ds.Error(), "is no regular expression") && !strings.Contains(ds.Error(), "concat(") {
				t.Logf("%s: refused when read: %v", source, ds)
			}
			continue
		}
		value, err := e.Eval(context.Background(), v)
		var fault *spec.Error
		switch {
		case !errors.As(err, &fault):
			t.Errorf("%s: have %v, %v; want an error", source, value, err)
		case fault.Code != spec.CodeFailed || !strings.Contains(fault.Message, want) || !strings.HasPrefix(fault.Message, "${ "):
			t.Errorf("%s:\nhave %s: %s\nwant %s", source, fault.Code, fault.Message, want)
		}
	}
}

// TestExprBounds runs what would never end, or never fit, and sees it refused within its bounds.
func TestExprBounds(t *testing.T) {
	v := exprVars(t)
	for _, source := range []string{
		`repeat(repeat("x", 900000), 900000)`,
		`reduce(1..26, #acc + #acc, "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx")`,
		`sum(1..100000, sum(1..100000, #))`,
		`reduce(1..100, [#acc, #acc], 0)`,
		`toJSON(reduce(1..100, [#acc, #acc], 0))`,
		`string(reduce(1..2000, [#acc], 0))`,
		`reduce(1..40, [#acc, #acc], 0) == reduce(1..40, [#acc, #acc], 0)`,
		`reduce(1..60, concat(#acc, #acc), [1])`,
		`flatten(reduce(1..100, [#acc, #acc], [1]))`,
		`max(reduce(1..100, [#acc, #acc], [1]))`,
		`uniq(map(1..100000, reduce(1..50, [#acc, #acc], 0)))`,
		`1..9223372036854775807`,
		`(-9223372036854775807)..9223372036854775807`,
		`len(1..10000000)`,
		`join(map(1..1000, repeat("x", 1000000)), "")`,
		`replace(repeat("a", 100000), "a", repeat("b", 100000))`,
		`split(repeat("a", 50000000), "")`,
		`all(1..2000, all(1..2000, all(1..2000, true)))`,
		`map(1..1000, map(1..1000, ["a", "b", "c", "d", "e"]))`,
		`count(1..100000, # in 1..100000)`,
		`reduce(1..30, ({"a": #acc, "b": #acc}), 0)`,
		`groupBy(1..1000000, string(#))`,
		`map(1..100000, upper(repeat("x", 100000)))`,
		`sort(map(1..200000, repeat("y", 1000) + string(#)))`,
		`fromJSON(repeat("[", 30000000))`,
		`repeat("a", 4000000) matches "b"`,
		`toBase64(toBase64(toBase64(repeat("x", 30000000))))`,
	} {
		e, ds := testSite(t, spec.Section{}).With("input", nil).Expr(spec.Text{Value: source})
		if ds.HasErrors() {
			t.Fatalf("%s: %v", source, ds)
		}
		m := newMeter(context.Background(), v)
		m.bytes, m.steps, m.look = maxExprBytes/16, maxExprSteps/16, maxExprSteps/16 // the same, sooner
		value, err := e.run(m)
		var fault *spec.Error
		if !errors.As(err, &fault) {
			t.Errorf("%s: have %.40v, %v; want it refused", source, value, err)
		}
	}
}

// TestExprDeadline sees every loop look at the clock: a call whose time is up ends, with the code for it.
func TestExprDeadline(t *testing.T) {
	v := exprVars(t)
	for _, source := range []string{
		`all(1..100000, all(1..100000, true))`,
		`sum(1..100000, sum(1..100000, #))`,
		`reduce(1..100, [#acc, #acc], 0)`,
		`repeat("a", 3000000) matches "(a{1,500}){1,2}b"`,
		`count(1..100000, # in 1..100000)`,
	} {
		e, ds := testSite(t, spec.Section{}).With("input", nil).Expr(spec.Text{Value: source})
		if ds.HasErrors() {
			t.Fatal(ds)
		}
		ctx := &endedContext{Context: context.Background(), looks: 2}
		_, err := e.Eval(ctx, v)
		var fault *spec.Error
		if !errors.As(err, &fault) || fault.Code != spec.CodeTimeout {
			t.Errorf("%s: have %v, want a timeout", source, err)
		}
	}
}

// endedContext is over once it has been looked at so often: a deadline without a clock.
type endedContext struct {
	context.Context
	looks int
}

func (c *endedContext) Err() error {
	if c.looks--; c.looks < 0 {
		return context.DeadlineExceeded
	}
	return nil
}

func TestCondition(t *testing.T) {
	v := exprVars(t)
	site := testSite(t, spec.Section{}).With("input", nil)
	for source, want := range map[string]bool{
		`input.yes`: true, `${ input.yes }`: true, ` ${input.yes && input.n > 2} `: true, `input.none`: false, `input.nothing.x`: false, `input.n == 4`: false,
	} {
		e, ds := site.Condition(spec.Text{Value: source})
		if ds.HasErrors() {
			t.Fatal(ds)
		}
		if have, err := e.Eval(context.Background(), v); err != nil || have != want {
			t.Errorf("%s: have %v, %v", source, have, err)
		}
	}
	e, _ := site.Condition(spec.Text{Value: "input.city"})
	if have, err := e.Eval(context.Background(), v); err == nil || !strings.Contains(err.Error(), "a boolean is wanted") {
		t.Errorf("a text as a condition: have %v, %v", have, err)
	}
}

// TestExprFromFile tells which values may start an argument with a dash of their own.
func TestExprFromFile(t *testing.T) {
	schema := jsonSection(t, `{
		"type": "object",
		"properties": {"text": {"type": "string"}, "n": {"type": "integer"}, "f": {"type": "number"}, "yes": {"type": "boolean"}, "unit": {"enum": ["--c", "f"]}, "units": {"type": "array", "items": {"enum": ["a"]}},
			"any": {}, "texts": {"type": "array", "items": {"type": "string"}}, "nums": {"type": "array", "items": {"type": "number"}}, "o": {"type": "object"}}}`)
	site := testSite(t, schema)
	for source, want := range map[string]bool{
		`input.n`: true, `input.f`: true, `input.yes`: true, `input.unit`: true, `input.units`: true, `input.nums`: true, `input.o`: true, `"--all"`: true, `input.yes ? "--all" : null`: true,
		`input.unit ?? "x"`: true, `"--x=" + input.text`: true, `map(input.texts, "--t=" + #)`: true, `["-a", "-b"]`: true, `input.units[0]`: true, `input.n + 1`: true, `string(input.n)`: true, `len(input.texts)`: true,
		`filter(input.units, # != "a")`: true, `(input.yes ? "a" : "b") + input.text`: true, `concat(["-a"], input.units)`: true, `input.unit + "=" + input.text`: true, `toJSON(input.o)`: false, `first(input.units)`: true,
		`input.text`: false, `input.any`: false, `input.texts`: false, `input.yes ? input.text : "a"`: false, `input.text ?? "x"`: false, `"" + input.text`: false, `input.unit + input.text`: false, `input.text + "x"`: false, `upper(input.text)`: false,
		`map(input.texts, # + "x")`: false, `[input.text]`: false, `output.x`: false, `(input.yes ? "a" : "") + input.text`: false, `concat(["-a"], input.texts)`: false, `input.o.x`: false,
	} {
		e, ds := site.Expr(spec.Text{Value: source})
		if ds.HasErrors() {
			t.Fatalf("%s: %v", source, ds)
		}
		if e.fromFile() != want {
			t.Errorf("%s: have %v, want %v", source, e.fromFile(), want)
		}
	}
}

// TestNeedScratch sees the directory asked for by those that mention it, and by no others.
func TestNeedScratch(t *testing.T) {
	for source, want := range map[string]bool{
		`dir.scratch`: true, `dir["scratch"]`: true, `dir[input.x]`: true, `toJSON(dir)`: true, `dir.tool + dir.work`: false, `input.scratch`: false, `let d = dir; d.tool`: true,
	} {
		site := testSite(t, spec.Section{}).With("input", nil)
		if _, ds := site.Expr(spec.Text{Value: source}); ds.HasErrors() {
			t.Fatal(ds)
		}
		if site.needs.scratch != want {
			t.Errorf("%s: have %v", source, site.needs.scratch)
		}
	}
}

func jsonSection(t testing.TB, json string) spec.Section {
	t.Helper()
	s, ds := spec.ReadDocument("x.json", []byte(json))
	if ds.HasErrors() {
		t.Fatal(ds)
	}
	return s
}

// TestExprTooLarge refuses what the library's parser makes large: it writes one operand of a chain in two places.
func TestExprTooLarge(t *testing.T) {
	for name, source := range map[string]string{
		"comparisons": strings.Repeat("(1 < ", 200) + "2" + strings.Repeat(" < 3)", 200),
		"choices":     strings.Repeat("(", 200) + "input.x" + strings.Repeat(" ?: 1)", 200),
		"faults":      strings.Repeat("(1 < ", 200) + `"2"` + strings.Repeat(" < 3)", 200),
		"long":        "1" + strings.Repeat(" + 1", 6000),
		"names":       "x" + strings.Repeat("-x", 4000),
		"parentheses": strings.Repeat("(", 8000) + "1" + strings.Repeat(")", 8000),
		"unary":       strings.Repeat("!", 16000) + "true",
		"brackets":    strings.Repeat("[", 8000) + "1" + strings.Repeat("]", 8000),
	} {
		e, ds := testSite(t, spec.Section{}).Expr(spec.Text{Value: source})
		if refused := ds.HasErrors(); !refused && name != "parentheses" && name != "brackets" {
			t.Errorf("%s: have %v, %.200s", name, e, ds)
		}
	}
}

// TestWholeDivision keeps // from being a comment where it is meant to divide.
func TestWholeDivision(t *testing.T) {
	for source, want := range map[string]string{
		"7 // 2":                   "// begins a comment; for whole numbers write int(a / b)",
		"(7 + 1) // 2 * 3":         "// begins a comment; for whole numbers write int(a / b)",
		"let a = 7 // 2;\na":       "// begins a comment; for whole numbers write int(a / b)",
		"input.n // input.m":       "// begins a comment; for whole numbers write int(a / b)",
		"7 // the 2":               "",
		"7 // 2 is half of it":     "",
		"// 2\n7":                  "",
		"7 + // 2\n 1":             "",
		`"7 // 2"`:                 "",
		`"http://x" // input.n is`: "",
	} {
		_, ds := CompileExpr(spec.Text{Value: source}, map[string]*spec.Shape{"input": nil})
		if have := ds.Error(); want == "" && have != "" || !strings.Contains(have, want) {
			t.Errorf("%s: have %q, want %q", source, have, want)
		}
	}
}
