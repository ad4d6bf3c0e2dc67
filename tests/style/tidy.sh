# tidy.sh CLANG_TIDY BUILD SOURCE: clang-tidy finds nothing in SOURCE.
set -u
tidy=$1 build=$2 source=$3
[ -x "$tidy" ] || { echo "clang-tidy is not installed (package clang-tidy)"; exit 77; }
"$tidy" --version | grep -q 'version 14\.' || { echo "clang-tidy 14 is needed, this is: $("$tidy" --version)"; exit 77; }
"$tidy" -p "$build" --quiet "$source" 2>/dev/null
