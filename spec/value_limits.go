package spec

import (
	"encoding/json"
	"math"
)

// valueFault says why a value is no JSON value, or one that costs too much; empty if it is one.
func valueFault(v any, depth int) string {
	switch v := v.(type) {
	case nil, bool, string, int, int8, int32, int64, uint, uint8, uint32, uint64:
		return ""
	case float32:
		return valueFault(float64(v), depth)
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return "a number must be finite"
		}
		return ""
	case json.Number:
		if !isJSONNumber(string(v)) {
			return shownValue(string(v)) + " is no number"
		}
		return numberFault(string(v))
	}
	return compositeFault(v, depth)
}

func compositeFault(v any, depth int) string {
	if depth > maxValueDepth {
		return "the value is nested too deep"
	}
	fault := ""
	switch v := v.(type) {
	case map[string]any:
		for _, inner := range v {
			if fault = valueFault(inner, depth+1); fault != "" {
				break
			}
		}
	case []any:
		for _, inner := range v {
			if fault = valueFault(inner, depth+1); fault != "" {
				break
			}
		}
	default:
		fault = "the value must be JSON"
	}
	return fault
}

const maxValueDepth = 10_000 // as deep as encoding/json reads

// isJSONNumber tells whether text is a number as JSON writes it.
func isJSONNumber(text string) bool {
	end, _ := numberEnd(text)
	return end > 0 && end == len(text)
}
