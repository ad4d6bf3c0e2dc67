#!/usr/bin/env bash
# anatomy.sh FOLDER: the sources of saxpy, scan and find_repeats have the form that readers rely on.
#   - the first comment has at most 15 lines, the first kernel begins before line 50, a file has about 200 lines
#   - scan knows nothing of find_repeats, and device/ knows none of the ladders
set -u
cd "$1" || exit 1
bad=0
say() { echo "$*"; bad=1; }

count=0
for file in saxpy/*.cu* scan/*.cu* find_repeats/*.cu* device/*; do
  count=$((count + 1))
  # Lines of the comment that begins in the first or, after #pragma once, the second line.
  comment=$(awk 'NR == 1 && /^#pragma once/ { next } /^\/\// { n++; next } { exit } END { print n + 0 }' "$file")
  [ "$comment" -gt 0 ] || say "$file: begins without a comment"
  [ "$comment" -le 15 ] || say "$file: its first comment has $comment lines, more than 15"
  kernel=$(grep -n __global__ "$file" | head -1 | cut -d: -f1)
  [ "${kernel:-1}" -lt 50 ] || say "$file: its first kernel begins in line $kernel, not before line 50"
  lines=$(wc -l <"$file")
  [ "$lines" -le 220 ] || say "$file: $lines lines, more than about 200"
done
[ "$count" -gt 20 ] || say "only $count files found below $1"

# The drivers that run the other test's program may name it; nobody includes it.
grep -nE '#include .*find_repeats/' scan/* && say "scan/ includes find_repeats/"
grep -nE '#include .*(scan|find_repeats|saxpy|circle_renderer)/' device/* && say "device/ includes a ladder"
exit $bad
