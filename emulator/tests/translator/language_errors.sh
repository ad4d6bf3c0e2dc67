#!/usr/bin/env bash
# language_errors.sh CU2CPP COMPILER "INCLUDE;INCLUDE;...": what nvcc refuses gives one sentence with the line of the .cu: launches with
# wrong arguments, a __shared__ variable that does not fit, a static one whose first value is known only when the kernel runs.
set -euo pipefail
cu2cpp=$1 compiler=$2
IFS=';' read -ra includes <<<"$3"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

expect() { # LAUNCH [SENTENCE [ERRORS]]: it is in line 4
  local sentence=${2:-the kernel cannot be launched with these arguments}
  printf '%s\n' '__global__ void k(int* out, float x) { *out = x; }' 'template <class T> __global__ void t(T* a, T b) { *a = b; }' \
    'int main() { int* out = nullptr;' "$1" '}' >"$folder/program.cu"
  if ! "$cu2cpp" "$folder/program.cu" "$folder/program.cpp" --include-dir "$folder" 2>"$folder/said"; then
    true
  elif "$compiler" -std=c++20 -fsyntax-only "${includes[@]/#/-I}" -include cuda_runtime.h "$folder/program.cpp" 2>"$folder/said"; then
    echo "FAIL: $1 compiles"
    exit 1
  fi
  grep -q "$sentence" "$folder/said" || { echo "FAIL: no sentence for $1"; cat "$folder/said"; exit 1; }
  grep -q "program.cu:4:" "$folder/said" || { echo "FAIL: no line for $1"; cat "$folder/said"; exit 1; }
  [ "$(grep -c ' error: ' "$folder/said")" = "${3:-1}" ] || { echo "FAIL: more than one error for $1"; cat "$folder/said"; exit 1; }
  [ "$(wc -l <"$folder/said")" -le 15 ] || { echo "FAIL: many lines for $1"; cat "$folder/said"; exit 1; }
}

expect 'k<<<1, 1>>>(out);' 'kernel k(int\* out, float x) takes 2 arguments, not 1'
expect 'k<<<1, 1>>>(out, 1.0f, 2);' 'kernel k(int\* out, float x) takes 2 arguments, not 3'
expect 'k<<<1, 1>>>(1.0f, out);'
expect 'k<<<1, 1>>>();' 'kernel k(int\* out, float x) takes 2 arguments, not 0'
expect 'k<<<1, 1, 0, 0, 0>>>(out, 1.0f);' 'one to four values between <<< and >>>, not 5'
expect 't<<<1, 1>>>(out, "text");'
expect '(void)0; } __global__ void s() { __shared__ int a[12289];' 'a __shared__ variable is larger than the 48 KiB that a block has'
expect '(void)0; } __global__ void s(int n) { static int a = n;' '.a. does not have a constant initializer' 2
echo "PASS language_errors"
