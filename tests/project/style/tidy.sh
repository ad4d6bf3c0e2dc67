# tidy.sh CLANG_TIDY CONFIG SOURCE... -- COMPILER_FLAGS...: clang-tidy finds nothing in the SOURCEs.
#
# Most of clang-tidy's time goes into the headers of the standard library, which each source has again. So several
# sources are analyzed as one, put one after the other: a tenth of the time. Names of one file that mean something else
# in another (in unnamed namespaces, too) make an error of that; then the sources are analyzed one by one.
set -u
tidy=$1 config=$2
shift 2
sources=()
while [ "$1" != -- ]; do
  sources+=("$1")
  shift
done
shift
[ -x "$tidy" ] || { echo "clang-tidy is not installed (package clang-tidy-16)"; exit 77; }
# Older ones do not know std::source_location, newer ones have other checks.
"$tidy" --version | grep -q 'version 16\.' || { echo "clang-tidy 16 is needed, this is: $("$tidy" --version)"; exit 77; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
flags=(-x c++ "$@")
for place in $(for source in "${sources[@]}"; do dirname "$source"; done | sort -u); do flags+=(-iquote "$place"); done
check() { "$tidy" --quiet --config-file="$config" "$1" -- "${flags[@]}" 2>/dev/null; }

all=$folder/all.cpp
for source in "${sources[@]}"; do
  echo "# 1 \"$source\""
  cat "$source"
done >"$all"
check "$all" >"$folder/found"
status=$?
if grep -q 'clang-diagnostic-error' "$folder/found" && [ ${#sources[@]} -gt 1 ]; then
  grep 'clang-diagnostic-error' "$folder/found" | sed 's/.*error: /together the sources do not compile: /'
  status=0
  for source in "${sources[@]}"; do check "$source" || status=1; done
else
  # Lines of the whole to lines of the sources.
  awk -v all="$all" '
    FNR == NR { if ($0 ~ /^# 1 "/) { source = substr($0, 6, length($0) - 6); begin = FNR } name[FNR] = source; line[FNR] = FNR - begin; next }
    index($0, all ":") == 1 { rest = substr($0, length(all) + 2); number = rest + 0; sub(/^[0-9]+/, "", rest); $0 = name[number] ":" line[number] rest }
    { print }' "$all" "$folder/found"
fi
exit $status
