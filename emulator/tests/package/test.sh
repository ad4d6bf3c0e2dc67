#!/usr/bin/env bash
# test.sh installed|fetched CMAKE GENERATOR COMPILER EMULATOR BUILD: builds and runs the project outside/, copied to a
# folder where nothing of this repository is near, with the package that BUILD installs or with the fetched folder.
set -euo pipefail
way=$1 cmake=$2 generator=$3 compiler=$4 emulator=$5 build=$6
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cp -r "$(dirname "$(readlink -f "$0")")/outside" "$folder/project"
if [ "$way" = installed ]; then
  "$cmake" --install "$build" --component EmulatedCuda --prefix "$folder/installed"
  options=(-DCMAKE_BUILD_TYPE=Release -DCMAKE_PREFIX_PATH="$folder/installed")
else
  options=(-DCMAKE_BUILD_TYPE=Debug -DEMULATOR_FOLDER="$emulator")
fi
"$cmake" -S "$folder/project" -B "$folder/build" -G "$generator" -DCMAKE_CXX_COMPILER="$compiler" "${options[@]}"
"$cmake" --build "$folder/build" -j2
"$folder/build/outside"
