package spec_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v5"
	"gopkg.in/yaml.v3"

	"github.com/toolspec/toolspec/spec"
	"github.com/toolspec/toolspec/testdata/versus"
)

const benchFile = `name: city_days
title: Forecast for a city
description: >-
  Daily forecast for one city. Use this tool when the user asks about the weather to come. Do not use it for past weather.
inputSchema:
  type: object
  required: [city]
  properties:
    city: {type: string, description: 'Name of the city, such as Oslo'}
    days: {type: integer, minimum: 1, maximum: 16, default: 3, description: How many days}
    units: {enum: [c, f], default: c, description: Degrees}
    hours:
      type: array
      items: {type: integer, minimum: 0, maximum: 23}
      description: Hours of the day to report
executor:
  http:
    url: https://api.example.com/v1/cities/${input.city}/days
    query:
      count: ${input.days}
      units: ${input.units}
      hours: ${input.hours}
    headers:
      Accept: application/json
result:
  error: '${ response.status == 404 ? "No city named " + input.city : null }'
  suggestion: Check the spelling, or call search_city first.
  content:
    - text: '${input.city}: ${output.today.text}'
    - json: ${output.days}
`

// BenchmarkParse tells what positions, strictness and exact digits cost: the floor is what the two libraries do for the
// same file, and nothing else.
func BenchmarkParse(b *testing.B) {
	versus.Floor(b, func() error {
		_, ds := spec.Parse("city_days.yaml", []byte(benchFile))
		return ds.Err()
	}, func() error {
		var file map[string]any
		if err := yaml.Unmarshal([]byte(benchFile), &file); err != nil {
			return err
		}
		schema, err := json.Marshal(file["inputSchema"])
		if err != nil {
			return err
		}
		c := jsonschema.NewCompiler()
		if err := c.AddResource("city_days.json", bytes.NewReader(schema)); err != nil {
			return err
		}
		_, err = c.Compile("city_days.json")
		return err
	})
}

// BenchmarkReadDocument is the part of it that is not the schema's.
func BenchmarkReadDocument(b *testing.B) {
	versus.Floor(b, func() error {
		_, ds := spec.ReadDocument("city_days.yaml", []byte(benchFile))
		return ds.Err()
	}, func() error {
		var file any
		return yaml.Unmarshal([]byte(benchFile), &file)
	})
}
