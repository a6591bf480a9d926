// Command toolspec serves a directory of tool files to agents.
package main

func main() {}
