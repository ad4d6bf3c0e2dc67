#!/usr/bin/env bash
# samples_table.sh [--write]: the rows of README.md's tables, one per line of samples.txt. With --write they take the
# place of the rows in README.md: each chapter's stand under the heading that links to its folder.
set -euo pipefail
root=$(cd "$(dirname "$(readlink -f "$0")")/.." && pwd)

rows() { # of the folders below $1
  sed -n 's/^\([a-z0-9_]*\) | \([^ |]*\) | [a-z]* | \([^ |]*\) |.*| \([^|]*\)$/\1|\2|\3|\4/p' "$root/samples.txt" |
    while IFS='|' read -r name folder picture words; do
      [ "${folder%%/*}" = "$1" ] || continue
      cell=numbers
      case $picture in -) ;; /*) picture=${picture#/} ;; *) picture=docs/gallery/$picture ;; esac
      [ "$picture" = - ] || cell="<img src=\"$picture\" width=\"128\" alt=\"$name\">"
      printf '| `%s` | %s | %s |\n' "$name" "$words" "$cell"
    done
}

# Prints README.md with fresh rows.
fresh() {
  local folder='' line
  while IFS= read -r line; do
    case $line in
      '### '*'('*'/README.md)'*) folder=${line##*(} folder=${folder%%/*} ;;
      '## '*) folder='' ;;
    esac
    case $folder:$line in
      ?*:'| `'*) continue ;;
      ?*:'|---'*) printf '%s\n' "$line"; rows "$folder"; continue ;;
    esac
    printf '%s\n' "$line"
  done <"$root/README.md"
}

if [ "${1:-}" = --write ]; then
  text=$(fresh)
  printf '%s\n' "$text" >"$root/README.md"
else
  fresh
fi
