package mcpserver

import (
	"bufio"
	"bytes"
	"context"
	"flag"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

var update = flag.Bool("update", false, "write what the server answers into the transcripts")

// scrub hides what differs from run to run.
var scrub = regexp.MustCompile(`"(digest|durationMs)":("[^"]*"|[0-9.e+-]+)`)

// TestTranscripts holds conversations over stdio against testdata/mcp/*.txtar. The files that end in .yaml are the
// tools; talk is the conversation: a line after "> " is sent, and the lines after "< " are what comes back before the
// next is sent. A line after "- " is sent and answered by nothing.
func TestTranscripts(t *testing.T) {
	archives, err := filepath.Glob("testdata/mcp/*.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatal("no transcripts", err)
	}
	for _, path := range archives {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			var tools []tool
			var talk *txtar.File
			for i, file := range archive.Files {
				if name, ok := strings.CutSuffix(file.Name, ".yaml"); ok {
					tools = append(tools, tool{name, string(file.Data)})
				} else {
					talk = &archive.Files[i]
				}
			}
			have := newHouse(t, nil, tools...).converse(t, talk.Data)
			if *update {
				talk.Data = have
				if err := os.WriteFile(path, txtar.Format(archive), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if !bytes.Equal(have, talk.Data) {
				t.Errorf("have\n%s\nwant\n%s", have, talk.Data)
			}
		})
	}
}

// converse sends the lines of a transcript and gives it back with the answers there were.
func (h *house) converse(t *testing.T, talk []byte) []byte {
	t.Helper()
	toServer, in := io.Pipe()
	out, fromServer := io.Pipe()
	var serving sync.WaitGroup
	serving.Go(func() {
		if err := h.Stdio(context.Background(), toServer, fromServer); err != nil {
			t.Errorf("stdio ended with %v", err)
		}
		_ = fromServer.Close()
	})
	answers := bufio.NewReader(out)
	var have bytes.Buffer
	for line := range strings.Lines(string(talk)) {
		line = strings.TrimSuffix(line, "\n")
		if strings.HasPrefix(line, "< ") {
			continue
		}
		mark, request, marked := strings.Cut(line, " ")
		if marked && (mark == ">" || mark == "-") {
			if _, err := io.WriteString(in, request+"\n"); err != nil {
				t.Fatal(err)
			}
		}
		have.WriteString(line + "\n")
		if marked && mark == ">" {
			answer, err := answers.ReadString('\n')
			if err != nil {
				t.Fatalf("after %s: %v", line, err)
			}
			have.WriteString("< " + scrub.ReplaceAllString(answer, `"$1":0`))
		}
	}
	_ = in.Close()
	if rest, _ := io.ReadAll(answers); len(rest) > 0 {
		t.Errorf("nobody asked for %s", rest)
	}
	serving.Wait()
	return have.Bytes()
}
