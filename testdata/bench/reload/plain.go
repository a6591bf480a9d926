package main

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v5"
	"gopkg.in/yaml.v3"
)

// plainPass is the least that anybody would do: read each file, make a map of it, compile its schema.
func plainPass(dir string) error {
	kept := map[string]any{}
	return filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		src, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		var tool struct {
			Name        string
			InputSchema any `yaml:"inputSchema"`
		}
		if err := yaml.Unmarshal(src, &tool); err != nil {
			return err
		}
		schema, err := json.Marshal(tool.InputSchema)
		if err != nil {
			return err
		}
		compiler := jsonschema.NewCompiler()
		if err := compiler.AddResource("schema.json", strings.NewReader(string(schema))); err != nil {
			return err
		}
		kept[tool.Name], err = compiler.Compile("schema.json")
		return err
	})
}
