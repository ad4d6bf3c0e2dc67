# run_script.sh PROJECT: PROJECT/run and its scripts, copied beside a project with one small program, so that this takes
# seconds. apt's programs are stand-ins: nothing is installed.
set -u
project=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
unset DEVICE SANITIZE CMAKE_GENERATOR
mkdir "$folder/project" "$folder/programs"
cd "$folder/project" || exit 1
cp -r "$project/run" "$project/scripts" .
printf '%s\n' '# comment' 'hello | chapter01 | still | - | | says hello' 'heat | chapter01 | still | - | | another' >samples.txt
cat >CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.22)
project(small LANGUAGES CXX)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
file(GLOB sources CONFIGURE_DEPENDS *.cpp)  # as the real one has: cmake then looks for new files at every build
add_executable(hello ${sources})
END
cat >CMakePresets.json <<'END'
{ "version": 3, "configurePresets": [
  { "name": "emulated", "generator": "Ninja", "binaryDir": "${sourceDir}/build/emulated" } ] }
END
printf '#include <cstdio>\nint main(int n, char**) { std::printf("hello %%d\\n", n); }\n' >hello.cpp
printf '#!/bin/sh\necho installed\n' >"$folder/programs/dpkg-query"
printf '#!/bin/sh\necho "apt-get was called" >&2\nexit 1\n' >"$folder/programs/apt-get"
chmod +x "$folder/programs/"*
export DEVICE=emulated
real_path=$PATH
PATH=$folder/programs:$PATH
failed=0

# try CODE arguments...: runs ./run, its words to `said`, the program's to `printed`.
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
# A new file is found, and counted as work.
sed -i 's/^int main/int more(int); int main/; s/, n)/, more(n))/' hello.cpp
echo 'int more(int n) { return n + 40; }' >more.cpp
try 0 hello
[ "$printed" = "hello 41" ] || { echo "with a new file the program printed '$printed'"; failed=1; }
says "building hello"
# A mistake: the compiler's words, and where the rest is.
cp hello.cpp right.txt
echo 'int main() { return forgotten; }' >hello.cpp
try 1 hello
says "error.*forgotten"
says "the whole log is"
cp right.txt hello.cpp

try 2 helo
says "did you mean hello?"
try 2 zzzzzz
silent_about "did you mean"
says "./run --list"
try 0 --list
[ "$(head -n 1 <<<"$printed" | tr -s ' ')" = "hello says hello" ] || { echo "the list: $printed"; failed=1; }
try 2 --nonsense
says "unknown option"

# Packages that are missing: apt is asked when we may; without the right to, the command is shown, and a way without.
printf '#!/bin/sh\ncase "$*" in *libpng-dev*) exit 1 ;; esac\necho installed\n' >"$folder/programs/dpkg-query"
try 1 hello
says "installing with apt-get: libpng-dev"
says "apt-get was called"
says "could not install"
printf '#!/bin/sh\n[ "$*" = -u ] && echo 1000\n' >"$folder/programs/id"
printf '#!/bin/sh\nexit 1\n' >"$folder/programs/sudo"
chmod +x "$folder/programs/"*
try 1 hello
says "sudo apt-get install libpng-dev"
says "conda install"
says "DWINDOW=off"
silent_about "apt-get was called"

# A system without apt and without a compiler: what the packages are called elsewhere.
mkdir "$folder/elsewhere"
for tool in bash sh env dirname readlink basename sed awk grep cat cut id mktemp rm mkdir flock; do
  ln -s "$(PATH=$real_path command -v $tool)" "$folder/elsewhere/$tool"
done
PATH=$folder/elsewhere
try 1 hello
PATH=$real_path
for word in "sudo dnf install" "sudo pacman -S" "conda install" "cmake -B build -DDEVICE=emulated"; do says "$word"; done
exit $failed
