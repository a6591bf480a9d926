package spec

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
)

// digest is over all that a tool file says, written canonically: maps sorted by key, no comments, no white space.
func digest(_ *Spec, root Section) string {
	canonical, err := json.Marshal(root.Value())
	if err != nil {
		panic("spec: a document that was read does not encode: " + err.Error())
	}
	sum := sha256.Sum256(canonical)
	return "sha256:" + hex.EncodeToString(sum[:])
}
