#!/usr/bin/env bash
# run_lines.sh FOLDER BIN: runs every "./run saxpy|scan|find_repeats ..." line of the sources and READMEs in FOLDER as it
# is written there, but with the built programs in BIN, and with small arrays (-n 5000), so that it takes seconds.
set -u
folder=$1 bin=$2
out=$(mktemp)
trap 'rm -f "$out"' EXIT
bad=0 count=0
while IFS= read -r line; do
  read -ra words <<<"${line#./run }"
  count=$((count + 1))
  [ -x "$bin/${words[0]}" ] || { echo "SKIP: ${words[0]} is not built"; exit 77; }
  small=() sized=0 next=0
  for word in "${words[@]:1}"; do
    [ $next = 1 ] && word=5000 next=0
    [ "$word" = -n ] && sized=1 next=1
    small+=("$word")
  done
  [ $sized = 1 ] || small+=(-n 5000)
  timeout 60 "$bin/${words[0]}" "${small[@]}" >"$out" 2>&1
  code=$?
  if [ $code -ne 0 ] && { [ $code -ne 77 ] || ! grep -q 'gpu' "$out"; }; then
    echo "exit code $code: $line"
    cat "$out"
    bad=1
  fi
done < <(cat "$folder"/README.md "$folder"/{saxpy,scan,find_repeats}/{*.cu,*.cuh,README.md} |
  # The line's end, or two spaces and an explanation, end the command.
  sed -nE 's/^(\/\/|>)? +(\.\/run (saxpy|scan|find_repeats)( [^ ]+)*)(  .*)?$/\2/p' | sort -u)
[ $count -ge 10 ] || { echo "only $count run lines found"; bad=1; }
exit $bad
