# commands.sh PROJECT: ./run try, ./run diff, and ./run grade NAME FILE.cu with a stand-in for the build: a submission here
# is a shell script that does what a student's program may do.
set -u
project=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/project" "$folder/here"
cd "$folder/project" || exit 1
cp -r "$project/scripts" "$project/starters" .
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
expect 0 '^  scan +exclusive prefix sums' try
expect 0 'Wrote my_scan.cu' try scan
expect 2 'my_scan.cu already exists' try scan
expect 2 "there is no starter '../run'" try ../run
expect 2 'usage' try scan heat
grep -q '@FILE@' "$folder/here/my_scan.cu" && { echo "the file does not carry its own name"; failed=1; }
grep -q './run my_scan.cu' "$folder/here/my_scan.cu" || { echo "the file has no run line"; failed=1; }

expect 0 '^\+__constant__ Sphere' commands ./run diff ray_noconst ray
grep -q '//' <<<"$said" && { echo "the difference has comments"; failed=1; }
expect 0 '^$' commands ./run diff ray ray
expect 2 "no sample or file 'nosuch'" commands ./run diff ray nosuch

mkdir submissions
submission() { printf '// do: %s\nint main() {}\n' "$2" >"submissions/$1.cu"; }
submission right 'echo "Student GPU time: 1.0 ms"; echo "PASS saxpy: all"'
submission wrong 'echo "FAIL saxpy, n = 1: result[0] is 3, expected 4"; exit 1'
submission crashes 'kill -SEGV $$'
submission hangs 'while :; do :; done'
submission floods 'yes "PASS" 2>/dev/null; exit 1'
submission fills_the_disk 'head -c 200000000 /dev/zero >file || exit 1; echo "PASS saxpy: all"'
submission needs_memory 'ulimit -Sv 2>&1; [ "$(ulimit -v)" != unlimited ] && echo "PASS saxpy: limited"'
submission one_order '[ $EMULATED_ORDER != reversed ] || { echo "FAIL saxpy: a race"; exit 1; }; echo "PASS saxpy"'
submission writes_too_far 'echo "PASS saxpy: all"; echo "error: something wrote beyond the end" >&2'
submission says_nothing 'exit 0'
mistake='printf "%s\n" "explain: what is wrong" "  1. submission.cu:3: race: kernel saxpy: thread 1 writes" >&2'
submission races "echo 'PASS saxpy: all'; $mistake"
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
fills_the_disk FAIL
one_order FAIL
writes_too_far FAIL
says_nothing FAIL
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
more 'To learn why: ../run --explain submissions/wrong.cu' grade submissions/{right,wrong,crashes}.cu
more 'To learn why: EMULATED_ORDER=reversed ../run --explain submissions/one_order.cu' grade submissions/one_order.cu
more 'To learn why: ../run --explain submissions/races.cu' grade submissions/races.cu
more 'To learn why, on the emulated device: DEVICE=emulated ../run --explain submissions/wrong.cu' \
  env DEVICE=gpu python3 scripts ../run grade saxpy submissions/wrong.cu
more '' grade submissions/right.cu
more '' grade submissions/nonsense.cu
# On a GPU: points beside a rung of ours; what is wrong at a larger size harms no other.
mkdir -p build/bin benchmarks/results
cp "$project"/benchmarks/results/course_reference_*.json benchmarks/results
printf '#!/bin/sh\necho "Student GPU time: 1.0 ms"\n' >build/bin/cudaScan
chmod +x build/bin/cudaScan
submission slow 'echo "Student GPU time: 2.0 ms"; echo "PASS scan: all"; [ "${6:-}" != 40000000 ]'
expect 1 '^PASS +submissions/right.cu: saxpy: all \([0-9.]+/5 points\)$' \
  env DEVICE=gpu python3 scripts ./run grade scan submissions/slow.cu submissions/right.cu --csv out.csv
grep -Eq '^FAIL +submissions/slow.cu: .*\(1.875/5 points\)$' <<<"$said" || { echo "no points for slow: $said"; failed=1; }
expect 1 '^Test: scan, submissions/slow.cu on ' env DEVICE=gpu python3 scripts ./run grade scan submissions/slow.cu
expect 2 'nothing to grade named .circle.' commands ./run grade circle x.cu
expect 2 'there is no file' commands ./run grade scan nosuch.cu
expect 2 'is not a .cu file' commands ./run grade saxpy submissions
exit $failed
