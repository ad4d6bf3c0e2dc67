#!/usr/bin/env bash
# emulated_table.sh [BUILD]: kernel times on the emulated device beside plain OpenMP loops, in one run, as Markdown.
# BUILD is the folder of the emulated build (default build/emulated), built completely: cmake --build --preset emulated
set -euo pipefail
build=${1:-$(dirname "$(readlink -f "$0")")/../build/emulated}

kernel_ms() { # SAMPLE options...: the median of --benchmark, the second field from the right of its row
  local sample=$1
  shift
  "$build/bin/$sample" --benchmark "$@" | awk '/median ms/ { getline; print $(NF-1) }'
}
loops=$("$build/benchmarks/openmp_loops")

row() { # TEXT SAMPLE LOOP FRAMES options...
  local text=$1 sample=$2 loop=$3 emulated plain
  shift 3
  emulated=$(kernel_ms "$sample" "$@")
  plain=$(awk -v name="$loop" '$1 == name { print $2 }' <<<"$loops")
  awk -v text="$text" -v e="$emulated" -v p="$plain" 'BEGIN { printf "| %s | %.1f | %.1f | %.1f |\n", text, e, p, e / p }'
}

echo "Times of the emulated device beside loops on the same processor: they say nothing about a GPU."
echo
echo "| work | emulated device, ms | OpenMP loop, ms | ratio |"
echo "|---|---|---|---|"
row '`ray` at 1024 × 1024, 20 spheres' ray ray --size 1024
row '`heat_notexture` at 1024 × 1024, one frame of 90 steps' heat_notexture heat --frames 1 --size 1024
row '`hist_gpu_shmem_atomics`, 100 MiB' hist_gpu_shmem_atomics histogram
row '`dot` of 16 M elements' dot dot -n 16777216
row '`julia` at 1000 × 1000' julia julia --size 1000
