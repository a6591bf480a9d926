package mcpserver

import (
	"context"
	"log/slog"
)

// warnings passes on what matters of the SDK's log: it has three lines for every request without a session.
type warnings struct{ slog.Handler }

// Enabled is true from [slog.LevelWarn] on.
func (w warnings) Enabled(ctx context.Context, level slog.Level) bool {
	return level >= slog.LevelWarn && w.Handler.Enabled(ctx, level)
}
