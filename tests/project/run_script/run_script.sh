# run_script.sh PROJECT: PROJECT/run and its scripts, copied beside a project with one small program, so that this takes
# seconds. apt's programs are stand-ins: nothing is installed.
set -u
project=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
unset DEVICE SANITIZE CMAKE_GENERATOR
mkdir "$folder/project" "$folder/programs"
cd "$folder/project" || exit 1
cp -r "$project/run" "$project/scripts" "$project/cmake/Listing.cmake" .
mkdir chapter01 chapter01/heat
printf '%s\n' '# comment' 'add_sample(hello STILL)' 'add_sample(heat ANIMATION' '  CHECK_ARGS --frames 2)' >chapter01/CMakeLists.txt
echo '// hello - says hello.' >chapter01/hello.cu
echo '// heat - another.' >chapter01/heat/heat.cu
cat >CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.22)
project(small LANGUAGES CXX)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
file(GLOB sources CONFIGURE_DEPENDS *.cpp)  # as the real one has: cmake then looks for new files at every build
add_executable(hello ${sources})
set(EMULATED ON)
add_library(emulated_program INTERFACE)
set_target_properties(emulated_program PROPERTIES EMULATED_WARNINGS "-Wuninitialized;-Wunused-variable")
function(add_cuda_program target)  # stands in for the real one: a .cu file is plain C++ here
  cmake_parse_arguments(PARSE_ARGV 1 arg "STRICT_CONSTEXPR" "STANDARD" "")
  foreach(source IN LISTS arg_UNPARSED_ARGUMENTS)
    if(source MATCHES "\\.cu$")
      set_source_files_properties("${source}" PROPERTIES LANGUAGE CXX)
    endif()
  endforeach()
  add_executable(${target} ${arg_UNPARSED_ARGUMENTS})
  target_compile_definitions(${target} PRIVATE NDEBUG STANDARD=${arg_STANDARD} $<$<BOOL:${arg_STRICT_CONSTEXPR}>:STRICT>)
  set_target_properties(${target} PROPERTIES CXX_STANDARD ${arg_STANDARD})
  add_custom_command(TARGET ${target} PRE_LINK COMMAND ${CMAKE_COMMAND} -E echo "main.cu:1: warning: said by cu2cpp" VERBATIM)
endfunction()
include(Listing.cmake)
END
cat >CMakePresets.json <<'END'
{ "version": 3, "configurePresets": [
  { "name": "emulated", "generator": "Ninja", "binaryDir": "${sourceDir}/build/emulated" } ] }
END
printf '#include <cstdio>\nint main(int n, char**) { std::printf("hello %%d\\n", n); }\n' >hello.cpp
printf '#!/bin/sh\nfor word; do printf "installed %%s " "$word"; done\n' >"$folder/programs/dpkg-query"
printf '#!/bin/sh\necho "apt-get was called" >&2\nexit 1\n' >"$folder/programs/apt-get"
chmod +x "$folder/programs/"*
export DEVICE=emulated
real_path=$PATH
PATH=$folder/programs:$PATH
failed=0

# try CODE arguments...: runs ./run, its messages to `said`, the program's output to `printed`.
try() {
  local expected=$1 code
  shift
  printed=$(./run "$@" 2>"$folder/said" </dev/null)
  code=$?
  said=$(cat "$folder/said")
  [ $code = "$expected" ] && return
  echo "run $*: exit code $code, expected $expected"
  echo "$said"
  failed=1
}
says() { grep -q -e "$1" <<<"$said" || { echo "run does not say '$1', but:"; echo "$said"; failed=1; }; }
silent_about() { ! grep -q -e "$1" <<<"$said" || { echo "run says '$1' without a reason:"; echo "$said"; failed=1; }; }

try 0 hello one two
[ "$printed" = "hello 3" ] || { echo "the program printed '$printed'"; failed=1; }
says "using the emulated device (asked for)"
says "configuring build/emulated"
says "building hello in build/emulated (2 steps)"
# The second time there is nothing to do, and nothing is said about it.
try 0 hello
silent_about configuring
silent_about building
# A sample's own file stands for the sample.
try 0 chapter01/hello.cu one two
[ "$printed" = "hello 3" ] || { echo "with its own file the sample printed '$printed'"; failed=1; }
silent_about building
silent_about waiting
# Two at a time: the second says that it waits.
(flock 8 && touch "$folder/at_work" && sleep 1) 8>build/.lock &
until [ -e "$folder/at_work" ]; do sleep 0.05; done
try 0 hello
says "waiting: another ./run or ./run_tests is building"
wait
# A new file is found, and counted as work.
sed -i 's/^int main/int more(int); int main/; s/, n)/, more(n))/' hello.cpp
echo 'int more(int n) { return n + 40; }' >more.cpp
try 0 hello
[ "$printed" = "hello 41" ] || { echo "with a new file the program printed '$printed'"; failed=1; }
says "building hello"
# A new sample: the next build looks for it.
sed -i 's/^add_executable(hello .*/file(STRINGS chapter01\/CMakeLists.txt names REGEX "^add_sample")\nset_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS chapter01\/CMakeLists.txt)\n&\nif("${names}" MATCHES "newer")\n  add_executable(newer ${sources})\nendif()/' CMakeLists.txt
try 0 hello
echo 'add_sample(newer)' >>chapter01/CMakeLists.txt
echo '// newer - says hello, too.' >chapter01/newer.cu
try 0 newer
[ "$printed" = "hello 41" ] || { echo "a new sample printed '$printed'"; failed=1; }
# Again at each save of a source in the sample's folder (watch_test.py tests the rest).
env --default-signal=INT ./run --watch newer one >"$folder/watched" 2>"$folder/said" </dev/null &
watch=$!
until_saved() { for _ in $(seq 300); do [ "$(grep -c "waiting for the next save" "$folder/said")" -ge "$1" ] && return; sleep 0.05; done; }
until_saved 1
echo '// newer - says hello once more.' >chapter01/newer.cu
until_saved 2
kill -INT $watch
wait $watch
code=$?
echo '// newer - says hello, too.' >chapter01/newer.cu
[ $code = 130 ] && [ "$(cat "$folder/watched")" = $'hello 42\nhello 42' ] || { echo "run --watch printed:"; cat "$folder/watched" "$folder/said"; failed=1; }
try 2 --watch
says "needs the name of a sample"
try 2 --watch nothing_like_it
says "there is no sample named"
try 2 --watch none.cu
says "there is no file"
try 2 --watch grade scan
says "needs the name of a sample"
# A mistake: the compiler's words, and where the rest is.
cp hello.cpp right.txt
echo 'int main() { return forgotten; }' >hello.cpp
try 1 hello
says "error.*forgotten"
says "the whole log is"
cp right.txt hello.cpp

# Programs of one's own, from anywhere: one file, several in any of the three languages, options after them.
mkdir "$folder/mine"
cat >"$folder/mine/main.cu" <<'END'
#include <cstdio>
#include "parts.h"
int main(int n, char**) {
#ifdef NDEBUG
  std::puts("assertions do not count");
#endif
  std::printf("%d in C++%d with %d options\n", from_cpp(from_c(1)), STANDARD, n - 1);
}
END
echo 'extern "C" int from_c(int); int from_cpp(int);' >"$folder/mine/parts.h"
printf '#include "parts.h"\nint from_cpp(int x) { return 10 * x; }\n' >"$folder/mine/two.cpp"
echo 'int from_c(int x) { return x + 1; }' >"$folder/mine/three.c"
mine=("$folder/mine/main.cu" "$folder/mine/two.cpp" "$folder/mine/three.c")
try 0 "${mine[@]}" --one two
[ "$printed" = "20 in C++17 with 2 options" ] || { echo "several files printed '$printed'"; failed=1; }
says "building main in"
try 0 "${mine[@]}"
silent_about building
STANDARD=20 try 0 "${mine[@]}"
[ "$printed" = "20 in C++20 with 0 options" ] || { echo "as C++20 several files printed '$printed'"; failed=1; }
# What a compiler takes stands among the files; after them, and after --, everything is the program's.
mkdir "$folder/mine/include"
sed -i 's/#include "parts.h"/#include <ten.h>\n&/; s/n - 1/n - TEN + ONE - NINE + 9/' "$folder/mine/main.cu"
echo '#define TEN 10' >"$folder/mine/include/ten.h"
try 0 "${mine[0]}" -I "$folder/mine/include" -DONE=1 -D NINE "${mine[@]:1}" -- -D -I nowhere
[ "$printed" = "20 in C++17 with 3 options" ] || { echo "with -I and -D the program printed '$printed'"; failed=1; }
silent_about "handed to the program"
try 2 "${mine[@]}" -I "$folder/nowhere"
says "there is no folder"
# The options that nvcc knows, wherever they precede the program's; after those one line reports what the program got.
sed -i 's/ONE - NINE/ONE - (NINE + sizeof(int) - 4)/; 1i #ifndef _OPENMP\n#error no OpenMP\n#endif' "$folder/mine/main.cu"
try 0 "${mine[@]}" -O3 -DTEN=10 -I "$folder/mine/include" -arch=sm_90 -DONE=1 -lineinfo -Xcompiler -Wall,-fopenmp -D NINE=1 -D "SPACE=1 + 1" -fopenmp -L "$folder/mine" -l m -lcublas one
[ "$printed" = "20 in C++17 with 1 options" ] || { echo "with options of nvcc the program printed '$printed'"; failed=1; }
silent_about "handed to the program"
try 0 "${mine[@]}" --define-macro ONE=1 --define-macro=NINE=1 --include-path "$folder/mine/include" -Xcompiler -fopenmp --ptxas-options=-v -diag-suppress 177 --resource-usage
[ "$printed" = "20 in C++17 with 0 options" ] || { echo "with long options of nvcc the program printed '$printed'"; failed=1; }
silent_about "handed to the program"
for option in "-Xcompiler -Wall" -fopenmp "-o prog" -ffast-math -UONE "-include cstdio" --compiler-options=-Wall -std=c++20 -O3; do
  try 0 "${mine[@]}" -fopenmp -DONE=1 -DNINE=1 -I "$folder/mine/include" 7 $option
  says "handed to the program: 7 $option (put a compiler's options before the program's own)"
done
try 0 "${mine[@]}" -fopenmp -DONE=1 -DNINE=1 -I "$folder/mine/include" 7 --size 9 -n 3 --output a.png -x
silent_about "handed to the program"
try 0 "${mine[@]}" -fopenmp -DONE=1 -DNINE=1 -I "$folder/mine/include" -- 7 -o a.png
silent_about "handed to the program"
try 0 "${mine[@]}" -fopenmp -DONE=1 -DNINE=1 -I "$folder/mine/include" 7 -DFOUR=4
says "handed to the program: 7 -DFOUR=4"
[ "$printed" = "20 in C++17 with 2 options" ] || { echo "with -D as its own option the program printed '$printed'"; failed=1; }
# As nvcc without its option, unless it is given: constexpr functions of the host in kernels.
printf '#include <cstdio>\nint main() {\n#ifdef STRICT\n  std::puts("strict");\n#endif\n}\n' >"$folder/mine/alone.cu"
try 0 "$folder/mine/alone.cu"
[ "$printed" = strict ] || { echo "without an option the program printed '$printed'"; failed=1; }
try 0 "$folder/mine/alone.cu" --expt-relaxed-constexpr
[ "$printed" = "" ] || { echo "with --expt-relaxed-constexpr the program printed '$printed'"; failed=1; }
# Another file, and what the translator warns of; a part that is missing; a file that is.
echo 'int main() { return 0; }' >"$folder/mine/alone.cu"
try 0 "$folder/mine/alone.cu"
says "^main.cu:1: warning: said by cu2cpp"
# The compiler's warnings about mistakes, each as one sentence, once; no others.
echo 'int main() { int n; int unused = n; return 0; }' >"$folder/mine/alone.cu"
try 0 "$folder/mine/alone.cu"
says "alone.cu:1:[0-9]*: warning: .n. is used uninitialized$"
silent_about "unused\|int main"
[ "$(grep -c warning <<<"$said")" = 2 ] || { echo "run repeats warnings: $said"; failed=1; }
# Each time, though nothing is compiled again.
try 0 "$folder/mine/alone.cu"
says "alone.cu:1:[0-9]*: warning: .n. is used uninitialized$"
# A mistake that the device's headers find comes first, with its place in the program: the column of the launch, which g++
# has seen translated.
mkdir emulator
echo 'template <class T> struct Launcher { static_assert(sizeof(T) == 0, "not with these arguments"); };' >emulator/launch.h
printf '#include "%s/emulator/launch.h"\nint main() {\n  Launcher<int> a; // for k<1><<<1, 1>>>(a)\n}\n' "$PWD" >"$folder/mine/alone.cu"
try 1 "$folder/mine/alone.cu"
says "alone.cu:3:27: error: not with these arguments$"
[[ "$(grep -m 1 'not with' <<<"$said")" = *alone.cu* ]] || { echo "run does not say it first: $said"; failed=1; }
silent_about "In instantiation of\|static assertion failed"
says "the whole log is"
try 1 --verbose "$folder/mine/alone.cu"
says "alone.cu:3:27: error: not with these arguments$"
says "In instantiation of"
says "static assertion failed"
echo 'int another() { return forgotten; }' >>"$folder/mine/alone.cu"  # a mistake beside it is said, too
try 1 "$folder/mine/alone.cu"
says "error: not with these arguments$"
says "error.*forgotten"
silent_about "In instantiation of\|static assertion failed"
# What g++ notes at the device's headers is not said: the line of the program is.
for type in int long; do echo "inline void atomicMax($type*, $type) {}"; done >emulator/launch.h
printf '#include "%s/emulator/launch.h"\nint main() {\n  float a = 0;\n  atomicMax(&a, a);\n}\n' "$PWD" >"$folder/mine/alone.cu"
try 1 "$folder/mine/alone.cu"
says "alone.cu:4:[0-9]*: error: no matching function"
says "CUDA has no atomicMax() for float. A loop around atomicCAS()"
silent_about "launch.h"
mkdir -p exercises/b_1_two  # a file that says so is compiled with the check of an exercise
echo '// exercise two - two.' >exercises/b_1_two/two.cu
echo 'int two(); int main() { return two() != 2; }' >exercises/b_1_two/check.cu
printf '// exercise two - two.\nint two() { return 2; }\n' >"$folder/mine/filled.cu"
try 0 "$folder/mine/filled.cu"
printf '// exercise two - two.\nint three() { return 2; }\n' >"$folder/mine/filled.cu"
try 1 "$folder/mine/filled.cu"
says "the check calls two(), which the file must define"
printf '// exercise two - two.\nint two() { return 2; }\nint main() {}\n' >"$folder/mine/filled.cu"
try 1 "$folder/mine/filled.cu"
says "the check of an exercise has the main(). Remove yours"
echo 'int from_c(int); int main() { return from_c(1); }' >"$folder/mine/half.cu"
try 1 "$folder/mine/half.cu"
says "from_c is declared but not defined. Add the file that defines it"
silent_about "ninja\|FAILED\|-o \|collect2"
echo 'int from_c(int x) { return x; }' >"$folder/mine/half.cu"
try 1 "$folder/mine/half.cu"
[[ "$(grep -m 1 'main' <<<"$said")" = *"no file has a main()"* ]] || { echo "run does not say it first: $said"; failed=1; }
silent_about "undefined reference"
# OpenMP: its header or its option is missing.
echo 'int main() { return omp_get_max_threads(); }' >"$folder/mine/half.cu"
try 1 "$folder/mine/half.cu"
says "omp_get_max_threads belongs to OpenMP: #include <omp.h>, and ./run FILE.cu -fopenmp"
printf '#include <omp.h>\nint main() { return omp_get_thread_num(); }\n' >"$folder/mine/half.cu"
try 1 "$folder/mine/half.cu"
says "omp_get_thread_num belongs to OpenMP: ./run FILE.cu -fopenmp"
try 0 "$folder/mine/half.cu" -Xcompiler=-fopenmp
# A header that is not there; one of a later standard.
echo '#include "cudnn_of_others.h"' >"$folder/mine/half.cu"
try 1 "$folder/mine/half.cu"
says "cudnn_of_others.h is missing. Copy it next to the program, or name its folder with -I FOLDER"
silent_about "ninja\|FAILED\|-o "
printf '%s\n' '#include <span>' 'int main() { return static_cast<int>(std::span<int>().size()); }' >"$folder/mine/half.cu"
STANDARD=17 try 1 "$folder/mine/half.cu"
says "this is C++20, and nvcc defaults to C++17. Run STANDARD=20 ./run FILE.cu"
try 2 "$folder/mine/alone.cu" "$folder/mine/none.cpp"
says "there is no file"
try 2 "$folder/mine/alone"
says "did you mean $folder/mine/alone.cu?"

# A program of one's own has the name of its file, for its messages and pictures.
printf '#include <cstdio>\nint main(int, char** words) { std::puts(words[0]); }\n' >"$folder/mine/own_name.cu"
try 0 "$folder/mine/own_name.cu"
[ "$printed" = own_name ] || { echo "own_name.cu is called $printed"; failed=1; }

# After a failure the last line is the command that tells more, as it was typed; after nothing else.
cat >"$folder/mine/ends.cu" <<'END'
#include <csignal>
#include <cstdlib>
#include <unistd.h>
volatile std::sig_atomic_t caught = 0;
int main(int n, char** words) {
  if (n < 2) {
    std::signal(SIGTERM, [](int number) { caught = number; });
    std::signal(SIGINT, [](int number) { caught = number; });
    if (write(1, "waits\n", 6) != 6) return 2;
    while (caught == 0) usleep(1000);
    usleep(100000);
    return 40 + caught;
  }
  const int end = std::atoi(words[1]);
  if (end < 0) raise(-end);
  return end;
}
END
cp "$folder/mine/ends.cu" "$folder/mine/it's two.cu"
points_on() { # CODE [argument...]: ends.cu with these arguments ends with CODE, and its last line points on
  try "$1" "$folder/mine/ends.cu" "${@:2}"
  [ "$(tail -n 1 <<<"$said")" = "To learn why: ./run --explain $folder/mine/ends.cu ${*:2}" ] ||
    { echo "after ${*:2} the last line is: $(tail -n 1 <<<"$said")"; failed=1; }
}
points_on 1 1 -n 5,6
points_on 255 255
points_on 190 702 # cudaErrorLaunchTimeout, which main() returns
points_on 96 96
for signal in 4 6 7 8 11; do points_on $((128 + signal)) -$signal; done
for code in 0 2 3 77; do
  try $code "$folder/mine/ends.cu" $code
  silent_about "To learn why"
done
for signal in 1 2 9 13 15; do
  try $((128 + signal)) "$folder/mine/ends.cu" -$signal
  silent_about "To learn why"
done
EMULATED_ORDER=reversed STANDARD=20 try 1 "$folder/mine/it's two.cu" 1 'a b'
says "To learn why: STANDARD=20 EMULATED_ORDER=reversed ./run --explain '[^ ]*/it'\"'\"'s two.cu' 1 'a b'\$"
# A sample under --explain computes little, unless an option says how much. On a GPU the line is another one.
python3 - <<'END' || failed=1
import sys
sys.path.insert(0, "scripts")
import run, samples
for name, kind, words, expected in (
        ("heat", "animation", "", "--size 128 --headless --frames 1"),
        ("heat", "animation", "--headless", "--size 128 --headless --frames 1"),
        ("heat", "animation", "--check --output a.png", "--size 128 --headless --check --output a.png --frames 1"),
        ("heat", "animation", "--size 64", "--size 64"),
        ("heat", "animation", "--headless --frames 2", "--headless --frames 2"),
        ("scan", "numeric", "--method naive", "--method naive -n 10000"),
        ("scan", "numeric", "-n 7", "-n 7")):
    got = " ".join(run.little(samples.Sample(name, "", kind, "", "", ""), words.split()))
    if got != expected:
        sys.exit(f"{name} {words} becomes '{got}' under --explain, not '{expected}'")
line = run.tell_more("gpu", "./run --explain x.cu")
if line != "To learn why, on the emulated device: DEVICE=emulated ./run --explain x.cu\n":
    sys.exit("on a GPU the line is another one: " + line)
END
# Signals reach the program, from the terminal (the whole group) and from kill (./run alone), and ./run waits for its end.
for how in "-INT -" "-TERM " "-TERM -" "-INT "; do
  mkfifo "$folder/line"
  setsid env --default-signal=INT ./run "$folder/mine/ends.cu" >"$folder/line" 2>/dev/null </dev/null &
  read -r _ <"$folder/line"
  kill ${how% *} -- "${how#* }$!"
  wait $!
  code=$?
  [ $code = 42 ] || [ $code = 55 ] || { echo "kill $how ends ./run with $code"; failed=1; }
  rm "$folder/line"
done
# Standard input is the program's, and may be closed.
printf '#include <cstdio>\nint main() { return std::getchar() == EOF ? 3 : 0; }\n' >"$folder/mine/reads.cu"
try 3 "$folder/mine/reads.cu"
echo x | ./run "$folder/mine/reads.cu" 2>/dev/null || { echo "the program does not get standard input"; failed=1; }
./run "$folder/mine/reads.cu" 2>/dev/null <&-
[ $? = 3 ] || { echo "with standard input closed the program does not run"; failed=1; }

# What is not there, and what was meant: WORDS | the end of the sentence.
mkdir "$folder/my files"
cp "$folder/mine/alone.cu" "$folder/my files/alone too.cu"
mkdir "$folder/folder.cu" "$folder/other"
cp "$folder/mine/alone.cu" "$folder/other"
cp "$folder/mine/alone.cu" "$folder/a;b.cu"
cp "$folder/mine/alone.cu" "$folder/C#.cu"
while IFS='|' read -r words sentence; do
  read -ra typed <<<"$words"
  try 2 "${typed[@]}"
  says "^run: .*${sentence# }$"
  [ ${#said} -le 300 ] || { echo "run $words takes more than 300 characters to refuse"; failed=1; }
done <<END
helo | there is no sample named 'helo'; did you mean hello? ./run --list shows them all
heatt | did you mean heat? ./run --list shows them all
haet | did you mean heat? ./run --list shows them all
HEAT | did you mean heat? ./run --list shows them all
hea.cu | there is no file 'hea.cu'
heat.cu | there is no file 'heat.cu'; did you mean the sample heat?
help | did you mean ./run --help? ./run --list shows them all
list | did you mean ./run --list? ./run --list shows them all
–list | did you mean ./run --list? ./run --list shows them all
test | did you mean ./run_tests? ./run --list shows them all
$folder/my files/alone too.cu | there is a space in that path; put quotes around it
$folder/folder.cu | '$folder/folder.cu' is not a file
$folder/a;b.cu | [#] [|] [$]{ in its name: '$folder/a;b.cu'
$folder/C#.cu | [#] [|] [$]{ in its name: '$folder/C#.cu'
$folder/mine/alone.cu $folder/other/alone.cu | two of the files are called 'alone.cu'; give one of them another name
$folder/mine/alone.cu -D A;B | -D takes no ; or #
heat --explain | --explain comes before the name: ./run --explain heat
hello --watch x | --watch comes before the name: ./run --watch hello
$folder/mine/alone.cu --explain | --explain comes before the name: ./run --explain $folder/mine/alone.cu
--explain --step heat | --step and --explain exclude each other
--step try | --step needs the name of a sample or a .cu file after it
--step heat --block 1,x | --block needs the block's x,y,z, as in --block 1,0,0, not '1,x'
--step --block 1,0,0 --wrong heatt | did you mean heat? ./run --list shows them all
--step heat --at | --at needs a value after it
--explain=$folder/none/x.html heat | --explain=$folder/none/x.html cannot be written: No such file or directory
--nonsense | there is no option '--nonsense'; ./run --help lists them all
--verbos | there is no option '--verbos'; did you mean --verbose?
--verbose | --verbose needs the name of a sample or a .cu file after it
--explian | there is no option '--explian'; did you mean --explain?
--list all | --list takes no value
--explain | --explain needs the name of a sample or a .cu file after it
END
try 2 diff heat heatt
says "^diff: there is no sample or file 'heatt'; did you mean heat?$"
try 0 --help
[ "$(wc -L <<<"$printed")" -le 100 ] || { echo "the help has lines of more than 100 columns"; failed=1; }
# An output that is closed or full; an error output that is.
for words in --list --help; do
  for to in '>&-' '>/dev/full'; do
    said=$(eval "./run $words 2>&1 $to" ) && { echo "run $words $to ends with 0"; failed=1; }
    [ "$said" = "run: cannot write to standard output" ] || { echo "run $words $to says: $said"; failed=1; }
  done
done
for to in '2>&-' '2>/dev/full'; do
  printed=$(eval "./run hello $to")
  [ "$printed" = "hello 41" ] || { echo "./run hello $to printed: $printed"; failed=1; }
done
try 2 zzzzzz
silent_about "did you mean"
says "./run --list"
try 0 --list
[ "$(tr -s ' ' <<<"$printed")" = $'hello says hello\nheat another\nnewer says hello, too' ] || { echo "the list: $printed"; failed=1; }

# Packages that are missing: apt is asked when we may. Its first error is shown, and the rest is in a file.
cat >"$folder/programs/dpkg-query" <<'END'
#!/bin/sh
for word; do case $word in -*|*' '|libpng-dev) ;; *) printf 'installed %s ' "$word" ;; esac; done
END
cat >"$folder/programs/apt-get" <<'END'
#!/bin/sh
case "$*" in *update) exit 0 ;; esac
echo "pmerror:libpng-dev:50.0:a raw line" >&3
echo "Selecting previously unselected package"
echo "dpkg: error processing archive libpng-dev.deb (--unpack):"
echo " no space left on device"
echo "E: Sub-process /usr/bin/dpkg returned an error code (1)"
exit 100
END
# Where the tests run as a user who may use sudo: the real one would leave our PATH, and call the real apt-get.
printf '#!/bin/sh\n[ "$1" != -n ] || shift\nexec "$@"\n' >"$folder/programs/sudo"
chmod +x "$folder/programs/"*
TMPDIR=$folder try 1 hello
says "installing with apt-get: libpng-dev$"
says "could not install libpng-dev. Its first error:"
says "^  dpkg: error processing archive libpng-dev.deb (--unpack):$"
says "^   no space left on device$"
says "to repair it: .*dpkg --configure -a; .*--fix-broken install"
silent_about "pmerror\|Sub-process\|Selecting"
log=$(sed -n 's/.*the whole log is //p' <<<"$said")
grep -q "Sub-process" "$log" || { echo "the log of apt-get is not whole: $log"; failed=1; }
# Without the right to, the command is shown, and a way without.
printf '#!/bin/sh\n[ "$*" = -u ] && echo 1000\n' >"$folder/programs/id"
printf '#!/bin/sh\nexit 1\n' >"$folder/programs/sudo"
chmod +x "$folder/programs/"*
try 1 hello
says "sudo apt-get install libpng-dev"
says "conda install"
says "DWINDOW=off"
silent_about "installing with apt-get"

# A system without apt and without a compiler: what the packages are called elsewhere.
mkdir "$folder/elsewhere"
for tool in bash sh env dirname readlink basename cat grep; do
  ln -s "$(PATH=$real_path command -v $tool)" "$folder/elsewhere/$tool"
done
PATH=$folder/elsewhere
try 1 hello
PATH=$real_path
for word in "sudo dnf install" "sudo pacman -S" "conda install" "cmake -B build -DDEVICE=emulated"; do says "$word"; done
exit $failed
