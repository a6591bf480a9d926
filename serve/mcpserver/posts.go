package mcpserver

import (
	"context"
	"crypto/rand"
	"net/http"
	"sync"
)

// headerPost names a request on its way through the SDK to the calls that it brings. A client's own is not taken.
const headerPost = "Toolspec-Post"

// posts are the requests over HTTP, of versions with sessions, that are being answered. The SDK lets their calls go on when the client is
// gone, for servers where an answer can be fetched later. Here none can, and nothing that a tool has started is to stay for nobody.
type posts struct {
	mu   sync.Mutex
	open map[string]*waiting
}

type waiting struct {
	session string
	ctx     context.Context
	cancel  context.CancelFunc
}

// attend has the calls that a request brings end with it, and those of a session with the request that ends that.
func (p *posts) attend(r *http.Request) (done func()) {
	session, name := r.Header.Get(headerSession), rand.Text()
	r.Header.Set(headerPost, name)
	ctx, cancel := context.WithCancel(r.Context())
	p.mu.Lock()
	defer p.mu.Unlock()
	if r.Method == http.MethodDelete {
		for _, other := range p.open {
			if other.session == session {
				other.cancel()
			}
		}
	}
	p.open[name] = &waiting{session, ctx, cancel}
	return func() {
		cancel()
		p.mu.Lock()
		defer p.mu.Unlock()
		delete(p.open, name)
	}
}

// of is the context of the request that brought a call: done, if that has been answered already; one that never is, if it came
// another way.
func (p *posts) of(header http.Header) context.Context {
	name := header.Get(headerPost)
	if name == "" {
		return context.Background()
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if w := p.open[name]; w != nil {
		return w.ctx
	}
	gone, cancel := context.WithCancel(context.Background())
	cancel()
	return gone
}
