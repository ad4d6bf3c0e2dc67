#!/usr/bin/env bash
# record.sh build FOLDER   makes the programs of programs.txt with nvcc in FOLDER (needs no GPU)
# record.sh run FOLDER     runs them on the GPU of this machine; what they print is to become h200.txt
# NVCC and ARCHITECTURE (sm_90) may be set in the environment.
set -euo pipefail
here=$(dirname "$(readlink -f "$0")")
[ $# -eq 2 ] || { sed -n '2,4s/^# //p' "$0"; exit 2; }
folder=$2
case $1 in
  build)
    nvcc=${NVCC:-$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)}
    mkdir -p "$folder"
    while read -r seed kernels; do
      python3 "$here/generate.py" "$seed" "$kernels" >"$folder/$seed.cu"
      "$nvcc" -std=c++20 -arch="${ARCHITECTURE:-sm_90}" -fmad=false -w -o "$folder/$seed" "$folder/$seed.cu"
    done <"$here/programs.txt"
    "$nvcc" --version | grep -o 'release [0-9.]*' >"$folder/nvcc"
    ;;
  run)
    echo "# $(nvidia-smi --query-gpu=name --format=csv,noheader | head -1), nvcc $(cat "$folder/nvcc")"
    while read -r seed _; do "$folder/$seed"; done <"$here/programs.txt"
    ;;
esac
