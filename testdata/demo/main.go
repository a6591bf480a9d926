// Command demo runs the main job once and ends: it serves a directory over HTTP and MCP, calls a tool through the MCP
// SDK's own client, edits the tool's file, calls it again, breaks it, mends it, and prints each step.
//
//	go run ./testdata/demo bin/toolspec
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const greet = `name: greet
description: Greet someone by name. Use this tool when the user wants to say hello.
inputSchema:
  type: object
  required: [who]
  properties:
    who: {type: string, description: 'Whom to greet, such as Ada'}
executor:
  command:
    argv: [printf, --, 'Hello, %%s!', '${input.who}']
`

func main() {
	log.SetFlags(0)
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if err := demo(ctx, os.Args[1]); err != nil {
		log.Fatal("demo: ", err)
	}
}

func demo(ctx context.Context, program string) error {
	dir, err := os.MkdirTemp("", "toolspec-demo-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	d := &demonstration{ctx: ctx, file: filepath.Join(dir, "greet.yaml"), changed: make(chan struct{}, 16)}
	text := strings.ReplaceAll(greet, "%%", "%")
	d.say("a tool is a file: greet.yaml\n\n%s", text)
	if err := os.WriteFile(d.file, []byte(text), 0o644); err != nil {
		return err
	}
	stop, err := d.serve(program, dir)
	if err != nil {
		return err
	}
	return errors.Join(d.steps(text), stop())
}

// demonstration is one run.
type demonstration struct {
	ctx     context.Context
	file    string
	base    string // http://127.0.0.1:PORT
	session *mcp.ClientSession
	changed chan struct{} // list_changed notifications
}

func (d *demonstration) say(format string, args ...any) { fmt.Printf("== "+format+"\n", args...) }

// serve starts the program, waits until it listens, and connects a client.
func (d *demonstration) serve(program, dir string) (stop func() error, err error) {
	cmd := exec.CommandContext(d.ctx, program, "serve", "-d", dir, "--http", "127.0.0.1:0")
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	stderr, err := cmd.StderrPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	d.base, err = listening(stderr)
	if err != nil {
		return nil, err
	}
	d.say("toolspec serve -d %s --http 127.0.0.1:0   →   %s", filepath.Base(dir), d.base)
	client := mcp.NewClient(&mcp.Implementation{Name: "demo", Version: "1"}, &mcp.ClientOptions{
		ToolListChangedHandler: func(context.Context, *mcp.ToolListChangedRequest) { d.changed <- struct{}{} },
	})
	d.session, err = client.Connect(d.ctx, &mcp.StreamableClientTransport{Endpoint: d.base + "/mcp"}, nil)
	return func() error {
		_ = d.session.Close()
		_ = cmd.Process.Signal(os.Interrupt)
		return cmd.Wait()
	}, err
}

var address = regexp.MustCompile(`http://127\.0\.0\.1:\d+`)

// listening reads what the program says until it names its address, and goes on reading so that it never blocks.
func listening(stderr io.Reader) (string, error) {
	lines := bufio.NewScanner(stderr)
	for lines.Scan() {
		if found := address.FindString(lines.Text()); found != "" {
			go io.Copy(os.Stderr, stderr)
			return found, nil
		}
	}
	return "", errors.New("the program ended before it listened")
}

func (d *demonstration) steps(text string) error {
	if err := d.call("MCP", `Hello, Ada!`); err != nil {
		return err
	}
	if err := d.callHTTP(); err != nil {
		return err
	}
	d.say("edit the file: Hello becomes Good evening, and the description says so")
	edited := strings.NewReplacer("Hello", "Good evening", "say hello", "say good evening").Replace(text)
	if err := d.write(edited, true); err != nil {
		return err
	}
	if err := d.call("MCP, the same session", `Good evening, Ada!`); err != nil {
		return err
	}
	d.say("break the file: ${input.who} becomes ${input.whom}")
	if err := d.write(strings.ReplaceAll(edited, "input.who}", "input.whom}"), false); err != nil {
		return err
	}
	if err := d.stale(); err != nil {
		return err
	}
	if err := d.call("MCP: the last good version stays up", `Good evening, Ada!`); err != nil {
		return err
	}
	d.say("delete the file")
	if err := os.Remove(d.file); err != nil {
		return err
	}
	if err := d.wait(); err != nil {
		return err
	}
	list, err := d.session.ListTools(d.ctx, nil)
	if err == nil {
		d.say("the list has %d tools", len(list.Tools))
	}
	return err
}

// write saves the file, and waits for list_changed if the contract changes.
func (d *demonstration) write(text string, contract bool) error {
	if err := os.WriteFile(d.file, []byte(text), 0o644); err != nil || !contract {
		return err
	}
	return d.wait()
}

func (d *demonstration) wait() error {
	select {
	case <-d.changed:
		d.say("notifications/tools/list_changed")
		return nil
	case <-d.ctx.Done():
		return errors.New("no list_changed came")
	}
}

func (d *demonstration) call(how, want string) error {
	result, err := d.session.CallTool(d.ctx, &mcp.CallToolParams{Name: "greet", Arguments: map[string]any{"who": "Ada"}})
	if err != nil {
		return err
	}
	text := result.Content[0].(*mcp.TextContent).Text
	d.say("call greet {who: Ada} over %s: %s", how, text)
	if text != want {
		return fmt.Errorf("want %q, have %q", want, text)
	}
	return nil
}

func (d *demonstration) callHTTP() error {
	res, err := http.Post(d.base+"/v1/tools/greet", "application/json", strings.NewReader(`{"wo": "Ada"}`))
	if err != nil {
		return err
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	d.say("call greet {wo: Ada} over the HTTP API, with a slip: %s", strings.TrimSpace(string(body)))
	return err
}

// stale waits until status shows the broken file, and prints its diagnostic.
func (d *demonstration) stale() error {
	for d.ctx.Err() == nil {
		res, err := http.Get(d.base + "/v1/status")
		if err != nil {
			return err
		}
		var status struct {
			Files []struct {
				State       string
				Diagnostics []struct {
					Line, Column int
					Message      string
				}
			}
		}
		err = json.NewDecoder(res.Body).Decode(&status)
		res.Body.Close()
		if err != nil {
			return err
		}
		if f := status.Files; len(f) == 1 && f[0].State == "stale" {
			at := f[0].Diagnostics[0]
			d.say("status: %s; greet.yaml:%d:%d: %s", f[0].State, at.Line, at.Column, at.Message)
			return nil
		}
		time.Sleep(20 * time.Millisecond)
	}
	return errors.New("the broken file was never reported")
}
