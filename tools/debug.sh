#!/usr/bin/env bash
# debug.sh FILE: builds build/debug/program, the program of a sample's FILE.cu, of a rung's FILE.cuh, or of one's own
# FILE.cu, and the emulated device without optimization: there a debugger stops in a kernel where threadIdx has a certain
# value. An editor calls it (.vscode/tasks.json).
set -euo pipefail
root=$(cd "$(dirname "$(readlink -f "$0")")/.." && pwd)
file=$(realpath "$1")
folder=$(dirname "$file")
ladder=$(basename "$folder")
listing=""
case ${file#"$root"/} in
  chapter* | appendix* | cs418*)
    target=$(basename "$file" .cu)
    if [ -e "$folder/$ladder.cu" ]; then target=$ladder; fi
    program=bin/$target
    ;;
  *) listing=$file target=listing program=listing/listing ;;
esac
cmake -S "$root" -B "$root/build/debug" -G Ninja -DDEVICE=emulated -DCMAKE_BUILD_TYPE=Debug -DNATIVE=OFF \
  -DBUILD_TESTING=OFF "-DLISTING=$listing" >/dev/null
cmake --build "$root/build/debug" --target "$target"
ln -sfn "$program" "$root/build/debug/program"
