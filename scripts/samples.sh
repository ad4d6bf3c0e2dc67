# What ./run and the installed launcher share (sourced, not run): messages, and the registry of samples. Needs $root, the
# folder of samples.txt, and $me, the name that messages begin with.

say() { printf '%s: %s\n' "$me" "$*" >&2; }
die() { say "$1"; exit "${2:-1}"; }

shorten() { # what a user typed, as messages repeat it
  local text=${1//[[:cntrl:]]/?}
  [ ${#text} -le 60 ] && printf '%s' "$text" || printf '%s...' "${text:0:60}"
}

# The samples as lines NAME|FOLDER|WORDS, in the order of samples.txt.
samples() { sed -n 's/^\([a-z0-9_]*\) | \([^ |]*\) | .* | \([^|]*\)$/\1|\2|\3/p' "$root/samples.txt"; }

# nearest_sample WORD: the samples whose names contain WORD or, where none does, begin with its first three letters.
nearest_sample() {
  local word=${1,,} near
  near=$(samples | cut -d'|' -f1 | grep -F -e "$word") || near=$(samples | cut -d'|' -f1 | grep "^${word:0:3}") || return 0
  [ ${#word} -lt 2 ] || paste -sd, <<<"$near" | sed 's/,/, /g'
}

# refuse_unknown_sample NAME COMMAND: ends the program unless NAME is a sample; COMMAND is what lists them.
refuse_unknown_sample() {
  local near
  # awk reads to the end. (grep -q would not, and with pipefail the writer's broken pipe then counts as a failure.)
  if samples | awk -F'|' -v wanted="$1" '$1 == wanted { found = 1 } END { exit !found }'; then return 0; fi
  [ ! -e "$1" ] || die "'$(shorten "$1")' is not a sample; $2 takes a sample's name or .cu, .cpp and .c files. $2 --list shows the samples" 2
  near=$(nearest_sample "$(shorten "$1")")
  if [ "$2" = ./run ] && [ -f "$1.cu" ]; then near=$1.cu; fi
  die "there is no sample named '$(shorten "$1")'$([ -z "$near" ] && echo ";" || echo "; did you mean $near?") $2 --list shows them all" 2
}

list_samples() { samples | while IFS='|' read -r name _ words; do printf '%-26s %s\n' "$name" "$words"; done; }
