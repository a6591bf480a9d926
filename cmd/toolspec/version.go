package main

import (
	"encoding/json"
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

func versionCommand(std stdio, _ *place) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:     "version",
		Short:   "Print the version of this program",
		Example: "  toolspec version",
		Args:    cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			if asJSON {
				return failed(json.NewEncoder(std.out).Encode(map[string]string{"version": version(), "go": runtime.Version(), "platform": platform()}))
			}
			_, err := fmt.Fprintf(std.out, "toolspec %s (%s, %s)\n", version(), runtime.Version(), platform())
			return failed(err)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

func platform() string { return runtime.GOOS + "/" + runtime.GOARCH }

// version is the module's version as the build recorded it, with the commit where there is no release.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" {
		return "(devel)"
	}
	return info.Main.Version
}
