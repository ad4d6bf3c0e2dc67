#!/usr/bin/env bash
# check_memory.sh PROGRAM SOURCE.cu: is of each mistake said what the source promises (// says: ...), and of the right programs
# nothing?
set -euo pipefail
right=$("$1" right 2>&1) ||
  { echo "the right ones fail: $right" && exit 1; }
wrong=$("$1" 2>&1 || true)
grep -q 'explain: no races' <<<"$right" || { echo "no report of the right ones: $right" && exit 1; }
if grep -E '^ +[0-9]+\. .*(out of bounds|never written|misaligned|too early|race|the host.s (object|memory)): |which nobody wrote; what the host gets in|here\[.*nobody wrote|no thread has read or written|has set each byte|are normalized|count texels|is never read|not put back|measures nothing|most lanes store|were never written|with a sizeof|writes over bytes|counts bytes|halves blockDim|fails: |of each further|variable of its own|brings bytes|gets its own value|steps of their own|adds once more|between the rows' <<<"$right"; then
  echo "said of right ones" && exit 1
fi
missing=0 count=0
while read -r sentence; do
  count=$((count + 1))
  grep -Eq -- "$sentence" <<<"$wrong" || { echo "not said: $sentence" && missing=1; }
done < <(sed -n 's|^// says: ||p' "$2")
[ $missing = 0 ] && [ $count -ge 10 ] || { echo "$wrong" && exit 1; }
