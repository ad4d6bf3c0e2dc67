#!/usr/bin/env bash
# language_errors.sh CU2CPP COMPILER INCLUDE: launches with wrong arguments give one sentence with the line of the .cu.
set -euo pipefail
cu2cpp=$1 compiler=$2 include=$3
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

expect() { # LAUNCH: it stands in line 4
  printf '%s\n' '__global__ void k(int* out, float x) { *out = x; }' 'template <class T> __global__ void t(T* a, T b) { *a = b; }' \
    'int main() { int* out = nullptr;' "$1" '}' >"$folder/program.cu"
  "$cu2cpp" "$folder/program.cu" "$folder/program.cpp" --include-dir "$folder"
  if "$compiler" -std=c++20 -fsyntax-only -I "$include" -include cuda_runtime.h "$folder/program.cpp" 2>"$folder/said"; then
    echo "FAIL: $1 compiles"
    exit 1
  fi
  grep -q 'the kernel cannot be launched with these arguments' "$folder/said" || { echo "FAIL: no sentence for $1"; cat "$folder/said"; exit 1; }
  grep -q "program.cu:4:" "$folder/said" || { echo "FAIL: no line for $1"; cat "$folder/said"; exit 1; }
  [ "$(grep -c ' error: ' "$folder/said")" = 1 ] || { echo "FAIL: more than one error for $1"; cat "$folder/said"; exit 1; }
  [ "$(wc -l <"$folder/said")" -le 12 ] || { echo "FAIL: many lines for $1"; cat "$folder/said"; exit 1; }
}

expect 'k<<<1, 1>>>(out);'
expect 'k<<<1, 1>>>(out, 1.0f, 2);'
expect 'k<<<1, 1>>>(1.0f, out);'
expect 'k<<<1, 1>>>();'
expect 't<<<1, 1>>>(out, "text");'
echo "PASS language_errors"
