#!/usr/bin/env bash
# check_moments.sh PROGRAM: gets SIGTERM at each of its numbered moments, one in each run. No run hangs: each ends by that signal,
# with a report, or with the sentence that there is none. How many there are differs by a few: the last ones may not come, the
# first one of each kind does.
set -uo pipefail
if [ $# = 3 ]; then
  said=$(timeout -s KILL 60 "$1" "$2" "$3" 2>&1)
  code=$?
  [ "$3" != 1 ] && [ $code = 0 ] && grep -qx 'no such moment' <<<"$said" && exit
  [ $code = 143 ] || { echo "$2 $3: exit code $code: $said" && exit 1; }
  grep -Eq '^explain: (no races|[0-9]+ race|no kernel ran|the program was ended before)' <<<"$said" ||
    { echo "$2 $3: no report: $said" && exit 1; }
  exit 0
fi
counts=$("$1" none 0 2>/dev/null | grep -E '^(hook|lock|launch|grid) [0-9]+$') || exit 1
moments=$(while read -r kind count; do seq -f "$kind %.0f" "$count"; done <<<"$counts")
out=$(xargs -P 4 -L 1 bash "$0" "$1" <<<"$moments") || { echo "$out" && exit 1; }
echo "$counts"
for kind in hook lock launch grid; do grep -q "^$kind [1-9]" <<<"$counts" || { echo "no $kind" && exit 1; }; done
[ "$(wc -l <<<"$moments")" -ge 50 ]
