#!/usr/bin/env bash
# grade_files.sh NAME FILE.cu... [--csv OUT]: checks solutions of a starter (./run grade NAME FILE.cu calls this).
# Of each file the functions count, not its main: the starter's main is used. On the emulated device each check runs with
# the threads in three orders, and once more under ./run --explain, where the first mistake that it names counts as wrong.
# A file has limited time and memory, and runs in an empty folder.
set -euo pipefail
root=$(cd "$(dirname "$(readlink -f "$0")")/.." && pwd)
. "$root/scripts/tells_more.sh"
say() { printf 'grade: %s\n' "$*" >&2; }
die() {
  say "$1"
  exit 2
}
usage="usage: run grade NAME FILE.cu... [--csv OUT.csv]"

name=${1:-}
shift || true
starter=$root/starters/$name.cu
[[ $name =~ ^[a-z_]+$ ]] && [ -f "$starter" ] ||
  die "there is nothing to grade named '${name:0:40}'; there are: $(basename -s .cu "$root"/starters/*.cu | paste -sd' ')"
csv='' files=()
while [ $# -gt 0 ]; do
  case $1 in
    --csv)
      [ $# -ge 2 ] || die "$usage"
      csv=$2
      shift
      ;;
    *.cu) files+=("$1") ;;
    *) die "'${1:0:80}' is not a .cu file; $usage" ;;
  esac
  shift
done
[ ${#files[@]} -gt 0 ] || die "$usage"
for file in "${files[@]}"; do
  [ ! -d "$file" ] || die "'${file:0:200}' is a folder, not a file"
  [ -f "$file" ] || die "there is no file '${file:0:200}'"
  [ -r "$file" ] || die "you may not read '${file:0:200}'"
done
[ -z "$csv" ] || { [ -w "$(dirname "$csv")" ] && [ ! -d "$csv" ]; } || die "cannot write '${csv:0:200}'"

progress() { # on a terminal, since a file takes a minute or more
  [ ! -t 2 ] || printf '\r%s ...\033[K' "$1" >&2
}

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
seconds=${GRADE_SECONDS:-60}

# limited COMMAND...: in an empty folder, at most $seconds, files of 100 MB and, but on a GPU, whose driver reserves
# addresses for all memory there is, 16 GB of memory. Prints at most the last 4000 bytes of what it says.
limited() {
  local code=0
  rm -rf "$folder/empty"
  mkdir "$folder/empty"
  (
    cd "$folder/empty"
    ulimit -c 0 -f 100000
    [ "$device" = gpu ] || ulimit -v 16000000
    exec timeout -k 5 "$seconds" "$@"
  ) >"$folder/said" 2>&1 </dev/null || code=$?
  tail -c 4000 "$folder/said"
  return $code
}

# mistakes: runs the submission where every access is looked at; sets why to the first mistake. False: there is none, or no
# report.
mistakes() {
  local built
  built=$(BUILD_ONLY=1 timeout -k 5 300 "$root/run" --explain "$folder/submission.cu" 2>/dev/null </dev/null) || return 1
  EMULATED_GLOSSARY=docs/glossary.md limited "${built#* }/explained/listing" >/dev/null || true
  why=$(sed -n '/^explain: what is wrong$/,/^$/s/^  1\. //p' "$folder/said")
  [ -n "$why" ]
}

# check FILE: sets result (PASS, or what went wrong in two words), why (a sentence), and explains: the command that tells more.
check() {
  local answer code order
  explains=''
  # Its main gets another name; line numbers stay.
  { echo "#line 1 \"$(basename "$1")\"" && sed -E 's/\bint[[:space:]]+main[[:space:]]*\(/int main_of_the_file(/' "$1" &&
    echo && grep '^int main(' "$starter"; } >"$folder/submission.cu"
  result=PASS why=''
  progress "building $1"
  if ! answer=$(BUILD_ONLY=1 timeout -k 5 300 "$root/run" "$folder/submission.cu" 2>"$folder/said" </dev/null); then
    result="does not compile" why=$(grep -m 1 -E 'error' "$folder/said" || tail -n 1 "$folder/said")
    grep -q 'starter\.h' "$1" || why="it does not include starter.h, as the file that ./run try $name writes does"
    return
  fi
  device=${answer%% *} bin=${answer#* }/bin
  cp "${answer#* }/listing/listing" "$folder/program"
  local orders=(in-order reversed shuffled)
  [ "$device" = emulated ] || orders=(in-order)
  for order in "${orders[@]}"; do
    progress "running $1 with its threads ${order/-/ }"
    code=0
    answer=$(EMULATED_ORDER=$order limited "$folder/program") || code=$?
    why=$(grep -m 1 -E '^FAIL|error: ' <<<"$answer" || tail -n 1 <<<"$answer")
    why=${why#FAIL } why=${why//"${bin%/bin}/"/} # the compiler takes its name as one in the build folder
    [ "$order" = in-order ] || why="$why (threads ${order/-/ })"
    case $code in
      0) ;;
      1) result=FAIL ;;
      77) result="no device" ;;
      124 | 137) result="no end" why="it did not end within $seconds seconds" ;;
      *) result=crash ;;
    esac
    # An error of the device that the program did not notice, as writing beyond its own memory.
    if [ $code = 0 ] && grep -q 'error: ' <<<"$answer"; then result=FAIL; fi
    [ "$result" = PASS ] || break
  done
  if [ "$result" = PASS ] || [ "$order" = in-order ]; then order=''; fi
  explains=$(EMULATED_ORDER=$order explain_command "${RUN:-./run}" "$1")
  progress "looking for mistakes in $1"
  # A wrong result may come of one, and a right one be luck.
  local wrong=$why
  if [ "$device" = emulated ] && [[ $result =~ ^(PASS|FAIL)$ ]] && mistakes; then
    [ "$result" = PASS ] || why="$wrong; $why"
    result=FAIL
    return 0
  fi
  why=$wrong
  [ "$result" = PASS ] || return 0
  why=$(sed -n 's/^PASS //p' <<<"$answer" | head -n 1)
  if [ -z "$why" ]; then result=FAIL why="it ended without an answer"; fi
  [ "$device" = gpu ] || why+="; threads in three orders"
  ! grep -q '^explain: no races' "$folder/said" || why+=", no races"
}

# table FILE [timeout SECONDS]: the handout's table for the file that was checked last.
table() {
  local rows=()
  mkdir -p "$folder/bin"
  cp "$folder/program" "$folder/bin/cudaScan"
  cp "$folder/program" "$folder/bin/render"
  case $name:$device in
    circles:gpu) rows=(rgb rand10k rand100k pattern rand1M) ;;
    circles:*) rows=(rgb rand10k pattern) ;; # the others take hours, where every pixel looks at every circle
  esac
  if [ "$device" = gpu ]; then
    "$root/run" "$([ "$name" = circles ] && echo render || echo cudaScan)" '-?' >/dev/null || true # builds our rungs
  fi
  RUNG_BIN=$bin SUBMISSION=$1 "${@:2}" "$root/scripts/grade.sh" "$folder/bin" "$device" "$name" "${rows[@]}"
}

field() { printf '"%s"' "${1//\"/\"\"}"; } # of a table in CSV
[ -z "$csv" ] || echo 'file,result,score,message' >"$folder/csv"
all_right=yes more=''
for file in "${files[@]}"; do
  check "$file"
  [ ! -t 2 ] || printf '\r\033[K' >&2
  score=''
  if [ "$result" = PASS ] && [[ $name =~ ^(scan|find_repeats|circles)$ ]]; then
    if [ ${#files[@]} = 1 ] && [ -z "$csv" ]; then
      table "$file" || result=FAIL
    elif [ "$device" = gpu ]; then
      score=$(table "$file" timeout -k 5 $((10 * seconds)) 2>/dev/null | sed -n 's/.*Total score: *| *\([^ ]*\) .*/\1/p') ||
        result=FAIL why="not all sizes of the handout are right"
    fi
  fi
  printf '%-16s %s: %s%s\n' "$result" "$file" "$why" "${score:+ ($score points)}"
  [ -z "$csv" ] || echo "$(field "$file"),$(field "$result"),$(field "$score"),$(field "$why")" >>"$folder/csv"
  [ "$result" = PASS ] || all_right=no
  if [[ $result =~ ^(FAIL|crash|no end)$ ]]; then more=${more:-$explains}; fi
done
[ -z "$csv" ] || { cp "$folder/csv" "$csv.new" && mv "$csv.new" "$csv"; }
[ -z "$more" ] || tell_more "$device" "$more" # of the first one
[ $all_right = yes ]
