# anatomy.sh PROJECT: the samples and the rungs of the ladders have the form that readers rely on.
#   - the first comment has at most 15 lines, the first kernel begins before line 50, a file has about 200 lines
#   - the README of a folder begins with a map: a table, before line 20, and names every file of the folder
#   - no header or rung includes a ladder that is not its own, but for what stands below
set -u
cd "$1" || exit 1
bad=0
say() { echo "$*"; bad=1; }

count=0
for file in chapter*/*.cu chapter*/*/*.cu* cs418_assignment2/*/*.cu* cs418_assignment2/device/*; do
  count=$((count + 1))
  # Lines of the comment that begins in the first or, after #pragma once, the second line.
  comment=$(awk 'NR == 1 && /^#pragma once/ { next } /^\/\// { n++; next } { exit } END { print n + 0 }' "$file")
  [ "$comment" -gt 0 ] || say "$file: begins without a comment"
  [ "$comment" -le 15 ] || say "$file: its first comment has $comment lines, more than 15"
  case $file in */circle_renderer/[67]_* | */warp_tile.cuh) continue ;; esac # one idea each, read from top to bottom
  kernel=$(grep -n __global__ "$file" | head -1 | cut -d: -f1)
  [ "${kernel:-1}" -lt 50 ] || say "$file: its first kernel begins in line $kernel, not before line 50"
  lines=$(wc -l <"$file")
  [ "$lines" -le 220 ] || say "$file: $lines lines, more than about 200"
done
[ "$count" -gt 60 ] || say "only $count files found below $1"

for readme in chapter*/README.md chapter*/*/README.md cs418_assignment2/*/README.md common/README.md; do
  map=$(grep -n '^|' "$readme" | head -1 | cut -d: -f1)
  [ "${map:-99}" -lt 20 ] || say "$readme: its map of the files does not stand at its beginning"
  for file in "${readme%README.md}"*.cu* "${readme%README.md}"*.h; do
    [ -e "$file" ] || continue
    name=${file##*/}
    grep -q "${name%.*}" "$readme" || say "$readme: does not name $name"
  done
done

# Only find_repeats' first rung uses the best scan, as one would a library's. device/ knows none of the ladders.
cd cs418_assignment2 || exit 1
grep -nE '#include .*find_repeats/' scan/* && say "scan/ includes find_repeats/"
grep -nE '#include .*(scan|find_repeats|saxpy|circle_renderer)/' device/* && say "device/ includes a ladder"
exit $bad
