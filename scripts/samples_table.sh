#!/usr/bin/env bash
# samples_table.sh [--write]: the tables between the marks in the READMEs, as the tree gives them. In README.md the samples:
# of each folder its title (the first line of its README.md) and a row per sample. In the README of a chapter its samples,
# with their pictures where all have one. In the README of a ladder its rungs: the first line of each N_NAME.cuh, behind
# "#pragma once". With --write the tables replace those in the READMEs; without it
# the differences are printed, and the exit code is 1 when there are any.
set -euo pipefail
root=$(cd "$(dirname "$(readlink -f "$0")")/.." && pwd)
. "$root/scripts/samples.sh"

samples_table() {
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

folder_table() { # FOLDER: its samples
  local name file picture words cell pictures=yes rows=()
  while IFS='|' read -r name file _ picture _ words; do
    [ "${file%%/*}" = "$1" ] || continue
    [ -n "$picture" ] || pictures=no
    file=${file#*/}
    cell="[\`$file\`]($file)"
    [ "${file%/*}" = "$file" ] || cell="[\`${file%/*}/\`](${file%/*}/README.md)"
    rows+=("| $cell | $words | <img src=\"../$picture\" width=\"128\" alt=\"$name\"> |")
  done < <(samples)
  if [ $pictures = yes ]; then
    printf '\n| sample | what it shows | picture |\n|---|---|---|\n'
    printf '%s\n' "${rows[@]}"
  else
    printf '\n| sample | what it shows |\n|---|---|\n'
    printf '%s\n' "${rows[@]/%| <img*/|}"
  fi
  echo
}

rungs_table() { # FOLDER
  local path file name words
  printf '\n| rung | what it is |\n|---|---|\n'
  for path in "$1"/[0-9]_*.cuh; do
    file=${path##*/}
    name=${file#?_} name=${name%.cuh}
    words=$(sed -n "2s,^// $name - \(.*\)\.\$,\1,p" "$path")
    [ -n "$words" ] || { printf '%s:2: it must be "// %s - what it is, in a few words."\n' "$path" "$name" >&2; exit 1; }
    printf '| [`%s`](%s) | %s |\n' "$file" "$file" "$words"
  done
  echo
}

fresh() { # README KIND TABLE...: its text, with what TABLE... prints between the marks of that kind
  local readme=$1 kind=$2 line marks=0 old=no
  shift 2
  while IFS= read -r line; do
    case $line in "<!-- end of $kind -->") old=no ;; esac
    [ $old = yes ] || printf '%s\n' "$line"
    case $line in "<!-- $kind: made by scripts/samples_table.sh -->") "$@"; old=yes marks=$((marks + 1)) ;; esac
  done <"$readme"
  [ $old$marks = no1 ] || { echo "$readme has no place for the table of $kind" >&2; exit 1; }
}

differs=0
table() { # README KIND TABLE...
  local text
  text=$(fresh "$@") || exit 1
  printf '%s\n' "$text" | diff --label "${1#"$root/"}" --label "the tree" -u "$1" - || differs=1
  [ "$write" = no ] || [ $differs -eq 0 ] || printf '%s\n' "$text" >"$1"
}

write=no
[ "${1:-}" != --write ] || write=yes
table "$root/README.md" samples samples_table
for readme in "$root"/chapter*/README.md "$root"/appendix*/README.md; do
  folder=${readme%/README.md}
  table "$readme" samples folder_table "${folder##*/}"
done
for readme in "$root"/*/*/README.md; do
  folder=${readme%/README.md}
  ! compgen -G "$folder/[0-9]_*.cuh" >/dev/null || table "$readme" rungs rungs_table "$folder"
done
[ $write = yes ] || exit $differs
