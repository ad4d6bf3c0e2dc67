#!/usr/bin/env bash
# vectorized.sh PROGRAM: in the loop over threads of each kernel of vectorized.cu the program computes with 32-byte registers.
set -euo pipefail
objdump -d --no-show-raw-insn "$1" | awk '
  /^[0-9a-f]+ <.*>:$/ {
    kernel = ""
    if (match($0, /launch_[a-z_]+P.*run_blocks/)) {
      kernel = substr($0, RSTART + 7, RLENGTH)
      sub(/P.*/, "", kernel)
      kernels[kernel] += 0
    }
  }
  kernel != "" && /\tv(add|mul|max|cmp|cmpgt)p[sd] .*%ymm|\tvpadd[dq] .*%ymm|\tvp?maskmov[a-z]+ .*%ymm/ { ++kernels[kernel] }
  END {
    for (kernel in kernels) {
      ++count
      if (kernels[kernel] == 0) { print "FAIL: no vector instructions in " kernel; failed = 1 }
    }
    if (count != 14) { print "FAIL: " count + 0 " of 14 kernels found"; failed = 1 }
    exit failed
  }'
