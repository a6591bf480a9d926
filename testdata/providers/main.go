// Command providers reads a document that toolspec export wrote into the Go types of the provider that it is for, and back,
// and says where the two differ: what the provider's own library does not know, it drops.
//
//	providers FORMAT < document
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"reflect"
	"strings"
)

func main() {
	if err := run(os.Args[1:], os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "providers:", err)
		os.Exit(1)
	}
}

// there and back: a document as the provider's library would send it.
var formats = map[string]func(doc []byte) ([]byte, error){
	"bedrock": bedrock, "anthropic": anthropicTools, "openai": openAI, "openai-strict": openAI, "gemini": gemini,
}

func run(args []string, in io.Reader, out io.Writer) error {
	if len(args) != 1 || formats[args[0]] == nil {
		return errors.New("want one of bedrock, anthropic, openai, openai-strict, gemini")
	}
	doc, err := io.ReadAll(in)
	if err != nil {
		return err
	}
	sent, err := formats[args[0]](doc)
	if err != nil {
		return err
	}
	want, err := value(doc)
	if err != nil {
		return err
	}
	have, err := value(sent)
	if err != nil {
		return err
	}
	if found := differences("", want, have); len(found) > 0 {
		return fmt.Errorf("%d differences:\n%s", len(found), strings.Join(found, "\n"))
	}
	fmt.Fprintln(out, "the same")
	return nil
}

// value is what JSON says. Numbers are as near as floating point has them: the libraries read them so.
func value(doc []byte) (v any, err error) {
	err = json.Unmarshal(doc, &v)
	return v, err
}

func differences(path string, want, have any) (found []string) {
	if have == nil && (want == "" || reflect.DeepEqual(want, []any{})) {
		return nil // to some libraries nothing and an empty list are the same
	}
	switch want := want.(type) {
	case map[string]any:
		other, ok := have.(map[string]any)
		if !ok {
			break
		}
		for key, v := range want {
			found = append(found, differences(path+"/"+key, v, other[key])...)
		}
		for key := range other {
			if _, known := want[key]; !known {
				found = append(found, path+"/"+key+": added")
			}
		}
		return found
	case []any:
		other, ok := have.([]any)
		if !ok || len(other) != len(want) {
			break
		}
		for i := range want {
			found = append(found, differences(fmt.Sprintf("%s/%d", path, i), want[i], other[i])...)
		}
		return found
	}
	if !reflect.DeepEqual(want, have) {
		found = append(found, fmt.Sprintf("%s: want %v, have %v", path, want, have))
	}
	return found
}

// strictly reads JSON into a type that must know every key.
func strictly(doc []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(doc))
	d.DisallowUnknownFields()
	return d.Decode(into)
}
