#!/usr/bin/env bash
# grade.sh BIN DEVICE scan|find_repeats|circles [ROW...] [--reference GPU] [--method NAME]: the score table of the course's
# handout, for the programs in BIN (./run grade calls this). It runs the course's own command lines, and compares with
# recorded times of the course's reference programs, benchmarks/results/course_reference_*.json.
# With RUNG_BIN the programs in BIN are one submission (grade_files.sh), the file SUBMISSION, and the reference is a rung of
# ours, measured beside it: the one that is about as fast as the course's program.
# DEVICE: gpu, or emulated: then only correctness is looked at, since its times say nothing about a GPU. With - as BIN and
# DEVICE nothing runs: what is typed wrong is refused before anything is built.
set -euo pipefail
root=$(cd "$(dirname "$(readlink -f "$0")")/.." && pwd)
results=${COURSE_REFERENCES:-$root/benchmarks/results}
usage='usage: run grade scan|find_repeats|circles [ROW...] [--reference GPU] [--method NAME]
       run grade NAME FILE.cu...'
me=grade
. "$root/scripts/samples.sh"
help() {
  cat <<END
$usage

Prints the score table of the course's handout for the programs of this collection, beside recorded times of the course's
reference programs. On the emulated device it tells only whether the results are correct.

  ROW              some rows of the table only: 1000000, rand10k, ...
  --reference GPU  whose reference times: part of a GPU's name (recorded: $(
    for file in "$results"/course_reference_*.json; do context "$file" gpu; done | paste -sd, | sed 's/,/, /g'))
                   default: this GPU's if they are recorded, else the H200's
  --method NAME    grade this rung of the ladder instead of the best one

run grade NAME FILE.cu... [--csv OUT.csv] checks your own files, filled starters of \`./run try\`, NAME one of
  $(basename -s .cu "$root"/starters/*.cu | paste -sd' ').
On the emulated device each runs with the threads in three orders, and a race counts as wrong; scan, find_repeats and
circles get the handout's table, on a GPU with points beside a rung of ours.

Exit codes: 0 all correct, 1 something is wrong, 2 wrong use, 77 this device cannot do it.
END
}
context() { sed -n "s/^  \"$2\": \"\(.*\)\",*\$/\1/p" "$1"; } # FILE KEY: what a file of times says about itself

bin=$(readlink -m "$1") device=$2
shift 2
case ${1:-} in
  scan | find_repeats) test=$1 rung=$([ "$1" = scan ] && echo sweep || echo scan) program=cudaScan all_rows=(1000000 10000000 20000000 40000000) ;;
  circles) test=$1 rung=tiles program=render all_rows=(rgb rand10k rand100k pattern snowsingle biglittle rand1M micro2M) ;;
  -h | --help) help; exit 0 ;;
  *) die "name what to grade: scan, find_repeats or circles; run grade --help tells more" 2 ;;
esac
shift

# The names in the ladder's table. An installation has no sources: there the program refuses the others.
methods() {
  local ladder=$test LC_ALL=C  # the files in the same order everywhere
  [ "$test" != circles ] || ladder=circle_renderer
  cat "$root/cs418_assignment2/$ladder/"methods*.cu 2>/dev/null | grep -oE '([({]|name = )"[a-z_0-9]+",' | cut -d'"' -f2 || true
}
did_you_mean() { # WORD NAME...
  local near
  near=$(printf '%s\n' "${@:2}" | nearest "$(shorten "$1")")
  printf '%s' "${near:+; did you mean $near?}"
}

rows=() wanted_gpu='' method=()
while [ $# -gt 0 ]; do
  case $1 in
    -h | --help) help; exit 0 ;;
    --reference | --method)
      [ $# -gt 1 ] || die "$1 needs a name after it" 2
      if [ "$1" = --reference ]; then
        wanted_gpu=$2
      else
        mapfile -t names < <(methods)
        [ ${#names[@]} -eq 0 ] || [[ " ${names[*]} " == *" $2 "* ]] ||
          die "$test has no method '$(shorten "$2")', it has ${names[*]}$(did_you_mean "$2" "${names[@]}")" 2
        method=(--method "$2")
      fi
      shift
      ;;
    -*) die "there is no option '$(shorten "$1")'$(did_you_mean "$1" --reference --method --help)" 2 ;;
    *)
      [[ " ${all_rows[*]} " == *" $1 "* ]] ||
        die "$test has no row '$(shorten "$1")', it has ${all_rows[*]}$(did_you_mean "$1" "${all_rows[@]}")" 2
      rows+=("$1")
      ;;
  esac
  shift
done
[ ${#rows[@]} -gt 0 ] || rows=("${all_rows[@]}")

# ---- the reference times: recorded, or measured

recorded_time() { sed -n "s|.*\"name\": \"$test/$1\", \"real_time\": \([0-9.]*\),.*|\1|p" "$reference"; } # ROW

reference_time() { # ROW
  if [ -n "${RUNG_BIN:-}" ] && [ "$device" = gpu ]; then
    (bin=$RUNG_BIN; method=(--method "$rung"); best_time "$1")
  else
    recorded_time "$1"
  fi
}

# Prints the file with times of $test whose GPU's name holds $1, in small or capital letters.
find_reference() {
  local file gpu
  for file in "$results"/course_reference_*.json; do
    gpu=$(context "$file" gpu)
    if [[ ${gpu,,} == *"${1,,}"* ]] && grep -q "\"$test/" "$file"; then echo "$file"; return; fi
  done
}

this_gpu=''
[ "$device" != gpu ] || this_gpu=$(nvidia-smi --query-gpu=name --format=csv,noheader 2>/dev/null | head -n 1 || true)
if [ -n "$wanted_gpu" ]; then
  reference=$(find_reference "$wanted_gpu")
  [ -n "$reference" ] || die "no reference times of $test are recorded for a GPU named '$(shorten "$wanted_gpu")'" 2
else
  reference=''
  [ -z "$this_gpu" ] || reference=$(find_reference "$this_gpu")
  [ -n "$reference" ] || reference=$(find_reference H200)
fi
reference_gpu=$(context "$reference" gpu)
[ "$device" != - ] || exit 0

# ---- running the programs, with the course's command lines

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/logs"
cd "$folder"

is_correct() { # ROW
  case $test in
    circles) "$bin/render" -c "$1" -s 1024 -S 1 "${method[@]}" ;;
    *) "$bin/cudaScan" -m "$test" -i random -n "$1" "${method[@]}" ;;
  esac >logs/correct 2>&1
}

# Prints the milliseconds that one run of the program tells.
time_of() { # ROW
  case $test in
    circles) "$bin/render" -r cuda -b 0:4 "$1" -s 1024 -f logs/output "${method[@]}" | sed -n 's/^Total: *\([0-9.]*\) ms$/\1/p' ;;
    *) "$bin/cudaScan" -m "$test" -i random -n "$1" "${method[@]}" | sed -n 's/^Student GPU time: \([0-9.]*\) ms$/\1/p' ;;
  esac
}

# The course's checker takes the best of three runs of the renderer. cudaScan itself tells the best of three calls.
best_time() { # ROW
  local run
  case $test in
    circles) for run in 1 2 3; do time_of "$1"; done | sort -g | head -n 1 ;;
    *) time_of "$1" ;;
  esac
}

# ---- the scores

# scan, find_repeats: 1.25 points for up to 1.2 times the reference's time, else in proportion. circles: 2 points for
# being correct, and up to 7 for speed: all for up to 1.2 times the reference's time, none for more than 10 times.
score() { # REFERENCE_TIME TIME
  awk -v reference="$1" -v time="$2" -v circles="$([ "$test" = circles ] && echo 1 || echo 0)" 'BEGIN {
    full = circles ? 7 : 1.25
    points = time <= 1.2 * reference ? full : full * reference / time
    if (circles) {
      points = time > 10 * reference ? 0 : points
      if (points > int(points)) points = int(points) + 1
      points += 2
    }
    printf "%.6g\n", points
  }'
}

case $test in
  circles) title='Score table:' row_format='| %-15s | %-16s | %-15s | %-15s |\n' most=9 ;;
  *) title="${test^} Score Table:" row_format='| %-15s | %-15s | %-15s | %-15s |\n' most=1.25 ;;
esac
case $test in
  circles) header=('Scene Name' 'Ref Time (T_ref)' 'Your Time (T)' Score) ;;
  *) header=('Element Count' 'Ref Time' 'Student Time' Score) ;;
esac
dashes=$(printf "$row_format" "${header[@]}" | sed 's/./-/g')

version=$([ "$device" = gpu ] && echo "on ${this_gpu:-a GPU}" || echo "on the emulated device")
echo "Test: $test, ${SUBMISSION:-$program} $version${method[*]:+, ${method[*]}}"
if [ -n "${RUNG_BIN:-}" ] && [ "$device" = gpu ]; then
  echo "Reference: our rung '$rung', measured in the same run; times in ms"
else
  echo "Reference: $reference_gpu, $(context "$reference" source) (driver $(context "$reference" driver)," \
  "CUDA $(context "$reference" cuda), date $(context "$reference" date)); times in ms"
fi
if [ "$device" = emulated ]; then
  echo "CORRECTNESS ONLY: the emulated device's times say nothing about a GPU, so there is no time and no score."
elif [ -z "${RUNG_BIN:-}" ] && [[ $this_gpu != "$reference_gpu" ]]; then
  echo "No reference times are recorded for this GPU: the score compares it with another one."
fi

lines=() total=0 number_correct=0
for row in "${rows[@]}"; do
  [ ! -t 2 ] || printf '\r%s ...\033[K' "$row" >&2
  recorded=$(reference_time "$row")
  code=0
  is_correct "$row" || code=$?
  if [ $code = 2 ] && [ ${#method[@]} -gt 0 ]; then
    die "$(sed -n 's/^[^:]*: \(there is no method\)/\1/p' logs/correct)" 2
  elif [ $code = 77 ]; then
    say "$(tail -n 1 logs/correct)"
    exit 77
  elif [ $code != 0 ]; then
    points=0
    [ "$device" = gpu ] && [ "$test" != circles ] && own="$(best_time "$row" || true) (F)" || own='(F)'
    [ ! -t 2 ] || printf '\r\033[K' >&2
    say "$row is not correct: $(tail -n 1 logs/correct)"
  else
    number_correct=$((number_correct + 1))
    if [ "$device" = emulated ]; then
      own='not timed' points=correct
    else
      own=$(best_time "$row")
      points=$(score "$recorded" "$own")
    fi
  fi
  [ "$points" = correct ] || total=$(awk -v a="$total" -v b="$points" 'BEGIN { printf "%.6g", a + b }')
  lines+=("$row" "$recorded" "$own" "$points")
done
[ ! -t 2 ] || printf '\r\033[K' >&2

printf '%s\n' "${title//?/-}" "$title" "${title//?/-}" "$dashes"
printf "$row_format" "${header[@]}"
echo "$dashes"
printf "$row_format" "${lines[@]}"
echo "$dashes"
if [ "$device" = emulated ]; then
  sum_label='Correct:' sum="$number_correct of ${#rows[@]}"
else
  sum_label='Total score:' sum="$total/$(awk -v n=${#rows[@]} -v most=$most 'BEGIN { printf "%.6g", n * most }')"
fi
case $test in
  circles) printf '| %-15s   %-16s | %-15s | %-15s |\n' '' '' "$sum_label" "$sum" ;;
  *) printf '| %-33s | %-15s | %-15s |\n' '' "$sum_label" "$sum" ;;
esac
echo "$dashes"
[ $number_correct = ${#rows[@]} ]
