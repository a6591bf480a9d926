package check

import (
	"testing"
	"unicode/utf8"
)

// TestTwinsArePairs: a letter left out of the list would shift all that follow.
func TestTwinsArePairs(t *testing.T) {
	letters := []rune(twins)
	if len(letters)%2 != 0 {
		t.Fatal("a letter has no twin")
	}
	for i := 0; i < len(letters); i += 2 {
		if letters[i] < utf8.RuneSelf || letters[i+1] >= utf8.RuneSelf {
			t.Errorf("%c and %c at %d are no pair", letters[i], letters[i+1], i)
		}
	}
}
