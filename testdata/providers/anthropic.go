package main

import (
	"encoding/json"

	"github.com/anthropics/anthropic-sdk-go"
)

func anthropicTools(doc []byte) ([]byte, error) {
	var tools []anthropic.ToolParam
	if err := json.Unmarshal(doc, &tools); err != nil {
		return nil, err
	}
	return json.Marshal(tools)
}
