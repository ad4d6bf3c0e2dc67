#!/usr/bin/env bash
# diff.sh A B: the difference of two samples or files, without their comments (./run diff calls this).
set -euo pipefail
root=$(cd "$(dirname "$(readlink -f "$0")")/.." && pwd) me=diff
. "$root/scripts/samples.sh"
[ $# -eq 2 ] || die "usage: run diff A B, two samples or files: run diff ray_noconst ray" 2

# The file of sample $1, or the file $1 itself.
file_of() {
  local file
  file=$(sample_field "$1" 2)
  if [ -n "$file" ]; then
    echo "$root/$file"
  elif [ -f "$1" ]; then
    echo "$1"
  else
    local near
    near=$(nearest_samples "$(shorten "$1")")
    die "there is no sample or file '$(shorten "$1")'${near:+; did you mean $near?}" 2
  fi
}
first=$(file_of "$1") || exit 2
second=$(file_of "$2") || exit 2

# The preprocessor takes the comments out, and their lines.
plain() { g++ -fpreprocessed -dD -E -P -x c++ "$1"; }
color=never
[ ! -t 1 ] || color=always
code=0
diff --color=$color -U 2 --label "$1" --label "$2" <(plain "$first") <(plain "$second") || code=$?
[ $code -le 1 ] || exit 2
