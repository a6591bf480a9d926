//go:build !unix

package exec_test

func keepDescriptors() {}
