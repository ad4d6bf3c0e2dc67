#!/usr/bin/env bash
# check_endings.sh PROGRAM: the report comes, once, however the program ends; and its exit code is its own, but never 0 where
# there is a mistake. A note reports a program whose host gets no result.
set -uo pipefail
failed=0
while read -r how code; do
  said=$("$1" "$how" 2>&1 >/dev/null)
  got=$?
  [ "$got" = "$code" ] || { echo "$how: exit code $got instead of $code"; failed=1; }
  reports=$(grep -c '^explain: .* race' <<<"$said")
  races=$(grep -c 'race: kernel sum: ' <<<"$said")
  [[ $how == @(right|not_copied|stopped|warned|not_waited|prints|illegal) ]] && expected=0 || expected=1
  [ "$reports $races" = "1 $expected" ] || { echo "$how: $said"; failed=1; }
  notes=$(grep -Ec '^  endings.cu:[0-9]+: note: what kernel copy writes here is read by no kernel, no copy and not by the host: total\[64\] to total\[127\] ' <<<"$said")
  [ $how != not_copied ] || grep -qx 'explain: notes' <<<"$said" || { echo "$how: $said"; failed=1; }
  [ "$how $notes" = "not_copied 1" ] || { [ "$how" != not_copied ] && [ "$notes" = 0 ]; } || { echo "$how: $said"; failed=1; }
  case $how in
    abort) sentence='error: the program ends by signal 6 \(Aborted\) on the host at .*endings.cu:[0-9]+$' ;;
    fault) sentence='error: the program ends by signal 11 \(Segmentation fault\) on the host at .*endings.cu:[0-9]+$' ;;
    free) sentence='error: free\(\) or delete gets memory from cudaMallocHost at .*endings.cu:[0-9]+, .*cudaFreeHost frees it$' ;;
    right) sentence='explain: no races in the only block and no other mistake found$' ;;
    not_copied) sentence='explain: no races in the only block; 1 note above$' ;;
    not_waited) sentence='  1\. endings.cu:[0-9]+: too early: the program ends, and nothing has waited for the copy, which writes the 1024 bytes of pinned ' ;;
    illegal | prints) sentence='explain: no races in the only block; nothing more about the error above$' ;;
    warned) sentence='explain: no races in the only block; nothing more about the warning above' ;;
    *) sentence='' ;;
  esac
  # A kernel that a fault has ended: only the fault is reported.
  [ $how != illegal ] || ! grep -q 'divergence: ' <<<"$said" || { echo "$how: $said"; failed=1; }
  grep -Eq "^$sentence" <<<"$said" || { echo "$how: '$sentence' is missing: $said"; failed=1; }
done <<'END'
right 0
not_copied 0
stopped 143
warned 0
not_waited 1
prints 1
illegal 3
return 1
exit 7
exit0 1
quick_exit 7
abort 134
fault 139
free 139
terminated 143
terminated_in_kernel 143
END
# A loop that comes back to the same state is ended, and the report comes; a kernel that only takes long is not.
source=$(dirname "$0")/endings.cu
for how in loops stores; do
  said=$(EMULATED_WATCHDOG=0.2 timeout 60 "$1" $how 2>&1)
  got=$?
  line=$(grep -n "// LINE $how" "$source" | cut -d: -f1)
  grep -Eq "error: kernel $how, .*: this loop never ends: .* at .*endings.cu:$line\$" <<<"$said" &&
    grep -q '; nothing more about the error above' <<<"$said" && [ $got = 3 ] || { echo "$how: $got $said"; failed=1; }
done
said=$(EMULATED_WATCHDOG=0.2 "$1" takes_long 2>&1)
[ $? = 3 ] || { echo "takes_long: $said"; failed=1; }
# On a terminal it is said where a loop is that goes on; Ctrl-C ends it, and the report comes.
said=$(EMULATED_WATCHDOG=0.2 script -qec "timeout -s INT 5 $1 counts" /dev/null 2>&1 </dev/null)
grep -Eq 'note: kernel counts has run for more than 0.2 s; block \(0,0,0\).* is at .*endings.cu:[0-9]+\. If the loop there never ends, press Ctrl-C' <<<"$said" &&
  grep -q 'explain: no races in the only block' <<<"$said" || { echo "counts: $said"; failed=1; }
# Where the notes do not fit into memory there is nothing to report.
said=$(timeout 60 "$1" no_notes 2>&1 >/dev/null)
got=$?
expected='1 The emulated device ends this program: the notes of the pack explain do not fit into memory.'
[ "$got $said" = "$expected" ] || { echo "no_notes: $said"; failed=1; }
exit $failed
