package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	osexec "os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/toolspec/toolspec/check"
	"github.com/toolspec/toolspec/exec"
	"github.com/toolspec/toolspec/loader"
	"github.com/toolspec/toolspec/registry"
	"github.com/toolspec/toolspec/spec"
)

// trial are files as users wrote them before the format was settled, in ../shared/trial: the tool of each, its file in
// testdata/authors, and what leads its author to the right form where the file stands as it is. A file without an error
// among its hints is accepted as it stands.
var trial = []struct {
	file, tool string
	hints      []string // pieces of what is said of the file, at their lines
}{
	{"01-github-create-issue.yaml", "github_create_issue", nil},
	{"02-github-list-issues.yaml", "github_list_issues", nil},
	{"03-kubectl-get.yaml", "kubectl_get", []string{"28:30: error: env.KUBECONFIG is not allowed; the operator allows HOME, LANG, TZ, USER; write the value into the file"}},
	{"04-docker-logs.yaml", "docker_logs", nil},
	{"05-video-thumbnail.yaml", "video_thumbnail", []string{
		"15:22: error: executor.command.sandbox.read[0]: want a path that is known when the file is read, of dir and env alone",
		"18:35: warning: result.content[0].image.file is taken from dir.scratch, and nothing writes there: name ${dir.scratch}/… in the command",
	}},
	{"06-markdown-to-pdf.yaml", "markdown_to_pdf", []string{
		"29:61: warning: result.content[0].document.file is taken from dir.scratch, and nothing writes there: name ${dir.scratch}/… in the command",
		"30:3: error: unknown key result.artifacts: not supported by this version; leave it out: an image, document or resource in result.content carries a file",
	}},
	{"07-upload-file.yaml", "ticket_attach", []string{"16:16: error: env.HELPDESK_URL is not allowed; the operator allows HOME, LANG, TZ, USER; write the value into the file"}},
	{"08-github-graphql.yaml", "github_project_items", nil},
	{"09-slack-post.yaml", "slack_post", []string{
		"13:1: error: unknown key confirm: not supported by this version; annotations: {destructiveHint: true} has clients ask",
	}},
	{"10-sqlite-query.yaml", "sales_query", []string{"14:53: error: env.SALES_DB is not allowed; the operator allows HOME, LANG, TZ, USER; write the value into the file"}},
	{"11-psql-report.yaml", "revenue_by_country", []string{"29:26: error: env.PGHOST is not allowed; the operator allows HOME, LANG, TZ, USER; write the value into the file"}},
	{"12-ripgrep.yaml", "search_code", []string{"29:16: error: env.WORKSPACE is not allowed; the operator allows HOME, LANG, TZ, USER; write the value into the file"}},
	{"13-jq-filter.yaml", "jq", nil},
	{"14-build-project.yaml", "build_project", []string{
		"13:1: error: unknown key background: not supported by this version; leave it out: a call may take as long as timeout says, at most 1h",
		"23:16: error: env.WORKSPACE is not allowed",
	}},
	{"15-terraform-plan.yaml", "terraform_plan", []string{
		"19:22: error: env.STACKS is not allowed", "28:31: error: env.AWS_PROFILE is not allowed", "28:66: error: env.AWS_REGION is not allowed",
	}},
	{"16-weather-cities.yaml", "weather_cities", nil},
	{"17-date-add.yaml", "date_add", []string{
		"23:19: warning: tests[0].input.date: 2031-01-30 is a text here, and a date to other readers of YAML; write '2031-01-30'",
		"24:27: warning: tests[0].expect.json.date: 2031-02-06 is a text here, and a date to other readers of YAML; write '2031-02-06'",
	}},
	{"18-csv-summary.yaml", "csv_summary", nil},
	{"19-s3-upload.yaml", "upload_report", []string{
		"23:33: error: executor.pipeline[1].http.headers.Content-Type: of a text body it is literal, since it decides how values are written into the text; write it out",
	}},
	{"20-chat-video.yaml", "chat_video", []string{
		"28:49: error: env.TWELVELABS_INDEX_ID is not allowed", `34:153: warning: executor.pipeline[1].http.body.json.stream: no is the text "no" here`,
	}},
	{"21-crm-search.yaml", "crm_search", []string{
		"24:7: error: unknown key executor.http.auth.oauth2: not supported by this version; get a token in a step of a pipeline, and write bearer: ${steps.token.access_token} in the next",
	}},
	{"22-set-units.yaml", "set_units", []string{
		"9:1: error: unknown key stateSchema: not supported by this version", "15:3: error: unknown key result.state: not supported by this version",
		"16:3: error: unknown key result.self: not supported by this version", "17:3: error: unknown key result.actions: not supported by this version",
		"21:37: error: result.metadata has no field stateDelta; it has digest, durationMs, error, generation, repaired, truncated",
	}},
	{"23-mcp-create-ticket.yaml", "create_ticket", []string{
		"13:1: error: unknown key confirm: not supported by this version",
		"15:3: error: executor: the kind mcp is not supported by this version; tell the client of that server beside this one",
	}},
	{"24-python-beside.yaml", "summarise_table", []string{
		"17:24: error: dir.tool is the directory of the tool's file, call.tool the tool's name",
		"25:34: warning: result.content[1].image.file is taken from dir.scratch, and nothing writes there: name ${dir.scratch}/… in the command",
	}},
	{"25-static-map.yaml", "static_map", nil},
	{"26-arxiv-search.yaml", "arxiv_search", nil},
}

// aside are the tools that wait for what this version does not do, and for what.
var aside = map[string]string{
	"set_units":     "it writes the session's state, and its own",
	"create_ticket": "it calls another MCP server",
}

// without are the tools that do their job without something that their authors asked for, and what that is. What the
// operator's policy would let them read from the environment is written into the file.
var without = map[string]string{
	"build_project":   "background: the call waits, for 20 minutes at most",
	"crm_search":      "auth.oauth2: a step gets a token for each call",
	"markdown_to_pdf": "artifacts: the document is in the result, but not kept",
	"slack_post":      "confirm: clients ask for its destructiveHint, if they ask",
}

// TestAuthors holds the tools of testdata/authors to what their users are promised: each passes check at its strictest and
// its own tests, whatever is installed here, and none is missing.
func TestAuthors(t *testing.T) {
	dir := filepath.Join("..", "..", "testdata", "authors")
	var said bytes.Buffer
	std := stdio{in: strings.NewReader(""), out: &said, err: &said}
	for _, args := range [][]string{{"check", "--strict", dir}, {"test", dir}} {
		if code := run(t.Context(), args, std); code != 0 {
			t.Errorf("toolspec %v: exit %d\n%s", args, code, said.String())
		}
		said.Reset()
	}
	reg := registry.New()
	loader.New(reg, dir, exec.StandardKinds(), environment(slog.New(slog.DiscardHandler)), loader.Options{}).Sync()
	var names []string
	for e := range reg.Snapshot().Entries() {
		if e.Tool == nil || len(e.Tool.Tests()) < 2 {
			t.Errorf("%s: want a tool with two tests at least", e.File)
			continue
		}
		names = append(names, e.Tool.Spec.Name)
	}
	for _, f := range trial {
		if _, waits := aside[f.tool]; waits == slices.Contains(names, f.tool) {
			t.Errorf("%s, of %s: want it either in testdata/authors or put aside", f.tool, f.file)
		}
		names = slices.DeleteFunc(names, func(name string) bool { return name == f.tool })
	}
	for name := range without {
		if _, err := os.Stat(filepath.Join(dir, name+".yaml")); err != nil {
			t.Error(err)
		}
	}
	if len(names) > 0 {
		t.Errorf("these tools are of no user: %v", names)
	}
}

// TestTrialFiles checks the files as their users wrote them: each is accepted or refused as it should be, and what is
// said of it beside matters of taste is exactly what leads to the right form.
func TestTrialFiles(t *testing.T) {
	dir := filepath.Join("..", "..", "..", "shared", "trial")
	files, _ := filepath.Glob(filepath.Join(dir, "*.yaml"))
	if files == nil && os.Getenv("CI") == "" {
		t.Skip("*** NOT TESTED: the trial files are not beside this checkout (../shared/trial)")
	}
	if len(files) != len(trial) {
		t.Errorf("have %d files, want the %d that are listed", len(files), len(trial))
	}
	for _, f := range trial {
		t.Run(f.tool, func(t *testing.T) {
			said := checkedAlone(t, filepath.Join(dir, f.file))
			for _, hint := range f.hints {
				i := slices.IndexFunc(said, func(line string) bool { return strings.HasPrefix(line, hint) })
				if i < 0 {
					t.Errorf("want %s\nhave %s", hint, strings.Join(said, "\n     "))
					continue
				}
				said = slices.Delete(said, i, i+1)
			}
			if len(said) > 0 {
				t.Errorf("nobody is led anywhere by\n%s", strings.Join(said, "\n"))
			}
		})
	}
}

// ofTaste are the rules that every one of these files breaks: they say so clearly, and nothing hangs on it.
var ofTaste = []string{"when-to-use", "when-not-to-use", "parameter-description", "file-name", "unavailable"}

// checkedAlone is what is said of one file, without its name.
func checkedAlone(t *testing.T, path string) (lines []string) {
	t.Helper()
	tool, ds := loader.LoadFile(path, exec.StandardKinds(), environment(slog.New(slog.DiscardHandler)))
	for _, d := range check.Lint([]*check.File{readFile(path, tool, ds)}, check.Options{}) {
		if d.Severity != spec.SeverityInfo && !slices.Contains(ofTaste, d.Rule) {
			lines = append(lines, fmt.Sprintf("%d:%d: %s: %s", d.Line, d.Column, d.Severity, d.Message))
		}
	}
	return lines
}

// TestAuthorsScript runs the script that lies beside a tool: what is stubbed in its tests is true.
func TestAuthorsScript(t *testing.T) {
	if _, err := osexec.LookPath("python3"); err != nil && os.Getenv("CI") == "" {
		t.Skip("LEFT OUT: ", err)
	}
	table := filepath.Join(t.TempDir(), "sales.csv")
	write(t, table, "day,total\n2031-01-01,10\n2031-01-02,30\n")
	input, err := json.Marshal(map[string]string{"path": table, "column": "total"})
	if err != nil {
		t.Fatal(err)
	}
	var out, said bytes.Buffer
	dir := filepath.Join("..", "..", "testdata", "authors")
	args := []string{"call", "-d", dir, "summarise_table", "--input", string(input), "--json"}
	if code := run(t.Context(), args, stdio{in: strings.NewReader(""), out: &out, err: &said}); code != 0 {
		t.Fatalf("exit %d: %s%s", code, out.String(), said.String())
	}
	for _, want := range []string{"2 rows; columns: day, total", `"format":"png"`} {
		if !strings.Contains(strings.ReplaceAll(out.String(), `": "`, `":"`), want) {
			t.Errorf("%s\nwant %s", out.String(), want)
		}
	}
}
