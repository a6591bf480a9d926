package reload

import "fmt"

// Ordinary is a tool file of ordinary size, as benchmarks fill directories with.
func Ordinary(name string, version int) []byte {
	return fmt.Appendf(nil, `name: %s
description: Version %d of a tool. Use it when the user asks for a number of days. Do not use it for past weather.
inputSchema:
  type: object
  required: [city]
  properties:
    city: {type: string, description: Name of the city}
    days: {type: integer, minimum: 1, maximum: 16, default: 3, description: How many days}
    unit: {type: string, enum: [metric, imperial], default: metric}
executor: {expr: 'input.city + string(input.days)'}
`, name, version)
}
