#!/usr/bin/env bash
# emulated_table.sh [BUILD]: kernel times on the emulated device next to plain OpenMP loops, in one run, as Markdown.
# BUILD is the folder of the emulated build (default build/emulated), built completely: cmake --build --preset emulated
set -euo pipefail
build=${1:-$(dirname "$(readlink -f "$0")")/../build/emulated}

kernel_ms() { # SAMPLE ROW options...: the median of --benchmark, the second field from the right of the row that begins so
  local sample=$1 row=$2
  shift 2
  "$build/bin/$sample" --benchmark "$@" | awk -v row="$row" '
    below && !found && substr($0, 1, length(row)) == row { print $(NF-1); found = 1 }
    /median ms/ { below = 1 }'
}
loops=$("$build/benchmarks/openmp_loops")

row() { # TEXT SAMPLE ROW LOOP options...; ROW: empty for the first one
  local text=$1 sample=$2 kernel=$3 loop=$4 emulated plain
  shift 4
  emulated=$(kernel_ms "$sample" "$kernel" "$@")
  plain=$(awk -v name="$loop" '$1 == name { print $2 }' <<<"$loops")
  awk -v text="$text" -v e="$emulated" -v p="$plain" 'BEGIN { printf "| %s | %.1f | %.1f | %.1f |\n", text, e, p, e / p }'
}

echo "Times of the emulated device next to loops on the same processor: they say nothing about a GPU."
echo
echo "| work | emulated device, ms | OpenMP loop, ms | ratio |"
echo "|---|---|---|---|"
row '`ray` at 1024 × 1024, 20 spheres' ray '' ray --size 1024
row '`heat_notexture` at 1024 × 1024, one frame of 90 steps' heat_notexture '' heat --frames 1 --size 1024
row '`hist_gpu_shmem_atomics`, 100 MiB' hist_gpu_shmem_atomics '' histogram
row '`dot` of 16 M elements' dot '' dot -n 16777216
row '`julia` at 1000 × 1000, blocks of 16 × 16' julia '16 x 16' julia --size 1000
