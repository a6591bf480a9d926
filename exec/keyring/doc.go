// Package keyring asks the system's keyring for secrets: the Secret Service of a Linux desktop, macOS' Keychain, Windows'
// Credential Manager. It is a folder of exec because of its library; a program gives it to exec, as
//
//	policy.Secrets.AskKeyring = keyring.New().Get
package keyring
