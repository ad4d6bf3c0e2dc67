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

# nearest_sample WORD: what WORD may stand for: the sample that it misses by one letter, else those whose names begin with
# it or contain it, else the one whose name is closest (Levenshtein's distance), if any is close.
nearest_sample() {
  samples | awk -F'|' -v word="$(shorten "$1")" '
    function least(a, b, c) { return a < b ? (a < c ? a : c) : (b < c ? b : c) }
    function distance(a, b,   i, j, d) {
      for (i = 0; i <= length(a); ++i) d[i, 0] = i
      for (j = 0; j <= length(b); ++j) d[0, j] = j
      for (i = 1; i <= length(a); ++i)
        for (j = 1; j <= length(b); ++j)
          d[i, j] = least(d[i - 1, j] + 1, d[i, j - 1] + 1, d[i - 1, j - 1] + (substr(a, i, 1) != substr(b, j, 1)))
      return d[length(a), length(b)]
    }
    function join(list, name) { return list (list == "" ? "" : ", ") name }
    BEGIN { best = 99; word = tolower(word) }
    { n = distance(word, $1); if (n < best) { best = n; name = $1 } }
    index($1, word) == 1 { beginning = join(beginning, $1) }
    index($1, word) > 1 { containing = join(containing, $1) }
    END {
      if (length(word) < 2) exit
      if (best <= 1) print name
      else if (beginning != "") print beginning
      else if (containing != "" && length(word) > 2) print containing
      else if (best <= 2 + length(name) / 4) print name
    }'
}

# refuse_unknown_sample NAME COMMAND: ends the program unless NAME is a sample; COMMAND is what lists them.
refuse_unknown_sample() {
  local near
  # awk reads to the end. (grep -q would not, and with pipefail the writer's broken pipe then counts as a failure.)
  if samples | awk -F'|' -v wanted="$1" '$1 == wanted { found = 1 } END { exit !found }'; then return 0; fi
  near=$(nearest_sample "$1")
  die "there is no sample named '$(shorten "$1")'$([ -z "$near" ] && echo ";" || echo "; did you mean $near?") $2 --list shows them all" 2
}

list_samples() { samples | while IFS='|' read -r name _ words; do printf '%-26s %s\n' "$name" "$words"; done; }
