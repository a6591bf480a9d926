package export_test

import (
	"fmt"

	"github.com/toolspec/toolspec/spec"
	"github.com/toolspec/toolspec/spec/export"
)

func ExampleConvert() {
	tool, _ := spec.Parse("wait.yaml", []byte(`
name: wait
description: Wait a while. Use this tool to be late. Do not use it to hurry.
inputSchema: {type: object, properties: {for: {type: string, format: duration}}}
executor: {expr: 'input.for'}
`))
	doc, losses, _ := export.Convert("gemini", []*spec.Spec{tool})
	fmt.Printf("%s", doc)
	fmt.Println(losses)
	// Output:
	// [
	//   {
	//     "functionDeclarations": [
	//       {
	//         "name": "wait",
	//         "description": "Wait a while. Use this tool to be late. Do not use it to hurry.",
	//         "parameters": {
	//           "type": "OBJECT",
	//           "properties": {
	//             "for": {
	//               "type": "STRING",
	//               "description": "Format: duration."
	//             }
	//           }
	//         }
	//       }
	//     ]
	//   }
	// ]
	// wait.yaml:4:62: inputSchema.properties.for.format: told in the description: Gemini does not know it
}
