package spec

import (
	"regexp"
	"strings"
)

const mostNear = 1_000 // names among which one is looked for

// UnknownKey is the diagnostic for a key that its place does not know: with what to write for a word that people
// bring from elsewhere, else with the nearest known key, else with all of them.
func UnknownKey(in Section, key Text, known []string, words map[string]string) Diagnostic {
	name := key.Value
	if in.path != "" {
		name = in.path + "." + name
	}
	say := func(format string, args ...any) Diagnostic {
		return Errorf(key.Pos, "unknown-key", "unknown key %s"+format, append([]any{name}, args...)...)
	}
	if instead, ok := words[key.Value]; ok && strings.Contains(instead, " ") {
		return say(": %s", instead)
	} else if ok {
		return say(": write %s", instead)
	}
	if near := Nearest(key.Value, known); near != "" {
		return say(": did you mean %s?", near)
	}
	return say("; known here: %s", strings.Join(known, ", "))
}

var writeKey = regexp.MustCompile(`^write (\w+)`)

// meantKey is the key that UnknownKey tells to write; empty if it tells no such thing.
func meantKey(key string, known []string, words map[string]string) string {
	instead, ok := words[key]
	switch m := writeKey.FindStringSubmatch(instead); {
	case m != nil:
		return m[1]
	case ok:
		return instead
	}
	return Nearest(key, known)
}

// Nearest is the name among known that name was most likely meant to be: the same but for case and separators, or at
// most one edit in three characters away, or the only one that starts with it. Empty if none is near, or if there are
// so many names that looking through them for each of a hundred slips would take long.
func Nearest(name string, known []string) string {
	if len(known) > mostNear {
		return ""
	}
	folded := foldName(name)
	best, bestDistance := "", 1+len(folded)/3
	started, starts := "", 0
	for _, k := range known {
		other := foldName(k)
		if d := editDistance(folded, other); d < bestDistance {
			best, bestDistance = k, d
		}
		if len(folded) >= 3 && strings.HasPrefix(other, folded) {
			started, starts = k, starts+1
		}
	}
	if best == "" && starts == 1 {
		return started
	}
	return best
}

var separators = strings.NewReplacer("_", "", "-", "", ".", "", " ", "")

func foldName(name string) string { return separators.Replace(strings.ToLower(name)) }

// editDistance counts insertions, deletions, replacements and swaps of neighbours.
func editDistance(a, b string) int {
	if a == b {
		return 0
	}
	if len(a) > 128 || len(b) > 128 {
		return len(a) + len(b)
	}
	cells := make([]int, 3*(len(b)+1))
	rows := [3][]int{cells[:len(b)+1], cells[len(b)+1 : 2*len(b)+2], cells[2*len(b)+2:]}
	for j := range rows[1] {
		rows[1][j] = j
	}
	for i := 1; i <= len(a); i++ {
		rows[2][0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			rows[2][j] = min(rows[1][j]+1, rows[2][j-1]+1, rows[1][j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				rows[2][j] = min(rows[2][j], rows[0][j-2]+1)
			}
		}
		rows[0], rows[1], rows[2] = rows[1], rows[2], rows[0]
	}
	return rows[1][len(b)]
}
