package spec

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
)

// Member is one field of a JSON object, its value as it was written.
type Member struct {
	Name  string
	Value json.RawMessage
}

// ReadMembers reads a JSON object from outside, such as a message around an input, in the order in which it was written;
// a field given twice is there twice.
func ReadMembers(text []byte) ([]Member, error) {
	d := json.NewDecoder(bytes.NewReader(text))
	if open, err := d.Token(); err != nil || open != json.Delim('{') {
		return nil, errors.New("want a JSON object")
	}
	var fields []Member
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return nil, syntaxFault(string(text))
		}
		f := Member{}
		if err := d.Decode(&f.Value); err != nil {
			return nil, syntaxFault(string(text))
		}
		f.Name, _ = name.(string) // the decoder knows no other key
		fields = append(fields, f)
	}
	if _, err := d.Token(); err != nil {
		return nil, syntaxFault(string(text))
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("something follows the object")
	}
	return fields, nil
}
