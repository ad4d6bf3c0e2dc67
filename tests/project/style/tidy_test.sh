# tidy_test.sh CLANG_TIDY CONFIG: tidy.sh finds what is wrong in each of several sources, and names its line.
set -u
tidy=$1 config=$2 script=$(dirname "$(readlink -f "$0")")/tidy.sh
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/common"
cd "$folder/common" || exit 1
failed=0
finds() { # EXIT_CODE PATTERN SOURCE...
  local code=$1 pattern=$2
  shift 2
  bash "$script" "$tidy" "$config" "$@" -- -std=c++20 >../out
  local got=$?
  [ $got != 77 ] || { cat ../out; exit 77; }
  [ $got = "$code" ] && { [ -z "$pattern" ] || grep -Eq "$pattern" ../out; } && return
  echo "$*: exit code $got, expected $code, and '$pattern' in:"
  cat ../out
  failed=1
}
printf 'namespace {\nint twice(int x) { return 2 * x; }\n}\nint first(int x) { return twice(x); }\n' >good.cpp
printf '// A comment.\n\nint* second() { return 0; }\n' >bad.cpp
printf '#pragma once\ninline int* fourth() { return 0; }\n' >bad.h
printf '#include "bad.h"\nint* fifth() { return fourth(); }\n' >user.cpp
printf 'namespace {\nlong twice(int x) { return 2 * x; }\n}\nlong third(int x) { return twice(x); }\n' >other.cpp

finds 0 '' "$PWD/good.cpp"
finds 1 '/common/bad.cpp:3:24: error: use nullptr' "$PWD/good.cpp" "$PWD/bad.cpp"
finds 1 '/common/bad.cpp:3:24: error: use nullptr' "$PWD/bad.cpp" "$PWD/good.cpp"
finds 1 '/common/bad.h:2:31: error: use nullptr' "$PWD/good.cpp" "$PWD/user.cpp"
# good.cpp and other.cpp do not compile as one: they are looked at one by one.
finds 0 'together the sources do not compile' "$PWD/good.cpp" "$PWD/other.cpp"
finds 1 '/common/bad.cpp:3:24: error: use nullptr' "$PWD/good.cpp" "$PWD/other.cpp" "$PWD/bad.cpp"
exit $failed
