// Program gosec is github.com/securego/gosec as an analysis alone. Its own program brings the libraries of three providers of models, to
// have faults mended by them, and takes three times as long to build.
package main

import (
	"github.com/securego/gosec/v2/goanalysis"
	"golang.org/x/tools/go/analysis/singlechecker"
)

func main() { singlechecker.Main(goanalysis.Analyzer) }
