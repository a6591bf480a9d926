package main

import (
	"encoding/json"

	"google.golang.org/genai"
)

func gemini(doc []byte) ([]byte, error) {
	var tools []*genai.Tool
	if err := strictly(doc, &tools); err != nil {
		return nil, err
	}
	return json.Marshal(tools)
}
