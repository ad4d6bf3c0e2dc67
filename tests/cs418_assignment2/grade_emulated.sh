# grade_emulated.sh GRADE BIN DEVICE: grade.py with our own programs, some rows. On the emulated device no times, no score.
set -u
grade=$1 bin=$2 device=$3
failed=0
[ $device = emulated ] || nvidia-smi >/dev/null 2>&1 || { echo "SKIP: no GPU here"; exit 77; }
check() { # ROW_PATTERN arguments...
  local table pattern=$1
  shift
  table=$(python3 "$grade" "$bin" $device "$@" 2>&1) || { echo "exit code $?: $*"; failed=1; }
  echo "$table"
  grep -Eq "$pattern" <<<"$table" || { echo "no row '$pattern': $*"; failed=1; }
  [ $device = gpu ] || grep -q 'CORRECTNESS ONLY' <<<"$table" || { echo "not marked as correctness only: $*"; failed=1; }
}
own='[0-9.]+ +\| [0-9.]+'
[ $device = gpu ] || own='not timed +\| correct'
check "^\| 1000000 +\| 0.445 +\| $own +\|$" scan 1000000 --reference H200
check "^\| 1000000 +\| 1.021 +\| $own +\|$" find_repeats 1000000 --reference T4
check "^\| rgb +\| 0.028 +\| $own +\|$" circles rgb --reference H200 --method tiles
# A rung that is wrong is found (emulated: always, in this order of threads).
if [ $device = emulated ]; then
  table=$(EMULATED_ORDER=reversed python3 "$grade" "$bin" emulated circles rgb --method broken 2>&1) && { echo "broken passes"; failed=1; }
  echo "$table"
  grep -Eq '^\| rgb +\| [0-9.]+ +\| \(F\) +\| 0 +\|$' <<<"$table" || { echo "broken has no (F)"; failed=1; }
  grep -q '0 of 1' <<<"$table" || { echo "broken counts as correct"; failed=1; }
fi
exit $failed
