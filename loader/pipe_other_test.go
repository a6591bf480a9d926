//go:build !unix

package loader

import "errors"

func makePipe(string) error { return errors.ErrUnsupported }
