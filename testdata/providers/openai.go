package main

import (
	"encoding/json"
	"fmt"

	"github.com/openai/openai-go/v3/shared"
)

func openAI(doc []byte) ([]byte, error) {
	var tools []struct {
		Type     string                         `json:"type"`
		Function shared.FunctionDefinitionParam `json:"function"`
	}
	if err := strictly(doc, &tools); err != nil {
		return nil, err
	}
	for i, tool := range tools {
		if tool.Type != "function" {
			return nil, fmt.Errorf("tool %d is no function", i)
		}
	}
	return json.Marshal(tools)
}
