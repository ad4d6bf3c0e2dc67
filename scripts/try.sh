#!/usr/bin/env bash
# try.sh [NAME]: lists the starters, or copies one of them into the current folder (./run try calls this).
set -euo pipefail
folder=$(cd "$(dirname "$(readlink -f "$0")")/../starters" && pwd)
run=${RUN:-./run}
say() { printf 'try: %s\n' "$*" >&2; }

if [ $# -gt 1 ]; then
  say "usage: run try [NAME]"
  exit 2
fi
case ${1:-} in
  '' | -h | --help)
    echo "Write your own: files with gaps, each checked by its own program."
    for starter in "$folder"/*.cu; do printf '  %-13s %s\n' "$(basename "$starter" .cu)" "$(sed -n '1s|^// [^ ]* - ||p' "$starter")"; done
    echo "$run try NAME writes my_NAME.cu into this folder."
    exit 0
    ;;
esac
name=${1//[^a-z_]/}
if [ "$name" != "$1" ] || [ ! -f "$folder/$name.cu" ]; then
  say "there is no starter '${1:0:40}'; there are: $(basename -s .cu "$folder"/*.cu | paste -sd' ')"
  exit 2
fi
file=my_$name.cu
if [ ! -w . ]; then
  say "this folder is not writable: $PWD"
  exit 2
fi
if [ -e "$file" ]; then
  say "$file already exists. Rename or remove it first"
  exit 2
fi
sed "s|@FILE@|$file|" "$folder/$name.cu" >"$file.new"
mv "$file.new" "$file"
echo "Wrote $file. Fill in what is marked TODO, then: $run $file"
