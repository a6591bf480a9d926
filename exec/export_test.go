package exec

import "net"

// Resolve has names looked up by a resolver of the test's.
func (e *Env) Resolve(r *net.Resolver) { e.egress.resolver = r }
