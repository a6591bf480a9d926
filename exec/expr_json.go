package exec

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/toolspec/toolspec/spec"
)

var jsonFunctions = map[string]function{
	"toJSON":   {args: []kinds{isAny}, least: 1, gives: gives(isText), run: func(m *meter, args []any) (any, error) { return m.json(args[0]) }},
	"fromJSON": {args: []kinds{isText}, least: 1, null: true, run: fromJSON},
}

func fromJSON(m *meter, args []any) (any, error) {
	text := args[0].(string)
	if err := m.growBy(len(text), 8); err != nil { // as many bytes of values as a text of brackets becomes
		return nil, err
	}
	v, err := spec.ReadValue([]byte(text))
	if err != nil {
		return nil, &operandError{0, "is not JSON: " + err.Error()}
	}
	return number(v), nil
}

// text is a value in running text, metered.
func (m *meter) text(v any) (string, error) {
	v, err := m.finish(v)
	if err != nil {
		return "", err
	}
	return renderText(v), nil
}

// json is a value as compact JSON, keys in order, metered.
func (m *meter) json(v any) (string, error) {
	v, err := m.finish(v)
	if err != nil {
		return "", err
	}
	return renderJSON(v), nil
}

// finish makes a value one that leaves expressions: what JSON has, dates and bytes. It is walked through, so that no
// value leaves that is larger than it may be, however often it holds the same part.
func (m *meter) finish(v any) (any, error) {
	v, _, err := m.finishPart(v)
	return v, err
}

// finishPart is finish; it copies only what changes.
func (m *meter) finishPart(v any) (finished any, changed bool, err error) {
	if err := m.enter(); err != nil {
		return nil, false, err
	}
	defer m.leave()
	switch v := v.(type) {
	case nil, bool, int, float64, json.Number, time.Time:
		return v, false, m.grow(8)
	case string:
		return v, false, m.grow(8 + len(v))
	case []byte:
		return v, false, m.grow(8 + len(v))
	case time.Month, time.Weekday, time.Duration:
		return fmt.Sprint(v), true, nil
	case zone:
		return v.String(), true, nil
	case []any:
		return m.finishList(v)
	case map[string]any:
		return m.finishMap(v)
	}
	v, err = m.finish(jsonValue(v))
	return v, true, err
}

func (m *meter) finishList(list []any) (any, bool, error) {
	changed := false
	for i, item := range list {
		v, differs, err := m.finishPart(item)
		if err != nil {
			return nil, false, err
		}
		if differs && !changed {
			list, changed = slices.Clone(list), true
		}
		if differs {
			list[i] = v
		}
	}
	return list, changed, nil
}

func (m *meter) finishMap(object map[string]any) (any, bool, error) {
	changed := false
	from := object
	for k, item := range from {
		v, differs, err := m.finishPart(item)
		if err == nil {
			err = m.grow(len(k))
		}
		if err != nil {
			return nil, false, err
		}
		if differs && !changed {
			object, changed = maps.Clone(object), true
		}
		if differs {
			object[k] = v
		}
	}
	return object, changed, nil
}
