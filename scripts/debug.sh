#!/usr/bin/env bash
# debug.sh FILE.cu: builds build/debug/listing/listing, the program of FILE.cu and the emulated device without optimization:
# there a debugger stops in a kernel where threadIdx has a certain value. An editor calls it (.vscode/tasks.json).
set -euo pipefail
root=$(cd "$(dirname "$(readlink -f "$0")")/.." && pwd)
cmake -S "$root" -B "$root/build/debug" -G Ninja -DDEVICE=emulated -DCMAKE_BUILD_TYPE=Debug -DBUILD_TESTING=OFF \
  "-DLISTING=$(realpath "$1")" >/dev/null
cmake --build "$root/build/debug" --target listing
