package main

import (
	"context"
	"html"
	"regexp"
	"strings"
)

type pageInput struct {
	HTML string `json:"html" jsonschema:"the page as it was fetched"`
}

var (
	pageHidden = regexp.MustCompile(`(?is)<!--.*?-->|<(script|style|noscript|template|svg|head)\b.*?</(script|style|noscript|template|svg|head)\s*>`)
	pageBreaks = regexp.MustCompile(`(?i)</?(p|div|br|li|ul|ol|tr|table|h[1-6]|section|article|header|footer|pre|blockquote|dt|dd|hr)\b[^>]*>`)
	pageTags   = regexp.MustCompile(`(?s)<[!/a-zA-Z][^>]*>`)
	pageTitle  = regexp.MustCompile(`(?is)<title[^>]*>(.*?)</title>`)
)

// pageText is the text of a web page: its title, then what stands between the tags, one block a line.
func pageText(_ context.Context, in pageInput) (string, error) {
	title := ""
	if m := pageTitle.FindStringSubmatch(in.HTML); m != nil {
		title = strings.Join(strings.Fields(html.UnescapeString(m[1])), " ")
	}
	text := pageHidden.ReplaceAllString(in.HTML, " ")
	text = pageBreaks.ReplaceAllString(text, "\n")
	text = html.UnescapeString(pageTags.ReplaceAllString(text, ""))
	var lines []string
	if title != "" {
		lines = append(lines, "# "+title)
	}
	for line := range strings.Lines(text) {
		if line = strings.Join(strings.Fields(line), " "); line != "" {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "\n"), nil
}
