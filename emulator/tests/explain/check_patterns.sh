#!/usr/bin/env bash
# check_patterns.sh PROGRAM: what is reported of the kernels of patterns.cu agrees with an H200's counters for such
# kernels.
set -euo pipefail
wrong=$(comm -23 <(sort <<'END'
neighbors load global 4.0
neighbors store global 4.0
shifted load global 5.0
every_second load global 8.0
every_eighth load global 32.0
all_the_same load global 1.0
first_of_three load global 12.0
four_at_once load global 16.0
four_at_once store global 16.0
four_at_once load global (16.0)
four_at_once store global (16.0)
four_members store global (16.0)
neighbors load global (4.0)
every_second load global (4.0)
single_bytes load global 1.0
scattered store global 32.0
column_of_tile<32> load shared 32.0
column_of_tile<33> load shared 1.0
every_second_word load shared 2.0
one_word load shared 1.0
one_counter atomic global 32.0
own_counters atomic global 1.0
counter_read atomic-load global 1.0
turns_of_lanes store global 1.0
counters_of_one_bank atomic shared 32.0
counters_of_all_banks atomic shared 1.0
constant_broadcast load constant 1.0
constant_of_lane load constant 32.0
END
) <("$1" 2>&1 | sed 's/atomic load/atomic-load/' | awk '/ launch/ { kernel = substr($1, 1, length($1) - 1) } /patterns.cu:[0-9]+ +(load|store|atomic)/ {
  print kernel, $2, $3, $6
  print kernel, $2, $3, $8 }' | sort))
[ -z "$wrong" ] || { echo "not reported: $wrong" && exit 1; }
