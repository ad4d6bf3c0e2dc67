#!/usr/bin/env bash
# compare.sh RECORDED PROGRAM...: do the programs print what was recorded, in every order of threads and blocks?
# Without a recorded file they are compared with their own results in the usual order.
set -euo pipefail
recorded=$1
shift
expected=$(mktemp)
trap 'rm -f "$expected"' EXIT
status=0
for order in in-order reversed shuffled:7; do
  results=$(for program in "$@"; do
    EMULATED_ORDER=$order EMULATED_THREADS=3 timeout 250 "$program" || exit
  done) || {
    status=$?
    printf '%s\n' "$results"
    exit $status
  }
  if [ ! -s "$expected" ]; then
    if [ -e "$recorded" ]; then grep -v '^#' "$recorded" >"$expected"; else printf '%s\n' "$results" >"$expected"; fi
    [ "$(wc -l <"$expected")" -gt 90 ] || { echo "only $(wc -l <"$expected") results are expected"; exit 1; }
  fi
  if ! diff <(printf '%s\n' "$results") "$expected"; then
    echo "in the order $order the kernels above (seed, kernel, threads, atomics) differ: < here, > as recorded"
    status=1
  fi
done
exit $status
