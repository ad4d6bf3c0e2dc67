#!/usr/bin/env bash
# hunt.sh FIRST LAST [KERNELS]: for each seed a program of random kernels on the emulated device, compiled at -O0 and -O3
# by $CXX (g++); says which kernels do not always give the same result. Needs build/emulator (the README's commands make it).
set -euo pipefail
[ $# -ge 2 ] || { sed -n '2,3s/^# //p' "$0"; exit 2; }
here=$(dirname "$(readlink -f "$0")")
emulator=$(readlink -f "$here/../..")
build=${BUILD:-$emulator/../build/emulator}  # of the device alone
includes=$(printf -- "-I %s " "$emulator"/include "$emulator"/packs/*/include "$build/include")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
status=0
for seed in $(seq "$1" "$2"); do
  "$here/generate.py" "$seed" "${3:-16}" >"$work/$seed.cu"
  "$build/cu2cpp" "$work/$seed.cu" "$work/$seed.cpp" --include-dir "$work" --depfile "$work/d"
  for level in O0 O3; do
    "${CXX:-g++}" -std=c++20 -$level -ffp-contract=off -w -D__CUDACC__ -D__CUDA_ARCH__=900 $includes \
      -include cuda_runtime.h "$work/$seed.cpp" "$build/libemulated_device.a" -pthread -ldl -o "$work/program"
    for order in in-order reversed shuffled:3 shuffled:4; do
      EMULATED_ORDER=$order EMULATED_THREADS=3 timeout 120 "$work/program" >"$work/$level.$order" || echo "exit code $?"
      diff "$work/O0.in-order" "$work/$level.$order" || { echo "seed $seed: -$level, $order"; status=1; }
    done
  done
done
exit $status
