# tidy.sh CLANG_TIDY BUILD SOURCE: clang-tidy finds nothing in SOURCE.
set -u
tidy=$1 build=$2 source=$3
[ -x "$tidy" ] || { echo "clang-tidy is not installed (package clang-tidy-16)"; exit 77; }
# Older ones do not know std::source_location, newer ones have other checks.
"$tidy" --version | grep -q 'version 16\.' || { echo "clang-tidy 16 is needed, this is: $("$tidy" --version)"; exit 77; }
# The compile commands are g++'s: leave out what clang does not know.
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
sed -E 's/ [^ ]*-mtune-ctrl=[^ ]*//g' "$build/compile_commands.json" >"$folder/compile_commands.json"
"$tidy" -p "$folder" --quiet --extra-arg=-Wno-unknown-warning-option "$source" 2>/dev/null
