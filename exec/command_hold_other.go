//go:build !linux

package exec

import (
	"errors"
	"log/slog"
	"sync"
)

// errSpoiled is never met here.
var errSpoiled = errors.New("the hold is spoiled")

// ways are none but the group.
type ways struct{}

func (ways) open(HoldWay, *slog.Logger, *sync.RWMutex) Holding {
	return Holding{Way: HoldGroup, Why: "this system has nothing better"}
}
func (ways) take() hold        { return groupHold{} }
func (ways) takeLasting() hold { return groupHold{} }
func (ways) close()            {}
