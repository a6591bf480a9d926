package spec_test

import (
	"fmt"

	"github.com/toolspec/toolspec/spec"
)

func ExampleParse() {
	tool, _ := spec.Parse("tools/now.yaml", []byte(`
name: now
description: The date and time in UTC.
executor:
  command:
    argv: [date, -u]
`))
	fmt.Println(tool.Name, tool.Kind, string(tool.Config.Get("argv").JSON()))

	src := []byte("name: now\ndescription: Date: and time.\n")
	_, faults := spec.Parse("tools/broken.yaml", src)
	for _, fault := range faults {
		fmt.Println(fault)
		fmt.Print(spec.Snippet(src, fault))
	}
	// Output:
	// now command ["date","-u"]
	// tools/broken.yaml:2:18: a colon cannot stand here: the value is not quoted, or the line is indented too far; put the whole value in single quotes
	//    2 | description: Date: and time.
	//      |                  ^
}
