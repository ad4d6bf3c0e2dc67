#!/usr/bin/env bash
# check_races.sh PROGRAM SOURCE.cu: are all racy kernels of the source accused, and no right one? And do the sentences tell what
# is missing?
set -euo pipefail
right=$("$1" right 2>&1) out=$("$1" 2>&1) || true
grep -q 'explain: no races' <<<"$right" || { grep 'race: ' <<<"$right" && exit 1; }
programs=$(sed -nE 's/^__global__ void (\w+)\(Data d, bool right\).*/\1/p' "$2" | sort)
missed=$(comm -23 - <(sed -n 's/.*: race: kernel \([^:]*\): .*/\1/p' <<<"$out" | sort -u) <<<"$programs")
echo "$(wc -l <<<"$programs") racy programs, missed: ${missed:-none}"
[ "$(wc -l <<<"$programs")" -ge 25 ] && [ -z "$missed" ]
case $1 in
*grid)
  grep 'lanes in lock step' <<<"$right" && exit 1
  grep -q 'both compute out\[[0-9]*\], the same value' <<<"$right"
  said=$(cat <<'END'
race: kernel sum: .* updates .* use atomicAdd
race: kernel last_block: .*__threadfence\(\) is missing .* line LINE_OF_ATOMIC
race: kernel chunks: .* both compute out\[[0-9]+\]; nothing orders the two: check the index
race: kernel same_elements_in_all_blocks: .* both compute out\[0\]; all blocks take the same elements: blockIdx.x \* blockDim.x is missing
race: kernel index_without_block: .* both compute out\[0\]; all blocks take the same elements: blockIdx.x \* blockDim.x is missing
race: kernel stride_of_one_block: .* updates .*; two blocks take the same elements: check the index, and the stride of a loop, blockDim.x \* gridDim.x, or use atomicAdd where they are to add up
race: kernel bins: .* updates .*; a barrier does not order blocks; use atomicAdd
race: kernel pixels_of_other_blocks: .* both compute pixels\[[0-9]+\]
race: kernel one_writes_what_all_read: thread 0 of block 3 writes .* reads
race: kernel visited: .* use atomicCAS
race: kernel atomic_of_a_block: .* atomic only for the threads of its own block
race: kernel atomic_ref_of_a_block: .* atomic only for the threads of its own block
race: kernel fence_of_a_block: .*__threadfence\(\) is missing
race: kernel plain_unlock: .* a plain store does not unlock: __threadfence\(\), then atomicExch
race: kernel plain_unlock: .* updates d.sums\[0\].* the lock orders nothing, see the plain store in line
race: kernel stencil_in_place: .* a barrier does not order blocks; use another array
END
) ;;
*) said=$(cat <<'END'
race: kernel reduce_sequential: .*thread 32 .*thread 0 .*; __syncthreads\(\) is missing between the turns of the loop
race: kernel blends: .*let one thread compute the element: no atomic function does this in one step
race: kernel pairs_overlap: .*; the elements of two threads overlap: check the index, and what it is multiplied by; if they are meant to, __sync
race: kernel arrays_overlap: .*; high and low have these bytes in common: the offset of one of them counts elements in
race: kernel lanes_exchange: .*; __syncwarp\(\) or
race: kernel shuffle_orders_nothing: .*; __syncwarp\(\) or
race: kernel maximum: .* use atomicMax
race: kernel several_minima: .* use atomicMin
race: kernel bits_of_a_word: .* use atomicOr
race: kernel rows_run_into_each_other: .* both compute .*; nothing orders the two: check the index
race: kernel branch_that_others_skip: .* not inside a branch that some skip
race: kernel one_statement: .* read into a variable, then
race: kernel lock_in_shared_memory: .*__threadfence_block\(\) is missing
note: .* both compute any, the same value
note: .* both compute .*, the same value
END
) ;;
esac
line=$(awk '/void last_block\(/ { inside = 1 } inside && /atomicAdd/ { print NR; exit }' "$2")
while read -r sentence; do
  grep -Eq "${sentence/LINE_OF_ATOMIC/$line}" <<<"$out" || { echo "not said: $sentence" && exit 1; }
done <<<"$said"
