# lost_counts.sh PROGRAM [options]: hist_gpu_no_atomics ends with 1 when it has lost counts and with 0 when not, and says
# how many of how many.
set -u
out=$("$@" 2>&1)
code=$?
[ $code = 77 ] && { echo "SKIP: $out"; exit 0; }
echo "$out"
lost=$(sed -n 's/^\([0-9]*\) of [0-9]* counts are lost.*/\1/p' <<<"$out")
[ -n "$lost" ] || { echo "does not say how many counts are lost"; exit 1; }
if [ "$lost" = 0 ]; then expected=0; else expected=1; fi
[ $code = $expected ] || { echo "exit code $code, expected $expected"; exit 1; }
if [ "$lost" != 0 ]; then
  grep -q '^Why:' <<<"$out" || { echo "does not say why"; exit 1; }
fi
