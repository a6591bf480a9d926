//go:build !unix

package audit

const noWaiting = 0
