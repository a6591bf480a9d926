package exec_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// rawRequest is a request as its bytes came in.
type rawRequest struct {
	method, target string
	headers        [][2]string // as they are written
	body           string
}

// header are the values of a header, one for each time that it is written.
func (r rawRequest) header(name string) []string {
	var values []string
	for _, h := range r.headers {
		if strings.EqualFold(h[0], name) {
			values = append(values, h[1])
		}
	}
	return values
}

// rawServer writes down requests without any help of a library: that would mend what it reads, or pass over it.
type rawServer struct {
	url string // http://127.0.0.1:PORT

	mu     sync.Mutex
	seen   []rawRequest
	faults []string // what no client may send
}

// recordRaw starts such a server. It answers every request with {}.
func recordRaw(t *testing.T) *rawServer {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &rawServer{url: "http://" + listener.Addr().String()}
	var connections sync.WaitGroup
	connections.Go(func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			connections.Go(func() { s.serve(conn) })
		}
	})
	t.Cleanup(func() { listener.Close() })
	return s
}

func (s *rawServer) serve(conn net.Conn) {
	defer conn.Close()
	in := bufio.NewReader(conn)
	for {
		r, err := readRaw(in)
		if err == io.EOF {
			return
		}
		s.mu.Lock()
		if err != nil {
			s.faults = append(s.faults, err.Error())
		}
		s.seen = append(s.seen, r)
		s.mu.Unlock()
		if err != nil {
			return
		}
		if _, err := io.WriteString(conn, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}"); err != nil {
			return
		}
	}
}

// taken are the requests since it was last asked for them.
func (s *rawServer) taken() (seen []rawRequest, faults []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	seen, faults, s.seen, s.faults = s.seen, s.faults, nil, nil
	return seen, faults
}

// readRaw reads one request; io.EOF where there is none.
func readRaw(in *bufio.Reader) (r rawRequest, err error) {
	line, err := rawLine(in)
	if err != nil {
		return r, err
	}
	words := strings.Split(line, " ")
	if len(words) != 3 || words[2] != "HTTP/1.1" {
		return r, fmt.Errorf("no request line: %q", line)
	}
	r.method, r.target = words[0], words[1]
	length := 0
	for {
		line, err := rawLine(in)
		if err != nil {
			return r, fmt.Errorf("a header that does not end: %v", err)
		}
		if line == "" {
			break
		}
		name, value, ok := strings.Cut(line, ": ")
		if !ok || strings.ContainsAny(name, " \t\"") {
			return r, fmt.Errorf("no header: %q", line)
		}
		r.headers = append(r.headers, [2]string{name, value})
		if name == "Content-Length" {
			if length, err = strconv.Atoi(value); err != nil {
				return r, err
			}
		}
		if name == "Transfer-Encoding" {
			return r, fmt.Errorf("a body of unknown length: %s", value)
		}
	}
	body := make([]byte, length)
	_, err = io.ReadFull(in, body)
	r.body = string(body)
	return r, err
}

// rawLine is a line that ends as HTTP has it, and holds no other line break.
func rawLine(in *bufio.Reader) (string, error) {
	line, err := in.ReadString('\n')
	if err != nil {
		if line == "" {
			return "", io.EOF
		}
		return "", err
	}
	text, ok := strings.CutSuffix(line, "\r\n")
	if !ok || strings.ContainsAny(text, "\r\x00") {
		return "", fmt.Errorf("a line break within a line: %q", line)
	}
	return text, nil
}
