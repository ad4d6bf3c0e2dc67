#!/usr/bin/env bash
# with_display.sh PROGRAM...: runs it with a virtual display of its own. Exit code 77, a skip, where there is no Xvfb.
set -u
if ! command -v Xvfb >/dev/null; then
  echo "skipped: Xvfb is not installed (package xvfb)"
  exit 77
fi
folder=$(mktemp -d)
trap 'kill "$server" 2>/dev/null; rm -rf "$folder"' EXIT
# The server picks a free display itself and writes its number.
Xvfb -displayfd 3 -screen 0 1280x1100x24 -nolisten tcp -noreset 3>"$folder/display" 2>/dev/null &
server=$!
for _ in {1..600}; do
  [ ! -s "$folder/display" ] || break
  sleep 0.05
done
DISPLAY=:$(cat "$folder/display") "$@"
