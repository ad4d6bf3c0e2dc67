# contributing.sh PROJECT [CMAKE LAUNCHER]: what CONTRIBUTING.md names for a new sample and a new rung is all that the
# project's checks require, and all else follows from it: both are added to a copy. With CMAKE the copy is built for the
# emulated device (LAUNCHER: in front of the compiler, such as ccache), and the sample and the rung run, in a debugger's build.
# The same with an exercise, and ./run grade --exercises with some solutions of it.
set -euo pipefail
project=$1 cmake=${2:-} launcher=${3:-}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
for part in "$project"/* "$project"/.github; do
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

# An exercise: its folder (exercises/README.md).
mine=exercises/04_9_mine
cp -r exercises/04_1_add $mine
mv $mine/add.cu $mine/mine.cu
sed -i 's/exercise add/exercise mine/; s/run("add"/run("mine"/; s/FAIL add/FAIL mine/' $mine/*
check
finds '^  chapter 4  mine  *not tried  *c = a + b' "./run try" ./run try

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
finds '^  Test .*: exercises.mine$' "the list of tests" "${cmake%cmake}ctest" --test-dir $build -N
$cmake --build $build --target exercise_mine >out 2>&1 || { cat out; exit 1; }
finds '^PASS mine: ' "the exercise's solutions" $build/tests/exercises/exercise_mine right
# A class of three has solved it, one with a mistake, and one without an end.
mkdir -p class/ada class/bob class/eve
cp $mine/right.cu class/ada
cp $build/tests/exercises/mine/wrong_guard.cu class/bob
sed 's/if (i < n)/for (;;)/' $mine/right.cu >class/eve/mine.cu
ln -s debug build/emulated
code=0
GRADE_SECONDS=5 ./run grade --exercises class --csv class.csv --jobs 3 >table 2>out || code=$?
[ $code = 1 ] || { cat table out; echo "./run grade --exercises: exit code $code"; exit 1; }
for row in 'ada  *mine  *PASS  *- ' 'bob  *mine  *FAIL  *out of bounds ' 'eve  *mine  *no end  *- ' '1 of 3 pass'; do
  grep -q "^$row" table || { cat table out; echo "./run grade --exercises: no '$row'"; exit 1; }
done
