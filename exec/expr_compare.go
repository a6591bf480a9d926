package exec

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/big"
	"strings"
	"time"
)

// order compares two values of one kind: negative, 0 or positive.
func order(m *meter, a, b any) (int, error) {
	a, b = number(a), number(b)
	switch a := a.(type) {
	case string:
		if b, ok := b.(string); ok {
			return strings.Compare(a, b), m.spend(1 + min(len(a), len(b))/64)
		}
	case time.Time:
		if b, ok := b.(time.Time); ok {
			return a.Compare(b), nil
		}
	case time.Duration:
		if b, ok := b.(time.Duration); ok {
			return int(big.NewInt(int64(a)).Cmp(big.NewInt(int64(b)))), nil
		}
	}
	if c, ok := orderNumbers(a, b); ok {
		return c, m.spend(1)
	}
	for i, v := range []any{a, b} {
		if v == nil {
			return 0, &operandError{i, "is null, which is neither less nor more; give it a value with ??, or ask for != null first"}
		}
	}
	return 0, fmt.Errorf("%s and %s cannot be compared", kindOf(a), kindOf(b))
}

// orderNumbers compares numbers, exactly, of whatever size.
func orderNumbers(a, b any) (int, bool) {
	if x, ok := a.(int); ok {
		if y, ok := b.(int); ok {
			switch {
			case x < y:
				return -1, true
			case x > y:
				return 1, true
			}
			return 0, true
		}
	}
	x, y := exact(a), exact(b)
	if x == nil || y == nil {
		return 0, false
	}
	return x.Cmp(y), true
}

func exact(v any) *big.Float {
	switch v := v.(type) {
	case int:
		return new(big.Float).SetInt64(int64(v))
	case time.Month:
		return new(big.Float).SetInt64(int64(v))
	case time.Weekday:
		return new(big.Float).SetInt64(int64(v))
	case float64:
		return new(big.Float).SetFloat64(v) // never NaN: nothing makes one
	case json.Number:
		f, _, err := big.ParseFloat(v.String(), 10, 4000, big.ToNearestEven)
		if err != nil {
			return nil
		}
		return f
	}
	return nil
}

// comparison is one of < > <= >=.
func comparison(holds func(c int) bool) func(*meter, []any) (any, error) {
	return func(m *meter, args []any) (any, error) {
		c, err := order(m, args[0], args[1])
		return err == nil && holds(c), err
	}
}

// equal compares two values of any kind; values of different kinds differ.
func equal(m *meter, a, b any) (bool, error) {
	if err := m.enter(); err != nil {
		return false, err
	}
	defer m.leave()
	switch a := a.(type) {
	case nil, bool:
		switch b.(type) {
		case nil, bool:
			return a == b, nil
		}
		return false, nil
	case []any:
		b, ok := b.([]any)
		if !ok || len(a) != len(b) {
			return false, nil
		}
		for i := range a {
			if same, err := equal(m, a[i], b[i]); !same || err != nil {
				return false, err
			}
		}
		return true, nil
	case map[string]any:
		return equalMaps(m, a, b)
	case []byte:
		b, ok := b.([]byte)
		return ok && bytes.Equal(a, b), nil
	case zone:
		b, ok := b.(zone)
		return ok && a.String() == b.String(), nil
	}
	if ka, kb := kindOf(a), kindOf(b); ka&kb == 0 && (ka&isNumber == 0 || kb&isNumber == 0) {
		return false, nil
	}
	c, err := order(m, a, b)
	return err == nil && c == 0, err
}

func equalMaps(m *meter, a map[string]any, other any) (bool, error) {
	b, ok := other.(map[string]any)
	if !ok || len(a) != len(b) {
		return false, nil
	}
	for k, v := range a {
		w, ok := b[k]
		if !ok {
			return false, nil
		}
		if same, err := equal(m, v, w); !same || err != nil {
			return false, err
		}
	}
	return true, nil
}
