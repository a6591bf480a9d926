package export_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/santhosh-tekuri/jsonschema/v5"
)

// The rules of each provider, written down anew: nothing here is shared with the exporter.

type object = map[string]any

// judge collects what a provider would refuse.
type judge struct {
	faults []string
	where  string
	brief  bool // what takes long is left out
}

func (j *judge) want(ok bool, format string, args ...any) {
	if !ok {
		j.faults = append(j.faults, j.where+": "+fmt.Sprintf(format, args...))
	}
}

func (j *judge) keys(o object, required []string, optional ...string) {
	for _, key := range required {
		_, ok := o[key]
		j.want(ok, "no %s", key)
	}
	for key := range o {
		j.want(slices.Contains(required, key) || slices.Contains(optional, key), "unknown key %s", key)
	}
}

func (j *judge) text(v any, pattern string) string {
	text, ok := v.(string)
	j.want(ok && matches(pattern, text), "%v does not match %s", v, pattern)
	return text
}

// patterns are the patterns used so far, compiled.
var patterns sync.Map

func matches(pattern, text string) bool {
	re, known := patterns.Load(pattern)
	if !known {
		re, _ = patterns.LoadOrStore(pattern, regexp.MustCompile(pattern))
	}
	return re.(*regexp.Regexp).MatchString(text)
}

// walk visits every schema in a schema. keyword is where it stands, depth how many objects and lists are around it.
func walk(s any, keyword string, depth int, visit func(s any, keyword string, depth int)) {
	visit(s, keyword, depth)
	o, ok := s.(object)
	if !ok {
		return
	}
	if types := typesIn(o); slices.Contains(types, "object") || slices.Contains(types, "array") {
		depth++
	}
	for key, v := range o {
		switch key {
		case "properties", "patternProperties", "dependentSchemas", "$defs":
			for _, inner := range v.(object) {
				walk(inner, key, depth, visit)
			}
		case "allOf", "anyOf", "oneOf", "prefixItems":
			for _, inner := range v.([]any) {
				walk(inner, key, depth, visit)
			}
		case "items", "additionalProperties", "not", "if", "then", "else", "contains", "propertyNames", "unevaluatedProperties", "unevaluatedItems", "contentSchema":
			walk(v, key, depth, visit)
		}
	}
}

func typesIn(o object) (types []string) {
	switch t := o["type"].(type) {
	case string:
		return []string{strings.ToLower(t)}
	case []any:
		for _, name := range t {
			types = append(types, name.(string))
		}
	}
	return types
}

// metaschema has a library compile the schema as 2020-12, references and all.
func (j *judge) metaschema(s object) {
	if j.brief {
		return
	}
	doc, err := json.Marshal(s)
	if err != nil {
		j.want(false, "%v", err)
		return
	}
	c := jsonschema.NewCompiler()
	c.Draft = jsonschema.Draft2020
	if err := c.AddResource("test:schema", strings.NewReader(string(doc))); err == nil {
		_, err = c.Compile("test:schema")
		j.want(err == nil, "is no JSON Schema 2020-12: %v", err)
	}
}

func (j *judge) fieldNames(s any, pattern string) {
	walk(s, "", 0, func(s any, _ string, _ int) {
		o, _ := s.(object)
		properties, _ := o["properties"].(object)
		for name := range properties {
			j.want(matches(pattern, name), "the field %q does not match %s", name, pattern)
		}
	})
}

const claudeField = `^[a-zA-Z0-9_.-]{1,64}$`

func (j *judge) strands(tool object) {
	j.keys(tool, []string{"name", "description", "inputSchema"}, "outputSchema")
	j.text(tool["name"], `^[a-zA-Z0-9_-]{1,64}$`)
	in := tool["inputSchema"].(object)
	j.keys(in, []string{"json"})
	schema := in["json"].(object)
	j.want(schema["type"] == "object" && schema["properties"] != nil && schema["required"] != nil, "type, properties and required must be there")
}

func (j *judge) bedrock(tool object) {
	j.keys(tool, []string{"toolSpec"})
	spec := tool["toolSpec"].(object)
	j.keys(spec, []string{"name", "description", "inputSchema"})
	j.text(spec["name"], `^[a-zA-Z0-9_-]{1,64}$`)
	j.text(spec["description"], `\S`)
	in := spec["inputSchema"].(object)
	j.keys(in, []string{"json"})
	schema := in["json"].(object)
	j.keys(schema, []string{"type", "properties"}, "required")
	j.want(schema["type"] == "object", "the root is no object")
	j.fieldNames(schema, claudeField)
	walk(schema, "", 0, func(s any, _ string, _ int) {
		o, _ := s.(object)
		j.want(o["$ref"] == nil && o["$dynamicRef"] == nil && o["$defs"] == nil, "a reference is left")
	})
	j.metaschema(schema)
}

func (j *judge) anthropic(tool object) {
	j.keys(tool, []string{"name", "description", "input_schema"})
	j.text(tool["name"], `^[a-zA-Z0-9_-]{1,64}$`)
	schema := tool["input_schema"].(object)
	j.want(schema["type"] == "object", "the root is no object")
	j.want(schema["oneOf"] == nil && schema["anyOf"] == nil && schema["allOf"] == nil, "alternatives at the root")
	j.want(schema["$schema"] == nil, "names a draft")
	j.fieldNames(schema, claudeField)
	j.metaschema(schema)
}

// function is the function of a tool as OpenAI has it.
func (j *judge) function(tool object, keys ...string) object {
	j.keys(tool, []string{"type", "function"})
	j.want(tool["type"] == "function", "is no function")
	function := tool["function"].(object)
	j.keys(function, append(keys, "name", "description", "parameters"))
	j.text(function["name"], `^[a-zA-Z0-9_-]{1,64}$`)
	schema := function["parameters"].(object)
	_, isMap := schema["properties"].(object)
	j.want(schema["type"] == "object" && isMap, "the root is no object with properties")
	for _, keyword := range []string{"oneOf", "anyOf", "allOf", "enum", "not"} {
		j.want(schema[keyword] == nil, "%s at the root", keyword)
	}
	walk(schema, "", 0, func(s any, keyword string, _ int) {
		o, isMap := s.(object)
		j.want(isMap || keyword == "additionalProperties" || keyword == "unevaluatedProperties" || keyword == "unevaluatedItems", "%s holds %v", keyword, s)
		j.want(!slices.Contains(typesIn(o), "array") || o["items"] != nil, "a list without items")
	})
	j.metaschema(schema)
	return function
}

func (j *judge) openAI(tool object) { j.function(tool) }

var strictKeys = []string{"type", "properties", "required", "additionalProperties", "items", "enum", "const", "anyOf", "$ref", "$defs", "description", "title",
	"pattern", "format", "multipleOf", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "minItems", "maxItems"}

func (j *judge) openAIStrict(tool object) {
	function := j.function(tool, "strict")
	j.want(function["strict"] == true, "is not strict")
	fields, values, letters := 0, 0, 0
	walk(function["parameters"], "", 0, func(s any, keyword string, depth int) {
		o, isMap := s.(object)
		if !isMap {
			j.want(s == false && keyword == "additionalProperties", "%s holds %v", keyword, s)
			return
		}
		j.keys(o, nil, strictKeys...)
		types := typesIn(o)
		j.want(len(types) > 0 || o["anyOf"] != nil || o["$ref"] != nil, "a schema without a type: %v", o)
		j.want(o["$ref"] == nil || len(o) == 1, "something stands beside $ref")
		if slices.Contains(types, "object") {
			fields += j.strictObject(o, &letters)
		}
		if slices.Contains(types, "object") || slices.Contains(types, "array") {
			j.want(depth < 10, "more than 10 levels")
		}
		list, _ := o["enum"].([]any)
		j.want(o["enum"] == nil || len(list) > 0, "an enum of nothing")
		values += len(list)
		long := 0
		for _, v := range list {
			text, _ := v.(string)
			long += utf8.RuneCountInString(text)
		}
		letters += long
		j.want(len(list) <= 250 || long <= 15000, "an enum of %d values has %d characters", len(list), long)
		if format := o["format"]; format != nil {
			j.text(format, `^(date-time|time|date|duration|email|hostname|ipv4|ipv6|uuid)$`)
		}
	})
	j.want(fields <= 5000 && values <= 1000 && letters <= 120000, "%d fields, %d values, %d characters", fields, values, letters)
}

func (j *judge) strictObject(o object, letters *int) int {
	properties, isMap := o["properties"].(object)
	j.want(isMap && o["additionalProperties"] == false, "an object that is open or has no properties: %v", o)
	required, _ := o["required"].([]any)
	j.want(o["required"] != nil && len(required) == len(properties), "%d of %d fields are required", len(required), len(properties))
	for name := range properties {
		j.want(slices.Contains(required, any(name)), "%s is not required", name)
		*letters += utf8.RuneCountInString(name)
	}
	return len(properties)
}

var geminiKeys = []string{"type", "format", "title", "description", "nullable", "enum", "items", "minItems", "maxItems", "properties", "required",
	"minProperties", "maxProperties", "minLength", "maxLength", "pattern", "anyOf", "minimum", "maximum"}

func (j *judge) gemini(function object) {
	j.keys(function, []string{"name", "description"}, "parameters")
	j.text(function["name"], `^[a-zA-Z_][a-zA-Z0-9_.-]{0,63}$`)
	if function["parameters"] == nil {
		return
	}
	schema := function["parameters"].(object)
	j.want(schema["type"] == "OBJECT", "the root is no OBJECT")
	j.fieldNames(schema, `^[a-zA-Z_][a-zA-Z0-9_]{0,63}$`)
	walk(schema, "", 0, func(s any, keyword string, _ int) {
		o, isMap := s.(object)
		j.want(isMap, "%s holds %v", keyword, s)
		j.keys(o, nil, geminiKeys...)
		if o["anyOf"] != nil {
			j.want(len(o) == 1, "something stands beside anyOf: %v", o)
			return
		}
		j.geminiSchema(o)
	})
}

func (j *judge) geminiSchema(o object) {
	kind := j.text(o["type"], `^(STRING|NUMBER|INTEGER|BOOLEAN|ARRAY|OBJECT)$`)
	properties, _ := o["properties"].(object)
	j.want(kind != "OBJECT" || len(properties) > 0, "an OBJECT without properties")
	j.want(kind != "ARRAY" || o["items"] != nil, "an ARRAY without items")
	if required, ok := o["required"].([]any); ok {
		for _, name := range required {
			_, declared := properties[name.(string)]
			j.want(declared, "%s is required and not declared", name)
		}
	}
	if enum, ok := o["enum"].([]any); ok {
		j.want(kind == "STRING" && len(enum) > 0, "an enum of %s", kind)
		for _, v := range enum {
			j.text(v, `(?s).`)
		}
	}
	if format, ok := o["format"].(string); ok {
		j.want(slices.Contains([]string{"STRING date-time", "STRING enum", "INTEGER int32", "INTEGER int64", "NUMBER float", "NUMBER double"}, kind+" "+format), "format %s of %s", format, kind)
	}
	for _, key := range []string{"minItems", "maxItems", "minLength", "maxLength", "minProperties", "maxProperties"} {
		if n, ok := o[key].(json.Number); ok {
			_, err := n.Int64()
			j.want(err == nil, "%s: %v", key, n)
		} else {
			j.want(o[key] == nil, "%s: %v", key, o[key])
		}
	}
}

func (j *judge) mcp(tool object) {
	j.keys(tool, []string{"name", "description", "inputSchema"}, "title", "outputSchema", "annotations")
	j.text(tool["name"], `^[A-Za-z0-9_.-]{1,128}$`)
	j.want(tool["inputSchema"].(object)["type"] == "object", "the input is no object")
}

// toolsIn are the tools of a document.
func toolsIn(t testing.TB, format string, doc []byte) (tools []object) {
	t.Helper()
	list, ok := decoded(t, doc).([]any)
	if !ok {
		t.Fatalf("%s: want a list, have %.100s", format, doc)
	}
	if format == "gemini" && len(list) > 0 {
		if len(list) != 1 || len(list[0].(object)) != 1 {
			t.Fatalf("gemini: want one tool of functionDeclarations: %.200s", doc)
		}
		list = list[0].(object)["functionDeclarations"].([]any)
	}
	for _, tool := range list {
		tools = append(tools, tool.(object))
	}
	return tools
}

func decoded(t testing.TB, doc []byte) any {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(string(doc)))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		t.Fatalf("%v: %.200s", err, doc)
	}
	return v
}

var judges = map[string]func(*judge, object){
	"strands": (*judge).strands, "bedrock": (*judge).bedrock, "anthropic": (*judge).anthropic, "openai": (*judge).openAI,
	"openai-strict": (*judge).openAIStrict, "gemini": (*judge).gemini, "mcp": (*judge).mcp,
}

// schemaIn is the schema of the input in an exported tool; nil if there is none.
func schemaIn(format string, tool object) object {
	at := map[string][]string{
		"strands": {"inputSchema", "json"}, "bedrock": {"toolSpec", "inputSchema", "json"}, "anthropic": {"input_schema"}, "mcp": {"inputSchema"},
		"openai": {"function", "parameters"}, "openai-strict": {"function", "parameters"}, "gemini": {"parameters"},
	}
	var v any = tool
	for _, key := range at[format] {
		o, _ := v.(object)
		v = o[key]
	}
	schema, _ := v.(object)
	return schema
}
