#!/usr/bin/env bash
# check_races.sh PROGRAM SOURCE.cu: are all racy kernels of the source accused, but one at most, and no right one? And do the
# sentences tell what is missing?
set -euo pipefail
right=$("$1" right 2>&1) out=$("$1" 2>&1)
grep -q 'explain: no races' <<<"$right" || { grep 'race: ' <<<"$right" && exit 1; }
programs=$(sed -nE 's/^__global__ void (\w+)\(Data d,.*/\1/p' "$2" | sort)
missed=$(comm -23 - <(sed -n 's/.*: race: kernel \([^:]*\): .*/\1/p' <<<"$out" | sort -u) <<<"$programs")
echo "$(wc -l <<<"$programs") racy programs, missed: ${missed:-none}"
[ "$(wc -l <<<"$programs")" -ge 25 ] && [ "$(wc -w <<<"$missed")" -le 1 ]
case $1 in
*grid) said='kernel sum: .* updates .* use atomicAdd|kernel last_block: .*__threadfence\(\) is missing .* line 205|kernel chunks: .* nothing orders' ;;
*) said='kernel reduce_sequential: .*thread 32 .*thread 0 .*; __syncthreads|kernel lanes_exchange: .*; __syncwarp\(\) or' ;;
esac
tr '|' '\n' <<<"$said" | while read -r sentence; do
  grep -Eq "race: $sentence" <<<"$out" || { echo "not said: $sentence" && exit 1; }
done
