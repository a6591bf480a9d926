package exec

import (
	"bytes"
	"io"
	"os"
)

// requestBody is a body on its way: chunks one after the other, of memory or of files, read as they are sent.
type requestBody struct {
	contentType string
	size        int64
	chunks      []chunk
}

type chunk struct {
	data []byte
	open func() (*os.File, error) // instead of data
	name string                   // of the file that it is
	size int64
}

func (p *requestBody) add(c chunk) {
	p.chunks = append(p.chunks, c)
	p.size += c.size
}

func (p *requestBody) addData(data []byte) { p.add(chunk{data: data, size: int64(len(data))}) }

// open gives the body from its start, as often as it must be sent.
func (p *requestBody) open() io.ReadCloser {
	if len(p.chunks) == 1 && p.chunks[0].open == nil {
		return io.NopCloser(bytes.NewReader(p.chunks[0].data))
	}
	return &chunkReader{chunks: p.chunks}
}

// chunkReader reads chunk after chunk; of the files only the one being read is open.
type chunkReader struct {
	chunks []chunk
	now    io.Reader
	file   *os.File
}

func (r *chunkReader) Read(p []byte) (int, error) {
	for {
		if r.now == nil {
			if len(r.chunks) == 0 {
				return 0, io.EOF
			}
			if err := r.next(); err != nil {
				return 0, err
			}
		}
		n, err := r.now.Read(p)
		if n > 0 || err != nil && err != io.EOF {
			return n, err
		}
		if err == io.EOF {
			r.now = nil
			_ = r.Close()
		}
	}
}

func (r *chunkReader) next() error {
	c := r.chunks[0]
	r.chunks = r.chunks[1:]
	if c.open == nil {
		r.now = bytes.NewReader(c.data)
		return nil
	}
	f, err := c.open()
	if err != nil {
		return err
	}
	r.file, r.now = f, io.LimitReader(f, c.size)
	return nil
}

// Close closes the file being read.
func (r *chunkReader) Close() error {
	if r.file == nil {
		return nil
	}
	err := r.file.Close()
	r.file = nil
	return err
}

func dataBody(contentType string, data []byte) *requestBody {
	p := &requestBody{contentType: contentType}
	p.addData(data)
	return p
}
