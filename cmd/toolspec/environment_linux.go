package main

import (
	"bytes"
	"errors"
	"os"
	"strconv"
)

// hideEnvironment takes the values of all variables out of the memory where the system shows them: /proc/PID/environ, and ps. Tools run
// as the same user; one that reads a file whose name it is given could else read secrets there. What Go knows of them is a copy.
func hideEnvironment() error {
	start, end, err := environmentBlock()
	if err != nil {
		return err
	}
	memory, err := os.OpenFile("/proc/self/mem", os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer memory.Close()
	block := make([]byte, end-start)
	if _, err := memory.ReadAt(block, start); err != nil {
		return err
	}
	for pair := range bytes.SplitSeq(block, []byte{0}) {
		if name, value, _ := bytes.Cut(pair, []byte("=")); string(name) != "TOOLSPEC_CALL" { // by which another of us knows this one
			clear(value)
		}
	}
	_, err = memory.WriteAt(block, start)
	return err
}

// environmentBlock is where the variables stand that the program was started with.
func environmentBlock() (start, end int64, err error) {
	text, err := os.ReadFile("/proc/self/stat")
	if err != nil {
		return 0, 0, err
	}
	const first, startField, endField = 3, 50, 51 // as proc(5) counts them; a name stands before the first, and may hold anything
	fields := bytes.Fields(text[bytes.LastIndexByte(text, ')')+1:])
	if len(fields) <= endField-first {
		return 0, 0, errors.New("/proc/self/stat does not say where variables stand")
	}
	start, err = strconv.ParseInt(string(fields[startField-first]), 10, 64)
	if err != nil {
		return 0, 0, err
	}
	end, err = strconv.ParseInt(string(fields[endField-first]), 10, 64)
	if most := int64(64 << 20); err == nil && (start <= 0 || end < start || end-start > most) {
		err = errors.New("/proc/self/stat does not tell where variables stand")
	}
	return start, end, err
}
