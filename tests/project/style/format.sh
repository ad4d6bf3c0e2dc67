# format.sh CLANG_FORMAT LIST: every file of LIST is formatted as .clang-format says.
set -u
format=$1 list=$2
[ -x "$format" ] || { echo "clang-format is not installed (package clang-format)"; exit 77; }
# Releases format differently; the project is formatted with Debian 12's.
"$format" --version | grep -q 'version 14\.' || { echo "clang-format 14 is needed, this is: $("$format" --version)"; exit 77; }
xargs -a "$list" "$format" --dry-run -Werror
