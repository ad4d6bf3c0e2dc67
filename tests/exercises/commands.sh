# commands.sh PROJECT: ./run try, ./run diff, and ./run grade NAME FILE.cu with a stand-in for the build: a submission here
# is a shell script that does what a student's program may do.
set -u
project=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/project" "$folder/here"
cd "$folder/project" || exit 1
cp -r "$project/scripts" "$project/exercises" .
cp -r "$project/chapter06_constant_memory" .
# Its main is replaced as in the real one, so what the script does is in its comments.
cat >run <<'END'
#!/usr/bin/env bash
folder=listing
[ "$1" != --explain ] || { shift && folder=explained && report='echo "explain: no races in all 2 blocks; 5 other findings" >&2'; }
grep -q 'does not compile' "$1" && { echo "$1:1: error: nonsense" >&2; exit 1; }
mkdir -p build/$folder
{ echo '#!/bin/bash'; sed -n 's|^// do: ||p' "$1"; echo "${report:-}"; } >build/$folder/listing
chmod +x build/$folder/listing
echo "${DEVICE:-emulated} $PWD/build"
END
chmod +x run
failed=0
expect() { # CODE PATTERN COMMAND...
  local code=0 expected=$1 pattern=$2
  shift 2
  said=$("$@" 2>&1) || code=$?
  [ $code = "$expected" ] || { echo "exit code $code, expected $expected: $*"; echo "$said"; failed=1; }
  grep -Eq -e "$pattern" <<<"$said" || { echo "'$pattern' is missing: $*"; echo "$said"; failed=1; }
}
commands() { python3 "$folder/project/scripts" "$@"; } # what the real run hands over to
try() { (cd "$folder/here" && commands ./run try "$@"); }
expect 0 '^  beyond +scan +not tried +exclusive prefix sums' try
expect 0 '^0 of [0-9]+ pass. Next: ./run try number$' try
expect 0 'Wrote my_add.cu' try add
expect 1 '^FAIL ' try add # the second time it is checked, and never overwritten
cmp "$folder/here/my_add.cu" exercises/04_1_add/add.cu || { echo "the file has changed"; failed=1; }
expect 2 "there is no exercise '../run'" try ../run
expect 2 'usage' try scan heat
expect 2 'usage' try --hint
expect 0 '^Hint 1 of 4: Each thread' try add --hint
expect 0 'try add --hint 2$' try add --hint
expect 0 '^Hint 4 of 4: chapter04_parallel_programming/add.cu' try add --hint 4
expect 2 'add has the hints 1 to 4, not .5.' try add --hint 5
solve() { printf '// exercise add - solved.\n// do: %s\n' "$1" >"$folder/here/my_add.cu"; }
solve 'echo "PASS add: all"; echo "$EXERCISE_KEY"'
expect 0 '^  chapter 4  add +changed ' try
expect 0 '^PASS add: all; threads in three orders, no races$' try add
expect 0 '^  chapter 4  add +PASS ' try
expect 0 '^1 of ' try
solve 'echo "FAIL add, n = 5: c[2] is 3, expected 4"; printf "step\n-n 5\n" >"$EXERCISE_NEXT"; exit 1'
expect 1 '^To step to the write of this element: ./run --step my_add.cu -n 5 --wrong$' try add
expect 0 '^  chapter 4  add +FAIL ' try
solve 'echo "FAIL add: wrong"; printf "hint\n\n" >"$EXERCISE_NEXT"; exit 1'
expect 1 '^For a hint: ./run try add --hint$' try add
solve '[ $EMULATED_ORDER != reversed ] || { echo "FAIL add: wrong"; exit 1; }; echo "$EXERCISE_KEY"'
expect 1 '^To learn why: EMULATED_ORDER=reversed ./run --explain my_add.cu$' try add
# At each save: the check runs, then waits.
solve 'echo "FAIL add: wrong"; exit 1'
printf '#!/bin/sh\nexec python3 %s/project/scripts ./run "$@"\n' "$folder" >"$folder/here/run"
chmod +x "$folder/here/run"
: >"$folder/watched"
(cd "$folder/here" && exec python3 "$folder/project/scripts" ./run try add --watch) >"$folder/watched" 2>&1 &
shows() { # PATTERN: within a minute
  local tries
  for tries in $(seq 600); do
    grep -q "$1" "$folder/watched" && return
    sleep 0.1
  done
  echo "--watch does not show '$1': $(cat "$folder/watched")"
  failed=1
}
shows '^FAIL add: wrong$'
shows 'exit code 1; waiting for the next save'
solve 'echo "PASS add: saved"; echo "$EXERCISE_KEY"'
shows '^PASS add: saved; threads in three orders'
kill -TERM $!
wait $!

expect 0 '^\+__constant__ Sphere' commands ./run diff ray_noconst ray
grep -q '//' <<<"$said" && { echo "the difference has comments"; failed=1; }
expect 0 '^$' commands ./run diff ray ray
expect 2 "no sample or file 'nosuch'" commands ./run diff ray nosuch

mkdir submissions
submission() { printf '// do: %s\nint main() {}\n' "$2" >"submissions/$1.cu"; }
key='echo "$EXERCISE_KEY"' # the check prints it, when it is through
submission right 'echo "Student GPU time: 1.0 ms"; echo "PASS saxpy: all"; '"$key"
submission wrong 'echo "FAIL saxpy, n = 1: result[0] is 3, expected 4"; exit 1'
submission crashes 'kill -SEGV $$'
submission hangs 'while :; do :; done'
submission floods 'while :; do echo PASS; done'
submission forks '(exit 0) && echo "PASS saxpy: all" && '"$key"
submission fills_the_disk 'printf %200000000d 1 >file; echo "PASS saxpy: all"; '"$key"
submission needs_memory 'ulimit -v >file; read -r limit <file; [ "$limit" != unlimited ] && echo "PASS saxpy: limited" && '"$key"
submission one_order '[ $EMULATED_ORDER != reversed ] || { echo "FAIL saxpy: a race"; exit 1; }; echo "PASS saxpy"; '"$key"
submission writes_too_far 'echo "PASS saxpy: all"; echo "error: something wrote beyond the end" >&2; '"$key"
submission says_nothing 'exit 0'
submission only_says_pass 'echo "PASS saxpy: all"'
mistake='printf "%s\n" "explain: what is wrong" "  1. submission.cu:3: race: kernel saxpy: thread 1 writes" >&2'
submission races "echo 'PASS saxpy: all'; $key; $mistake"
submission wrong_by_a_race "echo 'FAIL saxpy: wrong'; $mistake; exit 1"
echo '// does not compile' >submissions/nonsense.cu
expect 1 '^PASS +submissions/right.cu: saxpy: all; threads in three orders, no races$' \
  env GRADE_SECONDS=2 python3 scripts ./run grade saxpy submissions/*.cu --csv out.csv
while read -r name result; do
  grep -Eq "^$result +submissions/$name.cu: " <<<"$said" || { echo "$name: not $result: $said"; failed=1; }
  grep -Eq "^\"submissions/$name.cu\",\"$result\"," out.csv || { echo "$name: not $result in the CSV"; failed=1; }
done <<'END'
right PASS
needs_memory PASS
wrong FAIL
crashes crash
hangs no end
floods (no end|FAIL|crash)
forks crash
fills_the_disk FAIL
one_order FAIL
writes_too_far FAIL
says_nothing FAIL
only_says_pass FAIL
races FAIL
wrong_by_a_race FAIL
nonsense does not compile
END
grep -q 'one_order.cu: saxpy: a race (threads reversed)' <<<"$said" || { echo "the order is not named"; failed=1; }
grep -q 'races.cu: submission.cu:3: race: kernel saxpy' <<<"$said" || { echo "the race is not reported"; failed=1; }
grep -q 'wrong_by_a_race.cu: saxpy: wrong; submission.cu:3: race' <<<"$said" ||
  { echo "the race behind a wrong result is not reported"; failed=1; }
# What failed is followed by the command that tells more, on standard error; nothing else is.
more() { # COMMAND GRADED...: the last line when these are graded
  local last
  last=$("${@:2}" 2>&1 >/dev/null | tail -n 1)
  [ "$last" = "$1" ] || { echo "the last line is '$last', not '$1': ${*:2}"; failed=1; }
}
grade() { GRADE_SECONDS=2 commands ../run grade saxpy "$@"; }
more 'To learn why: ../run --explain submissions/crashes.cu' grade submissions/{right,crashes}.cu
more 'To learn why: ../run --explain submissions/wrong.cu' grade submissions/{right,wrong,crashes}.cu
more 'To learn why: EMULATED_ORDER=reversed ../run --explain submissions/one_order.cu' grade submissions/one_order.cu
more 'To learn why: ../run --explain submissions/races.cu' grade submissions/races.cu
more '' grade submissions/right.cu
more '' grade submissions/nonsense.cu
# On a GPU: points beside a rung of ours; what is wrong at a larger size harms no other.
mkdir -p build/bin benchmarks/results
cp "$project"/benchmarks/results/course_reference_*.json benchmarks/results
printf '#!/bin/sh\necho "Student GPU time: 1.0 ms"\n' >build/bin/cudaScan
chmod +x build/bin/cudaScan
submission slow 'echo "Student GPU time: 2.0 ms"; echo "PASS scan: all"; echo "$EXERCISE_KEY"; [ "${6:-}" != 40000000 ]'
expect 1 '^PASS +submissions/right.cu: saxpy: all \([0-9.]+/5 points\)$' \
  env DEVICE=gpu python3 scripts ./run grade scan submissions/slow.cu submissions/right.cu --csv out.csv
grep -Eq '^FAIL +submissions/slow.cu: .*\(1.875/5 points\)$' <<<"$said" || { echo "no points for slow: $said"; failed=1; }
expect 1 '^Test: scan, submissions/slow.cu on ' env DEVICE=gpu python3 scripts ./run grade scan submissions/slow.cu
expect 2 'nothing to grade named .circle.' commands ./run grade circle x.cu
expect 2 'there is no file' commands ./run grade scan nosuch.cu
expect 2 'is not a .cu file' commands ./run grade saxpy submissions
exit $failed
