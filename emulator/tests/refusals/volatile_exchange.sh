#!/usr/bin/env bash
# volatile_exchange.sh PROGRAM SOURCE: one warning names each of its kernels that is wrong, none those that are right.
program=$1 source=$2 failed=0
for kernel in $(sed -n 's/^  RUN(\(.*\));$/\1/p' "$source"); do
  wanted=0
  case $kernel in wrong_*) wanted=1 ;; esac
  for order in in-order reversed shuffled:3; do
    said=$(EMULATED_ORDER=$order "$program" "$kernel" 2>&1) || failed=1
    if [ "$(grep -c 'warning: ' <<<"$said")" != $wanted ] ||
      [ "$(grep -Ec "volatile_exchange.cu:[0-9]+: warning: kernel $kernel: .*__syncwarp\(\)" <<<"$said")" != $wanted ]; then
      failed=1
      printf '%s, %s: expected %s warnings:\n%s\n' "$kernel" $order $wanted "$said"
    fi
  done
done
exit $failed
