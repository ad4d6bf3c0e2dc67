#!/usr/bin/env bash
# check_races.sh PROGRAM: are all its racy kernels accused, but one at most, and no other? And do the sentences tell what
# is missing?
set -euo pipefail
out=$("$1" 2>&1)
comm -3 <(sed -n 's/^racy //p' <<<"$out" | sort -u) <(sed -n 's/.*: race: kernel \([^:]*\): .*/\1/p' <<<"$out" | sort -u) |
  awk -v count="$(grep -c '^racy ' <<<"$out")" '
    /^\t/ { print "accused without a reason:" $0; bad = 1; next }
    { print "missed: " $0; ++missed }
    END { print count " racy programs, " missed + 0 " missed"; exit bad || missed > 1 || count < 25 }'
case $1 in
*grid) said='kernel sum<.* updates .* use atomicAdd|kernel last_block<.*__threadfence\(\) is missing .* line 231|kernel chunks<.* nothing orders' ;;
*) said='kernel reduce_sequential<.*thread 32 .*thread 0 .*; __syncthreads|kernel lanes_exchange<.*; __syncwarp\(\) or' ;;
esac
tr '|' '\n' <<<"$said" | while read -r sentence; do
  grep -Eq "race: $sentence" <<<"$out" || { echo "not said: $sentence" && exit 1; }
done
