package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/toolspec/toolspec"

// floors says how high each package stands; a package imports only what stands lower. A folder stands with its package,
// but may import it.
var floors = map[string]int{
	"spec": 1, "toolspecs": 1, "session": 2, "exec": 3, "registry": 4, "loader": 5, "serve": 5, "check": 5, "cmd": 6,
	"exec/sandbox/stage": 1, // it must be ready before all that exec needs
}

// floor is that of a package: its own, or that of the first folder on its path.
func floor(dir string) (height int, known bool) {
	if height, known = floors[dir]; !known {
		height, known = floors[strings.Split(dir, "/")[0]]
	}
	return height, known
}

// doors says where each outside library enters, and nowhere else.
var doors = map[string][]string{
	"gopkg.in/yaml.v3":                         {"spec"},
	"github.com/santhosh-tekuri/jsonschema/v5": {"spec"},
	"github.com/expr-lang/expr":                {"exec"},
	"golang.org/x/time":                        {"exec"},
	"github.com/google/jsonschema-go":          {"exec/gofunc"},
	"github.com/zalando/go-keyring":            {"exec/keyring"},
	"github.com/fsnotify/fsnotify":             {"loader"},
	"github.com/modelcontextprotocol/go-sdk":   {"serve/mcpserver"},
	"github.com/prometheus/client_golang":      {"serve/telemetry"},
	"github.com/spf13/cobra":                   {"cmd/toolspec"},
	"github.com/landlock-lsm/go-landlock":      {"exec/sandbox/stage"},
	"golang.org/x/sys":                         {"exec/sandbox/stage", "exec/sandbox/promise"},
}

type source struct {
	dir, file string
	set       *token.FileSet
	tree      *ast.File
}

// sources are the Go files of the house, without tests and testdata.
func sources(t *testing.T) []source {
	t.Helper()
	root := filepath.Join("..", "..")
	var all []source
	err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if name := d.Name(); name == "testdata" || name != ".." && strings.HasPrefix(name, ".") {
				return fs.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(p, ".go") || strings.HasSuffix(p, "_test.go") {
			return nil
		}
		rel, err := filepath.Rel(root, p)
		if err != nil {
			return err
		}
		set := token.NewFileSet()
		tree, err := parser.ParseFile(set, p, nil, parser.ParseComments)
		all = append(all, source{path.Dir(filepath.ToSlash(rel)), filepath.ToSlash(rel), set, tree})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(all) < 20 {
		t.Fatalf("only %d source files found from %s", len(all), root)
	}
	return all
}

func imports(s source) []string {
	var all []string
	for _, i := range s.tree.Imports {
		all = append(all, strings.Trim(i.Path.Value, `"`))
	}
	return all
}

func TestArrowsOnlyGoDown(t *testing.T) {
	for _, s := range sources(t) {
		own, known := floor(s.dir)
		if !known {
			t.Errorf("%s: a package that is not in the plan", s.file)
		}
		for _, imported := range imports(s) {
			below, ours := strings.CutPrefix(imported, module+"/")
			if !ours || strings.HasPrefix(s.dir, below+"/") {
				continue
			}
			if height, _ := floor(below); height >= own {
				t.Errorf("%s imports %s: arrows only go down", s.file, below)
			}
		}
	}
}

func TestEachLibraryHasOneDoor(t *testing.T) {
	for _, s := range sources(t) {
		for _, imported := range imports(s) {
			first, _, _ := strings.Cut(imported, "/")
			if !strings.Contains(first, ".") || strings.HasPrefix(imported, module) {
				continue
			}
			known := false
			for library, allowed := range doors {
				if imported == library || strings.HasPrefix(imported, library+"/") {
					known = true
					if !slices.Contains(allowed, s.dir) {
						t.Errorf("%s imports %s, which enters by %s only", s.file, imported, strings.Join(allowed, ", "))
					}
				}
			}
			if !known {
				t.Errorf("%s imports %s, which has no door in this house", s.file, imported)
			}
		}
	}
}

// TestExecIsNotOSExec keeps the two packages of that name apart.
func TestExecIsNotOSExec(t *testing.T) {
	theirs := []string{"Cmd", "Command", "CommandContext", "LookPath", "Error", "ErrNotFound", "ErrDot", "ErrWaitDelay", "ExitError"}
	for _, s := range sources(t) {
		for _, i := range s.tree.Imports {
			switch strings.Trim(i.Path.Value, `"`) {
			case "os/exec":
				if !strings.HasPrefix(s.file, "exec/command") && !strings.HasPrefix(s.file, "exec/sandbox") || i.Name == nil || i.Name.Name != "osexec" {
					t.Errorf("%s: only exec/command*.go imports os/exec, as osexec", s.file)
				}
			case module + "/exec":
				if i.Name != nil {
					t.Errorf("%s: our exec is imported without another name", s.file)
				}
			}
		}
		if s.dir != "exec" {
			continue
		}
		for name := range s.tree.Scope.Objects {
			if slices.Contains(theirs, name) {
				t.Errorf("%s: exports %s, which is a name of os/exec", s.file, name)
			}
		}
		if s.file == "exec/doc.go" && !strings.HasPrefix(s.tree.Doc.Text(), "Package exec is not os/exec: package exec executes tools") {
			t.Errorf("%s: the first sentence must tell the two apart", s.file)
		}
	}
}

func TestNamesSayWhatIsInside(t *testing.T) {
	drawers := []string{"util", "utils", "helper", "helpers", "common", "manager", "base", "types", "core", "misc"}
	for _, s := range sources(t) {
		for _, part := range strings.Split(strings.TrimSuffix(s.file, ".go"), "/") {
			if slices.Contains(drawers, part) {
				t.Errorf("%s: %q does not say what is inside", s.file, part)
			}
		}
		for _, imported := range s.tree.Decls {
			if f, ok := imported.(*ast.FuncDecl); ok && f.Name.Name == "init" && f.Recv == nil {
				t.Errorf("%s: has an init function; nothing here registers itself", s.file)
			}
		}
	}
}

// TestSilencedWithReason: where gosec is silenced, it is of named rules, at one line, and the reason stands there.
func TestSilencedWithReason(t *testing.T) {
	narrow := regexp.MustCompile(`^// #nosec( G\d{3})+ -- \S.+`)
	for _, s := range sources(t) {
		for _, group := range s.tree.Comments {
			for _, c := range group.List {
				if strings.Contains(c.Text, "#nosec") && !narrow.MatchString(c.Text) {
					t.Errorf("%s: want // #nosec G000 -- why, have %s", s.set.Position(c.Pos()), c.Text)
				}
			}
		}
	}
}

// TestSizes holds files to 400 lines and functions to 60, and reports how far the house is from its targets.
func TestSizes(t *testing.T) {
	var files, functions []int
	for _, s := range sources(t) {
		lines := s.set.File(s.tree.Pos()).LineCount()
		files = append(files, lines)
		if lines > 400 {
			t.Errorf("%s has %d lines; nothing good comes after 400", s.file, lines)
		}
		for _, d := range s.tree.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			n := s.set.Position(f.End()).Line - s.set.Position(f.Pos()).Line + 1
			functions = append(functions, n)
			if n > 60 {
				t.Errorf("%s: %s has %d lines; the limit is 60", s.file, f.Name.Name, n)
			}
		}
	}
	slices.Sort(files)
	slices.Sort(functions)
	t.Logf("%d files: median %d lines, largest %d", len(files), files[len(files)/2], files[len(files)-1])
	t.Logf("%d functions: median %d lines, nine in ten at most %d, largest %d",
		len(functions), functions[len(functions)/2], functions[len(functions)*9/10], functions[len(functions)-1])
}
