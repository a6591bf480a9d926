package spec

import "strings"

// UnknownKey is the diagnostic for a key that its place does not know: with what to write for a word that people
// bring from elsewhere, else with the nearest known key, else with all of them.
func UnknownKey(in Section, key Text, known []string, words map[string]string) Diagnostic {
	return unknownKey(in, key, known, words)
}

func unknownKey(in Section, key Text, known []string, words map[string]string) Diagnostic {
	name := key.Value
	if in.path != "" {
		name = in.path + "." + name
	}
	if instead, ok := words[key.Value]; ok {
		if strings.Contains(instead, " ") {
			return Errorf(key.Pos, "unknown-key", "unknown key %s: %s", name, instead)
		}
		return Errorf(key.Pos, "unknown-key", "unknown key %s: write %s", name, instead)
	}
	if near := Nearest(key.Value, known); near != "" {
		return Errorf(key.Pos, "unknown-key", "unknown key %s: did you mean %s?", name, near)
	}
	return Errorf(key.Pos, "unknown-key", "unknown key %s; known here: %s", name, strings.Join(known, ", "))
}

// Nearest is the name among known that name was most likely meant to be: the same but for case and separators, or at
// most one edit in three characters away. Empty if none is near.
func Nearest(name string, known []string) string {
	best, bestDistance := "", 1+max(1, len(name)/3)
	for _, k := range known {
		d := editDistance(foldName(name), foldName(k))
		if d < bestDistance {
			best, bestDistance = k, d
		}
	}
	return best
}

func foldName(name string) string {
	return strings.NewReplacer("_", "", "-", "", ".", "").Replace(strings.ToLower(name))
}

// editDistance counts insertions, deletions, replacements and swaps of neighbours.
func editDistance(a, b string) int {
	if a == b {
		return 0
	}
	if len(a) > 128 || len(b) > 128 {
		return len(a) + len(b)
	}
	rows := [3][]int{make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)}
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
