# contributing.sh PROJECT [CMAKE LAUNCHER]: what CONTRIBUTING.md names for a new sample and a new rung is all that the
# project's checks require, and all else follows from it: both are added to a copy. With CMAKE the copy is built for the
# emulated device (LAUNCHER: in front of the compiler, such as ccache), and the sample and the rung run, in a debugger's build.
set -euo pipefail
project=$1 cmake=${2:-} launcher=${3:-}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
for part in "$project"/*; do
  case $part in */build*) ;; *) cp -r "$part" . ;; esac
done
check() {
  bash tests/project/samples/readme_lists_all.sh . || exit 1
  bash tests/project/gallery/complete.sh . >/dev/null || exit 1
  for script in style/includes docs/terms docs/links; do python3 -B tests/project/$script.py . >out || { cat out; exit 1; }; done
}
must_fail() { if (check) >/dev/null 2>&1; then echo "no check misses $1"; exit 1; fi; }
finds() { # PATTERN WHERE COMMAND...
  local pattern=$1 where=$2
  shift 2
  "$@" >out 2>&1 || { cat out; echo "$where: $* failed"; exit 1; }
  grep -q -e "$pattern" out || { cat out; echo "$where: no '$pattern'"; exit 1; }
}
debug() { # FILE ARGUMENTS...: what an editor builds of the file, and runs
  bash tools/debug.sh "$1" >log 2>&1 || { tail -n 30 log; return 1; }
  build/debug/program "${@:2}"
}

# A sample.
chapter=chapter06_constant_memory
sed 's#"../../common/#"../common/#; s/template/my_sample/g; 1s/ - .*/ - my rings./' docs/template/template.cu >$chapter/my_sample.cu
must_fail "the line in CMakeLists.txt"
echo 'add_sample(my_sample STILL EXACT)' >>$chapter/CMakeLists.txt
cp docs/gallery/ray.png docs/gallery/my_sample.png
must_fail "the README's table"
tools/samples_table.py --write >out
must_fail "the line for a picture"
echo 'still | my_sample.png | my_sample --size 384' >>docs/gallery/pictures.txt
glossary=../docs/glossary.md
echo "| \`my_sample\` | [kernel]($glossary#kernel), [grid]($glossary#grid), [block]($glossary#block), [thread]($glossary#thread) |" \
  >>$chapter/README.md
check
finds '^my_sample  *my rings$' "./run --list" ./run --list
finds '^| \[`my_sample.cu`\](my_sample.cu) | my rings | <img ' "the chapter's table" cat $chapter/README.md

# A rung.
ladder=cs418_assignment2/saxpy
sed 's/simple/mine/g; 2s/ - .*/ - my way./' $ladder/1_simple.cuh >$ladder/3_mine.cuh
must_fail "the README's table of rungs"
tools/samples_table.py --write >out
sed -i 's/^#include "2_vector.cuh"/&\n#include "3_mine.cuh"/; s/^ *{"simple", .*/&\n    {"mine", [] { return run_mine; }},/' $ladder/saxpy.cu
check
finds '^| \[`3_mine.cuh`\](3_mine.cuh) | my way |$' "the README's table" cat $ladder/README.md
finds 'saxpy --method mine' "what ncu measures" python3 -B benchmarks/ncu_rungs.py build/gpu . --list

[ -n "$cmake" ] || exit 0
# As an editor builds them for the debugger.
export CMAKE_CXX_COMPILER_LAUNCHER=$launcher
finds '^my_sample - my rings\.$' "--help" debug $chapter/my_sample.cu --help
finds '^ *mine  *my way$' "--method" debug $ladder/3_mine.cuh --help
echo '#include <cstdio>
int main() { std::puts("my own"); }' >own.cu
finds '^my own$' "one's own file" debug own.cu
build=build/debug
$cmake -DBUILD_TESTING=ON $build >out 2>&1 || { cat out; exit 1; }
finds '3_mine.cuh' "the header with all ladders" cat $build/tests/project/ladders/all_ladders.h
for test in my_sample.check.size17.shuffled my_sample.corrupted my_sample.help saxpy.check.mine; do
  finds '100% tests passed' "the tests" "${cmake%cmake}ctest" --test-dir $build --no-tests=error -R "^$test\$"
done
