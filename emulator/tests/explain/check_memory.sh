#!/usr/bin/env bash
# check_memory.sh PROGRAM SOURCE.cu: is of each mistake said what the source promises (// says: ...), and of the right programs
# nothing?
set -euo pipefail
right=$("$1" right 2>&1) ||
  { echo "the right ones fail: $right" && exit 1; }
wrong=$("$1" 2>&1 || true)
# A report does not depend on where memory lies, but for the addresses that it gives.
again=$("$1" 2>&1 || true)
diff <(sed 's/0x[0-9a-f]*//g' <<<"$wrong") <(sed 's/0x[0-9a-f]*//g' <<<"$again")
grep -q 'explain: no races' <<<"$right" || { echo "no report of the right ones: $right" && exit 1; }
# No finding and no note of a right program, but for those that the source names (// right: ...).
noted=$(sed -n '/^explain: \(what is wrong\|notes\)$/,/^$/{/^ /p}' <<<"$right" |
  grep -Evf <(sed -n 's|^// right: ||p; $a ^$' "$2") || true)
[ -z "$noted" ] || { echo "said of right ones: $noted" && exit 1; }
missing=0 count=0
while read -r sentence; do
  count=$((count + 1))
  grep -Eq -- "$sentence" <<<"$wrong" || { echo "not said: $sentence" && missing=1; }
done < <(sed -n 's|^// says: ||p' "$2")
[ $missing = 0 ] && [ $count -ge 5 ] || { echo "$wrong" && exit 1; }
