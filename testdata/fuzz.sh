#!/usr/bin/env bash
# Runs every fuzz target for the given time, one after the other.
set -euo pipefail
cd "$(dirname "$0")/.."
for pkg in $(go list ./...); do
  for target in $(go test -list '^Fuzz' "$pkg" | grep '^Fuzz' || true); do
    echo "== $pkg $target"
    go test -run '^$' -fuzz "^$target\$" -fuzztime "${1:-30s}" "$pkg"
  done
done
