package spec_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v5"
	"github.com/toolspec/toolspec/spec"
	"gopkg.in/yaml.v3"
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

// BenchmarkParse against BenchmarkParseFloor tells what positions, strictness and exact digits cost: the floor is
// what the two libraries do for the same file, and nothing else.
func BenchmarkParse(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if s, ds := spec.Parse("city_days.yaml", []byte(benchFile)); s == nil {
			b.Fatal(ds)
		}
	}
}

func BenchmarkReadDocument(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, ds := spec.ReadDocument("city_days.yaml", []byte(benchFile)); ds != nil {
			b.Fatal(ds)
		}
	}
}

func BenchmarkParseFloor(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		var file struct {
			InputSchema any            `yaml:"inputSchema"`
			Rest        map[string]any `yaml:",inline"`
		}
		if err := yaml.Unmarshal([]byte(benchFile), &file); err != nil {
			b.Fatal(err)
		}
		schema, err := json.Marshal(file.InputSchema)
		if err != nil {
			b.Fatal(err)
		}
		c := jsonschema.NewCompiler()
		c.ExtractAnnotations = true
		if err := c.AddResource("toolspec:city_days", bytes.NewReader(schema)); err != nil {
			b.Fatal(err)
		}
		if _, err := c.Compile("toolspec:city_days"); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkParseFloorYAML(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		var file any
		if err := yaml.Unmarshal([]byte(benchFile), &file); err != nil {
			b.Fatal(err)
		}
	}
}
