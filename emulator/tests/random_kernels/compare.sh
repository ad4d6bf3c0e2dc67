#!/usr/bin/env bash
# compare.sh RECORDED PROGRAM [RUNNER...]: does the program (one of random kernels) print what was recorded for its seed, in
# every order of threads and blocks? Without a recorded file it is compared with its own results in the usual order.
# RUNNER: what runs it, such as qemu or valgrind with options.
set -euo pipefail
recorded=$1 program=$2
shift 2
expected=$(mktemp)
trap 'rm -f "$expected"' EXIT
status=0
for order in in-order reversed shuffled:7; do
  results=$(EMULATED_ORDER=$order EMULATED_THREADS=3 timeout 600 "$@" "$program") || {
    status=$?
    printf '%s\n' "$results"
    exit $status
  }
  if [ ! -s "$expected" ]; then
    seed=${results%% *}
    if [ -e "$recorded" ]; then grep "^$seed " "$recorded" >"$expected"; else printf '%s\n' "$results" >"$expected"; fi
    [ "$(wc -l <"$expected")" -ge 20 ] || { echo "only $(wc -l <"$expected") results are expected"; exit 1; }
  fi
  if ! diff <(printf '%s\n' "$results") "$expected"; then
    echo "in the order $order the kernels above (seed, kernel, threads, atomics) differ: < here, > as recorded"
    status=1
  fi
done
exit $status
