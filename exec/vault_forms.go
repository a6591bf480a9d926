package exec

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"html"
	"net/url"
	"strconv"
	"strings"
	"unicode/utf16"
)

// WrittenForms are the ways in which programs and services write a text back: as it is, encoded for a URL, in base64, escaped in JSON or
// HTML, in hexadecimal digits. Some may be the same, or as short as nothing.
func WrittenForms(text string) []string {
	forms := []string{text, url.QueryEscape(text), url.PathEscape(text), encodeValue(text), cleanText([]byte(text))}
	for _, f := range forms[1:4] {
		forms = append(forms, lowerEscapes(f))
	}
	quoted := strconv.Quote(text)
	escaped, _ := json.Marshal(text)
	compact := compactJSON(text)
	forms = append(forms, quoted[1:len(quoted)-1], string(escaped[1:len(escaped)-1]), compact[1:len(compact)-1])
	inHex := hex.EncodeToString([]byte(text))
	forms = append(append(forms, inHex, strings.ToUpper(inHex)), base64Forms(text)...)
	if !strings.ContainsFunc(text, mayBeEscaped) {
		return forms // as most tokens
	}
	return append(append(append(forms, htmlForms(text)...), jsonForms(text)...), urlForms(text)...)
}

// lowerEscapes writes %2F as %2f.
func lowerEscapes(text string) string {
	b := []byte(text)
	for i := 0; i+2 < len(b); i++ {
		if b[i] == '%' {
			copy(b[i+1:i+3], strings.ToLower(text[i+1:i+3]))
		}
	}
	return string(b)
}

// base64Forms are what a text becomes in base64, wherever it stands in what was encoded: of each way it can fall on groups of three
// bytes, the characters that depend on nothing around it.
func base64Forms(text string) []string {
	var forms []string
	for _, encoding := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
		for before := range 3 {
			encoded := encoding.EncodeToString([]byte(strings.Repeat("\x00", before) + text))
			first, end := (before*8+5)/6, (before+len(text))*8/6
			forms = append(forms, encoded[first:end])
		}
	}
	return forms
}

func mayBeEscaped(c rune) bool {
	return !('0' <= c && c <= '9' || 'A' <= c && c <= 'Z' || 'a' <= c && c <= 'z' || strings.ContainsRune("-_.", c))
}

// urlForms are a text encoded for a URL as the libraries of other languages do it: they differ in which characters stay as they are.
func urlForms(text string) []string {
	const marks = "-_.~!$&'()*+,;=:@"
	var forms []string
	for _, f := range []struct{ stay, space string }{
		{"-_.~/", "%20"}, {"-_.~", "%20"}, {"-_.", "+"}, {"-_.*", "+"}, // Python, Ruby and PHP, PHP of old, Java
		{"-_.~!*'()", "%20"}, {"-_.~!*'();,/?:@&=+$#", "%20"}, // JavaScript
		{marks, "%20"}, {marks + "/", "%20"}, {marks + "/%[]|", "%20"}, {"-_.~!$&()*+,;=:@/?%[]|\\^`{}", "%20"}, // paths and queries, by RFC 3986 and as browsers have them
	} {
		var b strings.Builder
		for _, c := range []byte(text) {
			switch {
			case c == ' ':
				b.WriteString(f.space)
			case c < 0x80 && (c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' || strings.IndexByte(f.stay, c) >= 0):
				b.WriteByte(c)
			default:
				fmt.Fprintf(&b, "%%%02X", c)
			}
		}
		forms = append(forms, b.String(), lowerEscapes(b.String()))
	}
	return forms
}

// htmlForms are a text escaped for HTML or XML as libraries do it: with quotes as they are, by name or by number.
func htmlForms(text string) []string {
	forms := []string{html.EscapeString(text)}
	for _, quotes := range [][2]string{{`"`, `'`}, {"&quot;", "'"}, {"&quot;", "&#39;"}, {"&quot;", "&#039;"}, {"&quot;", "&#x27;"}, {"&quot;", "&apos;"}} {
		forms = append(forms, strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, quotes[0], "'", quotes[1]).Replace(text))
	}
	return forms
}

// jsonForms are a text escaped for JSON as the libraries of other languages do it: what is not ASCII by number or not, a slash behind a
// backslash, what means something to HTML by number.
func jsonForms(text string) []string {
	var forms []string
	for _, digits := range []string{`\u%04x`, `\u%04X`} {
		for _, marks := range []string{"", "<>&", "<>&'", "<>&'=", "<>&'+`\""} {
			for _, ascii := range []bool{true, false} {
				escaped := escapeJSON(text, digits, marks, ascii)
				forms = append(forms, escaped, strings.ReplaceAll(escaped, "/", `\/`))
			}
		}
	}
	return forms
}

// escapeJSON escapes what must be, the marks, and, if the text is to be ASCII, what is not.
func escapeJSON(text, digits, marks string, ascii bool) string {
	short := map[rune]string{'"': `\"`, '\\': `\\`, '\b': `\b`, '\f': `\f`, '\n': `\n`, '\r': `\r`, '\t': `\t`}
	var b strings.Builder
	for _, c := range text {
		switch s, isShort := short[c]; {
		case strings.ContainsRune(marks, c), c < ' ' && !isShort, ascii && c > '~' && c <= 0xffff:
			fmt.Fprintf(&b, digits, c)
		case isShort:
			b.WriteString(s)
		case ascii && c > 0xffff:
			high, low := utf16.EncodeRune(c)
			fmt.Fprintf(&b, digits+digits, high, low)
		default:
			b.WriteRune(c)
		}
	}
	return b.String()
}
