#!/usr/bin/env bash
# check_races.sh PROGRAM SOURCE.cu: are all racy kernels of the source accused, and no right one? And do the sentences say what
# is missing?
set -euo pipefail
right=$("$1" right 2>&1) out=$("$1" 2>&1) || true
# A report depends neither on which OS thread is faster nor on where the program lies in memory.
again=$("$1" 2>&1) || true
diff <(echo "$out") <(echo "$again")
grep -q 'explain: no races' <<<"$right" || { grep 'race: ' <<<"$right" && exit 1; }
programs=$(sed -nE 's/^__global__ void (\w+)\(Data d, bool right\).*/\1/p' "$2" | sort)
missed=$(comm -23 - <(sed -n 's/.*: race: kernel \([^:]*\): .*/\1/p' <<<"$out" | sort -u) <<<"$programs")
echo "$(wc -l <<<"$programs") racy programs, missed: ${missed:-none}"
[ "$(wc -l <<<"$programs")" -ge 25 ] && [ -z "$missed" ]
case $1 in
*grid)
  grep 'lanes in lock step' <<<"$right" && exit 1
  grep -q 'both compute array\[[0-9]*\], the same value' <<<"$right"
  said=$(cat <<'END'
race: kernel sum: .* updates .* make the update atomic
race: kernel last_block: .*__threadfence\(\) is missing .* line LINE_OF_ATOMIC
race: kernel chunks: .* both compute array\[[0-9]+\]; nothing orders the two: .* Check the index
race: kernel index_without_block: .* both compute array\[0\]; nothing orders the two
race: kernel stride_of_one_block: .* updates .*; a barrier does not order blocks; make the update atomic
race: kernel one_writes_what_all_read: thread 0 of block 3 writes .* reads
race: kernel visited: 
race: kernel atomic_of_a_block: .* atomic only for the threads of its own block
race: kernel fence_of_a_block: .*__threadfence\(\) is missing
race: kernel taken_without_fence: .*__threadfence\(\) is missing after the atomic or flag in line
race: kernel taken_without_fence_volatile: .*__threadfence\(\) is missing after the atomic or flag in line
race: kernel ticket_before_barrier_stores: .*__syncthreads\(\) is missing between the write and the atomic or flag in line
race: kernel plain_unlock: .* a plain store does not unlock: __threadfence\(\), then atomicExch
race: kernel plain_unlock: .* updates .* the lock orders nothing, see the plain store in line
race: kernel stencil_in_place: .* a barrier does not order blocks; use another array
END
) ;;
*) said=$(cat <<'END'
race: kernel reduce_sequential: .*thread 32 .*thread 0 .*; __syncthreads\(\) is missing between line ([0-9]+) and the next time that line \1 runs
race: kernel reverse: .*; __syncthreads\(\) is missing between lines 12 and 14
race: kernel stencil_second_barrier: .*__syncthreads\(\) is missing between line 79 and the next time that line 77 runs
race: kernel tile_used_again: .*__syncthreads\(\) is missing between line 101 and the next time that line 99 runs
race: kernel sum_by_helper: .*__syncthreads\(\) is missing between line LINE_OF_SUM and the next time that line LINE_OF_PART runs
race: kernel lanes_exchange: .*; __syncwarp\(\) or
race: kernel maximum: .* make the update atomic
race: kernel rows_run_into_each_other: .* both compute .*; nothing orders the two: .* Check the index
race: kernel branch_that_others_skip: .* not inside a branch that some skip
race: kernel lock_in_shared_memory: .*__threadfence_block\(\) is missing
note: .* both compute any, the same value
END
) ;;
esac
# The first line that matches, from the one with `start` on.
line() { awk -v start="$1" -v wanted="$2" 'index($0, start) { inside = 1 } inside && $0 ~ wanted { print NR; exit }' "$3"; }
atomic=$(line 'void last_block(' atomicAdd "$2") part=$(line 'int sum_of_block(' 'parts\[t / 32\] =' "$2")
sum=$(line 'int sum_of_block(' 'sum \+= parts' "$2")
while read -r sentence; do
  sentence=${sentence/LINE_OF_ATOMIC/$atomic} sentence=${sentence/LINE_OF_SUM/$sum} sentence=${sentence/LINE_OF_PART/$part}
  grep -Eq "$sentence" <<<"$out" || { echo "not said: $sentence" && exit 1; }
done <<<"$said"
