package main

import (
	"bytes"
	"context"
	"encoding/json"

	"github.com/toolspec/toolspec/exec"
	"github.com/toolspec/toolspec/spec"
)

type queryInput struct {
	Data  json.RawMessage `json:"data" jsonschema:"any JSON value"`
	Query string          `json:"query" jsonschema:"an expression over data, such as map(filter(data.items, .price > 10), .name)"`
}

// queryJSON evaluates an expression of the house's own language, with its own bounds, over one value.
func queryJSON(ctx context.Context, in queryInput) (any, error) {
	query, ds := exec.CompileExpr(spec.Text{Value: in.Query}, map[string]*spec.Shape{"data": nil})
	if ds.HasErrors() {
		return nil, spec.NewError(spec.CodeInvalidInput, "Field `query`: %s", ds[0].Message)
	}
	var data any
	digits := json.NewDecoder(bytes.NewReader(in.Data))
	digits.UseNumber()
	if err := digits.Decode(&data); err != nil {
		return nil, err
	}
	var vars *exec.Vars
	return query.Eval(ctx, vars.With("data", data))
}
