#!/usr/bin/env bash
# with.sh COMPILER [FLAG...]   the emulated device and its tests with another compiler: clang++-16 -O0
# with.sh arm64                for arm64, by a cross compiler, run by qemu-user
# with.sh threads              with ThreadSanitizer
# with.sh valgrind             run by valgrind
# Builds in build/emulator/with/NAME what needs neither pictures nor windows: the device, the tests that also run on GPUs, the
# random kernels. TESTS, a pattern, chooses among them. Needs build/emulator and googletest; for arm64
# g++-aarch64-linux-gnu and qemu-user-static.
set -euo pipefail
tests=$(dirname "$(readlink -f "$0")")
root=$(dirname "$tests")
host=$root/../build/emulator
googletest=/usr/src/googletest/googletest
orders="in-order shuffled:7"
run=()
[ $# -gt 0 ] || { sed -n '2,8s/^# //p' "$0"; exit 2; }
name=$(printf '%s' "$*" | tr -c 'a-zA-Z0-9_+.\n-' '_')
case $1 in
  arm64)
    cxx=(aarch64-linux-gnu-g++ -O2)
    run=(qemu-aarch64-static -L /usr/aarch64-linux-gnu)
    # qemu has notes on every page of the addresses that the device reserves; with fewer addresses it reserves less.
    ulimit -v $((64 << 20))
    ;;
  threads)
    cxx=(g++ -O1 -fsanitize=thread)
    # Reports with the kernel itself on top are of no interest: flags that are volatile, and memory that atomics with
    # fences protect, of which ThreadSanitizer knows nothing. The scheduler's files are never on top of those.
    mkdir -p "$host/with/threads"
    printf 'race_top:%s\n' 'emulator/tests/' 'include/emulated/atomics.h' >"$host/with/threads/suppressions"
    export TSAN_OPTIONS="suppressions=$host/with/threads/suppressions"
    ;;
  valgrind)
    cxx=(g++ -O1)
    # A stack pointer that moves by more than this is a change of stacks, not a large frame: a CUDA thread's frames have
    # 512 KiB at most, and between two stacks lie 640 (src/platform/fiber.h).
    run=(valgrind --quiet --error-exitcode=9 --max-stackframe=650000)
    orders=in-order
    ;;
  *) cxx=("$@") ;;
esac
for tool in "${cxx[0]}" ${run[0]:-true}; do
  command -v "$tool" >/dev/null || { echo "SKIP: $tool is not installed"; exit 77; }
done
[ -d $googletest ] || { echo "SKIP: $googletest is not there (package googletest)"; exit 77; }
cxx+=(-std=c++20 -g -ffp-contract=off -pthread)
case $("${cxx[0]}" --version) in
  *clang*) cxx+=(-Wno-unknown-warning-option) ;;
  *) cxx+=(-fno-isolate-erroneous-paths-dereference) ;;
esac
folder=$host/with/$name
mkdir -p "$folder"/{device,translated}
"${CMAKE:-cmake}" --build "$host" --target cu2cpp >/dev/null

compile() { # OBJECT SOURCE flags...: if the source is newer
  local object=$1 source=$2
  shift 2
  [ "$object" -nt "$source" ] || "${CCACHE[@]}" "${cxx[@]}" "$@" -c "$source" -o "$object"
}
two_at_a_time() { # waits until at most one background job runs
  [ "$(jobs -r | wc -l)" -lt 2 ] || wait -n || true
}
CCACHE=()
! command -v ccache >/dev/null || CCACHE=(ccache)
# The device is always recompiled (by ccache, where it is): its headers may have changed.
rm -f "$folder"/device/*.o
includes=(-I "$host/include")
for place in "$root"/include "$root"/packs/*/include; do includes+=(-I "$place"); done
for source in "$root"/{src/*,packs/*/src}/*.cpp; do
  compile "$folder/device/$(basename "$source" .cpp).o" "$source" -Wall -Wextra -Wno-unknown-pragmas -Wno-restrict \
    "${includes[@]}" -I "$root/src" &
  two_at_a_time
done
wait
compile "$folder/gtest.o" $googletest/src/gtest-all.cc -w -I $googletest -I $googletest/include

cuda() { # NAME SOURCE: a program from a .cu file
  local translated=$folder/translated/$1
  mkdir -p "$translated" &&
    "$host/cu2cpp" "$2" "$translated/$1.cpp" --include-dir "$translated" --depfile "$translated/$1.d" \
      "--search-dir=$(dirname "$2")" &&
    "${CCACHE[@]}" "${cxx[@]}" -w -D__CUDACC__ -D__NVCC__ -D__CUDA_ARCH__=900 -fsanitize=float-cast-overflow \
      -fsanitize-recover=float-cast-overflow "${includes[@]}" -iquote "$(dirname "$2")" \
      -include cuda_runtime.h -I $googletest/include -c "$translated/$1.cpp" -o "$folder/$1.o" &&
    "${cxx[@]}" "$folder/$1.o" "$folder"/device/*.o "$folder/gtest.o" -ldl -o "$folder/$1"
}
judge() { # NAME COMMAND...: says how it went; notes a failure in $folder/failed
  local name=$1 code=0
  shift
  SECONDS=0
  "$@" >"$folder/$name.log" 2>&1 || code=$?
  if [ $code -eq 0 ]; then
    echo "PASS $name, $SECONDS s: $(grep -hE '^\[  (PASSED|SKIPPED)' "$folder/$name.log" | head -2 | tr '\n' ' ')"
  else
    echo "FAIL $name (exit code $code), $folder/$name.log:"
    grep -E '^\[  FAILED|Failure|SUMMARY|^[<>]' "$folder/$name.log" | head -20 || tail -5 "$folder/$name.log"
    echo "$name" >>"$folder/failed"
  fi
}
test_program() { # NAME SOURCE
  local order
  cuda "$1" "$2" || { echo "FAIL $1 does not compile" | tee -a "$folder/failed"; return 0; }
  for order in $orders; do
    EMULATED_ORDER=$order EMULATED_THREADS=3 judge "$1.${order%:*}" timeout 900 "${run[@]}" "$folder/$1"
  done
}
test_random_kernels() { # SEED KERNELS
  python3 "$tests/random_kernels/generate.py" "$1" "$2" >"$folder/random_$1.cu"
  cuda "random_$1" "$folder/random_$1.cu" || { echo "FAIL random_$1 does not compile" | tee -a "$folder/failed"; return 0; }
  judge "random_kernels_$1" bash "$tests/random_kernels/compare.sh" "$tests/random_kernels/h200.txt" \
    "$folder/random_$1" "${run[@]}"
}
wanted() { [[ $1 =~ ${TESTS:-.} ]]; }

rm -f "$folder/failed"
for source in "$tests"/semantics/*.cu; do
  name=$(basename "$source" .cu)
  wanted "$name" || continue
  two_at_a_time
  test_program "$name" "$source" &
done
while read -r seed kernels; do
  wanted "random_kernels_$seed" || continue
  two_at_a_time
  test_random_kernels "$seed" "$kernels" </dev/null &
done <"$tests/random_kernels/programs.txt"
wait
[ ! -e "$folder/failed" ]
