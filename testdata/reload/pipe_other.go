//go:build !unix

package reload

import "errors"

func makePipe(string) error { return errors.ErrUnsupported }
