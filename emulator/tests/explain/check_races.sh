#!/usr/bin/env bash
# check_races.sh PROGRAM: are all its racy kernels accused, but one at most, and no other?
set -euo pipefail
out=$("$1" 2>&1)
comm -3 <(sed -n 's/^racy //p' <<<"$out" | sort -u) <(sed -n 's/.*: race: kernel \([^:]*\): .*/\1/p' <<<"$out" | sort -u) |
  awk -v count="$(grep -c '^racy ' <<<"$out")" '
    /^\t/ { print "accused without a reason:" $0; bad = 1; next }
    { print "missed: " $0; ++missed }
    END { print count " racy programs, " missed + 0 " missed"; exit bad || missed > 1 || count < 25 }'
