#!/usr/bin/env bash
# samples_table.sh [--write]: README.md with the samples of the tree between its marks. Of each folder its title (the first
# line of its README.md) and a row per sample. With --write they replace those in README.md.
set -euo pipefail
root=$(cd "$(dirname "$(readlink -f "$0")")/.." && pwd)
. "$root/scripts/samples.sh"

tables() {
  local last='' name file picture words cell
  while IFS='|' read -r name file _ picture _ words; do
    local folder=${file%%/*}
    if [ "$folder" != "$last" ]; then
      printf '\n### [%s](%s/README.md)\n\n' "$(sed -n '1s/^# //p' "$root/$folder/README.md")" "$folder"
      printf '| sample | shows | picture |\n|---|---|---|\n'
      last=$folder
    fi
    cell=numbers
    [ -z "$picture" ] || cell="<img src=\"$picture\" width=\"128\" alt=\"$name\">"
    printf '| `%s` | %s | %s |\n' "$name" "$words" "$cell"
  done < <(samples)
  echo
}

fresh() {
  local line old=no
  while IFS= read -r line; do
    case $line in '<!-- end of samples -->') old=no ;; esac
    [ $old = yes ] || printf '%s\n' "$line"
    case $line in '<!-- samples: '*) tables; old=yes ;; esac
  done <"$root/README.md"
}

if [ "${1:-}" = --write ]; then
  text=$(fresh)
  printf '%s\n' "$text" >"$root/README.md"
else
  fresh
fi
