package exec

import (
	"slices"
	"strings"
	"testing"

	"github.com/toolspec/toolspec/spec"
)

// commandFaults compiles a tool with a text field x, a number n and an enum e, and gives what is wrong with it.
func commandFaults(t *testing.T, config string) (*Tool, string) {
	t.Helper()
	s, ds := spec.Parse("t.yaml", []byte(`name: t
description: A tool.
inputSchema:
  type: object
  properties:
    x: {type: string}
    n: {type: integer}
    e: {type: string, enum: [a, -b]}
    list: {type: array, items: {type: string}}
    on: {type: boolean}
executor:
  command: `+config+"\n"))
	if ds.HasErrors() {
		t.Fatal(ds)
	}
	tool, ds := StandardKinds().Compile(&Env{}, s)
	ds = slices.DeleteFunc(ds, func(d spec.Diagnostic) bool { return d.Rule == "unavailable" }) // so it is on some machines
	return tool, ds.Error()
}

func TestTemplatesInCodeAreRefused(t *testing.T) {
	for argv, want := range map[string]string{
		`[sh, -c, 'grep "${input.x}" f']`:                                     `[sh, -c, 'grep "$1" f', _, '${input.x}']`,
		`[/bin/bash, -lc, 'a ${input.x} ${input.n}']`:                         `'a "$1" "$2"', _, '${input.x}', '${input.n}'`,
		`[bash, -euo, pipefail, -c, '${input.x}']`:                            `bash`,
		`[bash, -c, -x, '${input.x}']`:                                        `bash`,
		`[bash, --rcfile, f, -c, '${input.x}']`:                               `bash`,
		`[zsh, [-c, '${input.x}']]`:                                           `zsh`,
		`[env, A=b, -u, C, dash, -c, '${input.x}']`:                           `dash`,
		`[sudo, -u, me, ksh, -ec, '${input.x}']`:                              `ksh`,
		`[timeout, 5, xargs, -n1, sh, -c, '${input.x}']`:                      `sh`,
		`[find, ., -exec, sh, -c, 'rm ${input.x}', ;]`:                        `sh`,
		`[docker, exec, box, sh, -c, '${input.x}']`:                           `sh`,
		`[python3, -c, 'print("${input.x}")']`:                                `sys.argv[1]`,
		`[python3.12, -W, ignore, -Ic, '${input.x}']`:                         `python`,
		`[python, '-cprint(${input.n})']`:                                     `python`,
		`[node, -e, '${input.x}']`:                                            `process.argv[1]`,
		`[node, "--eval=${input.x}"]`:                                         `node`,
		`[node, --require, m, -pe, '${input.x}']`:                             `node`,
		`[perl, -ne, '${input.x}']`:                                           `$ARGV[0]`,
		`[perl, -e, '1', -E, '${input.x}']`:                                   `perl`,
		`[perl, "-lane${input.x}"]`:                                           `perl`,
		`[ruby, -rjson, -e, '${input.x}']`:                                    `ARGV[0]`,
		`[php, -r, '${input.x}']`:                                             `$argv[1]`,
		`[lua5.4, -e, '${input.x}']`:                                          `os.getenv`,
		`[sqlite3, -json, shop.db, "SELECT * FROM a WHERE b = '${input.x}'"]`: `-safe`,
		`[sqlite3, -cmd, '.print ${input.x}', shop.db]`:                       `-safe`,
		`[psql, -tAc, "SELECT '${input.x}'"]`:                                 `-v, 'x=${input.x}'`,
		`[psql, -h, db, "--command=SELECT '${input.x}'"]`:                     `-v, 'x=${input.x}'`,
		`[mysql, -u, me, shop, -e, "SELECT '${input.x}'"]`:                    `mysql`,
		`[mariadb, "--execute=SELECT '${input.x}'"]`:                          `mariadb`,
		`[duckdb, -json, -c, "SELECT '${input.x}'"]`:                          `duckdb`,
		`[mongosh, --eval, '${input.x}']`:                                     `process.env.X`,
		`[jq, -r, '.[] | select(.a == "${input.x}")', f.json]`:                `--arg, x`,
		`[awk, '{print ${input.n}}']`:                                         `-v`,
		`[gawk, -F, ',', '${input.x}', f]`:                                    `-v`,
		`[ssh, host, '${input.x}']`:                                           `stdin`,
		`[ssh, -p, 22, host, ls, '${input.x}']`:                               `stdin`,
		`[nohup, ssh, host, 'ls ${input.x}']`:                                 `stdin`,
		`[env, -S, 'sh ${input.x}']`:                                          `entry of its own`,
		`[su, -, bob, -c, '${input.x}']`:                                      `$X`,
		`[watch, ls, '${input.x}']`:                                           `$X`,
		`[powershell, -NoProfile, -Command, ls, '${input.x}']`:                `$env:X`,
		`[cmd, /c, 'dir ${input.x}']`:                                         `env:`,
		`[bash, '${input.on ? "-x" : null}', -c, '${input.x}']`:               `bash`,
		`[busybox, sh, -c, '${input.x}']`:                                     `sh`,
		`[git, -c, x=y, log, '${input.x}', bash, -c, '${input.n}']`:           `bash`,
		`[bash, '${input.on ? "-c" : null}', 'a ${input.x}']`:                 `"$1"`,
		`[bash-static, -c, '${input.x}']`:                                     `bash`,
		`[env, -S, 'A=b bash -c', '${input.x}']`:                              `bash`,
		`[env, '-Ssh -c', '${input.x}']`:                                      `sh`,
		`[sed, 's/a/${input.x}/', f]`:                                         `$ENV{X}`,
		`[sed, -n, -e, p, -e, '${input.x}', f]`:                               `$ENV{X}`,
		`[perl, '-M${input.x}', run.pl]`:                                      `$ARGV[0]`,
		`[deno, eval, '${input.x}']`:                                          `Deno.env`,
		`[tsx, -e, '${input.x}']`:                                             `process.argv[1]`,
		`[pwsh, -NoLogo, -comm, ls, '${input.x}']`:                            `$env:X`,
		`[cmd, /s, /c, 'dir ${input.x}']`:                                     `env:`,
		`[flock, f, -c, '${input.x}']`:                                        `program`,
		`[script, -qc, '${input.x}', /dev/null]`:                              `"$X"`,
		`[vim, -es, -c, '${input.x}']`:                                        `$X`,
		`[rsync, -ae, '${input.x}', a, b]`:                                    `ssh`,
		`[sshpass, -p, x, ssh, host, '${input.x}']`:                           `stdin`,
	} {
		if _, have := commandFaults(t, "{argv: "+argv+"}"); !strings.Contains(have, "must not stand in code") || !strings.Contains(have, want) {
			t.Errorf("%s: have %q, want %s", argv, have, want)
		}
	}
}

func TestValuesBesideCodeAreFine(t *testing.T) {
	for _, argv := range []string{
		`[sh, -c, 'grep -e "$1" f', _, '${input.x}']`,
		`[sh, run.sh, -c, '${input.x}']`,
		`[python3, '${dir.tool}/run.py', -c, '${input.x}']`,
		`[python3, -m, mod, -c, '${input.x}']`,
		`[python3, -c, 'import sys', '${input.x}']`,
		`[node, app.js, -e, '${input.x}']`,
		`[perl, -Mjson, -Ilib, run.pl, -e, '${input.x}']`,
		`[awk, -v, 'x=${input.x}', '{print x}', '${input.x}']`,
		`[sqlite3, -readonly, -json, 'data/${input.x}.db', '${input.x}']`,
		`[sqlite3, shop.db, 'SELECT * FROM a LIMIT ${input.n}']`,
		`[psql, -v, 'x=${input.x}', -c, '${input.x}']`,
		`[psql, -h, '${input.x}', -f, query.sql]`,
		`[mysql, '-p${input.x}', -e, 'SELECT 1', '${input.x}']`,
		`[jq, --arg, x, '${input.x}', '.[] | select(.a == $x)', '${input.x}.json']`,
		`[jq, '${input.x}', 'f-${input.x}.json']`,
		`[awk, -f, prog.awk, '${input.x}']`,
		`[grep, -e, '${input.x}']`,
		`[git, log, awk, '${input.x}']`,
		`[systemctl, status, ssh, '${input.x}']`,
		`[ssh, '${input.x}', uptime]`,
		`[env, 'A=${input.x}', printenv]`,
		`[sudo, cat, --, '${input.x}']`,
		`[sudo, -u, '${input.x}', ls]`,
		`[sed, -n, '${input.n},${(input.n ?? 1) + 1}p', --, '${input.x}']`,
		`[sed, '${input.on ? "p" : "d"}', '${input.x}']`,
		`[sed, -i.bak, -e, 's/a/b/', '${input.x}']`,
		`[timeout, '${input.n}', grep, -e, '${input.x}']`,
		`[xargs, -n, '${input.n}', echo, '${input.x}']`,
		`[env, '${input.e}', '${input.x}']`,
		`[env, -S, 'A=b grep -e', '${input.x}']`,
		`[find, '${input.x}', -exec, grep, -e, '${input.x}', '{}', ;]`,
		`[git, -c, 'user.name=${input.x}', commit]`,
		`[git, -C, '${input.x}', log, -c, '${input.x}']`,
		`[tar, '--file=${input.x}']`,
		`[rsync, -a, '${input.x}', b]`,
	} {
		if _, have := commandFaults(t, "{argv: "+argv+"}"); have != "" {
			t.Errorf("%s: %s", argv, have)
		}
	}
}

func TestTemplatesDoNotChooseTheProgram(t *testing.T) {
	for argv, want := range map[string]string{
		`[env, A=b, -u, C, '${input.x}']`:                   "must not name the program that env runs",
		`[sudo, -u, me, timeout, -k, 1, 5, '${input.x}']`:   "must not name the program that timeout runs",
		`[xargs, -n, 1, '${input.x}']`:                      "must not name the program that xargs runs",
		`[busybox, '${input.x}']`:                           "must not name the program that busybox runs",
		`[find, ., -name, x, -execdir, '${input.x}', ;]`:    "must not name the program that find -execdir runs",
		`[env, -S, 'nice -n', '${input.x}', ls]`:            "",
		`[env, -S, 'A=b nice', '${input.x}']`:               "must not name the program that nice runs",
		`[git, -c, 'alias.x=!${input.x}', x]`:               "this setting of git",
		`[git, -C, repo, -c, 'core.pager=${input.x}', log]`: "this setting of git",
		`[git, -c, '${input.x}', log]`:                      "this setting of git",
		`[tar, -xf, a.tar, '--to-command=${input.x}']`:      "is run as a command",
		`[ssh, '-oProxyCommand=nc ${input.x}', host]`:       "is run as a command",
	} {
		if _, have := commandFaults(t, "{argv: "+argv+"}"); want == "" && have != "" || !strings.Contains(have, want) {
			t.Errorf("%s: have %q, want %s", argv, have, want)
		}
	}
}

func TestCommandIsCheckedWhenRead(t *testing.T) {
	for config, want := range map[string]string{
		`{}`:                                     "12:12: executor.command: want exactly one of argv, shell, have none",
		`{argv: [ls], shell: ls}`:                "12:12: executor.command: want exactly one of argv, shell, have argv and shell",
		`{argv: git log}`:                        "executor.command.argv: want a list",
		`{argv: []}`:                             "executor.command.argv: want the program and its arguments",
		`{argv: ['${input.x}', a]}`:              "executor.command.argv[0]: want the program as literal text",
		`{argv: [[ls]]}`:                         "executor.command.argv[0]: want the program as literal text",
		`{argv: [ls, ~]}`:                        "executor.command.argv[1]: want a text, have null; quote it",
		`{argv: [ls, {a: b}]}`:                   "executor.command.argv[1]: want a text, have a map",
		`{argv: [ls, []]}`:                       "executor.command.argv[1]: want a text or a list of texts, have an empty list",
		`{argv: [ls, [a, [b]]]}`:                 "executor.command.argv[1][1]: want a text, have a list",
		`{argv: [ls, "a\0b"]}`:                   "executor.command.argv[1]: no argument can hold a NUL",
		`{argv: [ls, '${input.y}']}`:             "12:33: input has no field y",
		`{cmd: ls}`:                              "unknown key executor.command.cmd",
		`{argv: [ls], output: xml}`:              "executor.command.output: want text, json, jsonl, csv, lines or bytes, have \"xml\"",
		`{argv: [ls], successCodes: []}`:         "12:39: executor.command.successCodes: want the exit codes that are no error, such as [0, 1], have none",
		`{argv: [ls], successCodes: [0, -1]}`:    "12:43: executor.command.successCodes[1]: want an exit code, from 0 on, have -1",
		`{shell: ' '}`:                           "12:20: executor.command.shell: want what the shell is to run",
		`{argv: [ls], successCodes: [x]}`:        "executor.command.successCodes[0]: want a whole number",
		`{argv: [ls], env: {A-B: x}}`:            "executor.command.env: want a name of letters",
		`{argv: [ls], env: {TOOLSPEC_INPUT: x}}`: "TOOLSPEC_INPUT is set from the input already",
		`{shell: ls, env: {INPUT_X: x}}`:         "INPUT_X is set from the input already",
		`{shell: 'echo ${input.x}'}`:             `12:26: executor.command.shell: shell text is never a template, its values come through the environment: write "$INPUT_X"`,
		`{shell: 'echo ${ input["x"] }'}`:        `"$INPUT_…"`,
		`{shell: 'echo ${env.HOME}'}`:            `write "$HOME" here and env: {HOME: '${env.HOME}'}`,
		`{shell: 'cd ${dir.scratch}'}`:           `write "$DIR_SCRATCH" here and env: {DIR_SCRATCH: '${dir.scratch}'}`,
	} {
		if _, have := commandFaults(t, config); !strings.Contains(have, want) {
			t.Errorf("%s: have %q, want %q", config, have, want)
		}
	}
	for _, config := range []string{`{shell: 'x=${input:-1} ${step} ${INPUT_X} ${#input} $${x}'}`, `{argv: [ls, -n, 5, 0640, yes]}`} {
		if _, have := commandFaults(t, config); have != "" {
			t.Errorf("%s: %s", config, have)
		}
	}
}

func TestFieldsWhoseVariablesMeet(t *testing.T) {
	s, _ := spec.Parse("t.yaml", []byte("name: t\ndescription: A tool.\ninputSchema: {properties: {job-count: {}, job_count: {}}}\nexecutor: {command: {shell: ls}}\n"))
	_, ds := StandardKinds().Compile(&Env{}, s)
	if want := "t.yaml:4:29: executor.command.shell: the fields job-count and job_count would both be INPUT_JOB_COUNT"; !strings.Contains(ds.Error(), want) {
		t.Errorf("have %q, want %q", ds, want)
	}
}
