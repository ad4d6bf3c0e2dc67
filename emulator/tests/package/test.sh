#!/usr/bin/env bash
# test.sh installed|fetched CMAKE GENERATOR EMULATOR COMPILER: builds and runs the project outside/, copied to a folder
# where nothing of this repository is near, with the installed package or with the fetched folder.
set -euo pipefail
way=$1 cmake=$2 generator=$3 emulator=$4 compiler=$5
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cp -r "$(dirname "$(readlink -f "$0")")/outside" "$folder/project"
options=(-G "$generator" -DCMAKE_CXX_COMPILER="$compiler" -DCMAKE_BUILD_TYPE=$([ "$way" = installed ] && echo Release || echo Debug))
if [ "$way" = installed ]; then
  "$cmake" -S "$emulator" -B "$folder/emulator" "${options[@]}" -DEMULATED_TESTS=OFF
  "$cmake" --build "$folder/emulator" -j2
  "$cmake" --install "$folder/emulator" --prefix "$folder/installed"
  rm -rf "$folder/emulator"
  options+=(-DCMAKE_PREFIX_PATH="$folder/installed")
else
  options+=(-DEMULATOR_FOLDER="$emulator")
fi
"$cmake" -S "$folder/project" -B "$folder/build" "${options[@]}"
"$cmake" --build "$folder/build" -j2
"$folder/build/outside"
