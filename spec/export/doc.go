// Package export writes specs as the providers of models take them: pure functions from specs to a document, one file
// for each format.
//
// What a provider cannot take is rewritten, and each rewriting is a diagnostic at its place: a warning where the model is
// told less, or otherwise; an info where nothing of value is lost. Calls are checked against the full schema all the same.
package export
