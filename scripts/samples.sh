# What ./run and the installed launcher share (sourced, not run): messages, and the list of samples. Needs $root, the
# project's folder, and $me, the name that messages begin with.

say() { printf '%s: %s\n' "$me" "$*" >&2; }
die() { say "$1"; exit "${2:-1}"; }

shorten() { # what a user typed, as messages repeat it
  local text=${1//[[:cntrl:]]/?}
  [ ${#text} -le 60 ] && printf '%s' "$text" || printf '%s...' "${text:0:60}"
}

# The samples as lines NAME|FILE|KIND|PICTURE|NEEDS|WORDS: what the calls of add_sample() in the folders of samples say, in
# their order (cmake/AddSample.cmake). FILE is the .cu, KIND still, animation or numeric, PICTURE a file of the project, or
# empty. WORDS are what the first line of FILE, "// NAME - WORDS.", tells. An installation has the lines in a file.
samples() {
  [ ! -e "$root/samples.list" ] || { cat "$root/samples.list"; return; }
  (
    cd "$root"
    shopt -s nullglob
    lists=(chapter*/CMakeLists.txt appendix*/CMakeLists.txt cs418*/CMakeLists.txt)
    [ ${#lists[@]} -eq 0 ] || awk '
      function there(file,  line) { if ((getline line < file) < 0) return 0; close(file); return 1 }
      function after(word) { for (i = 1; i < n; ++i) if (words[i] == word) return words[i + 1]; return "" }
      function sample(call,  name, file, line, kind, picture) {
        n = split(call, words, /[ ()]+/)
        name = words[2]
        file = FILENAME
        sub(/CMakeLists.txt/, name ".cu", file)
        if (!there(file)) sub(/[^\/]*$/, name "/" name ".cu", file)
        line = ""
        getline line < file
        close(file)
        sub("^// " name " - ", "", line)
        sub(/\.$/, "", line)
        kind = call ~ / ANIMATION[ )]/ ? "animation" : call ~ / STILL[ )]/ ? "still" : "numeric"
        picture = after("PICTURE")
        if (picture == "" && there("docs/gallery/" name ".png")) picture = name ".png"
        if (picture != "" && !sub(/^\//, "", picture)) picture = "docs/gallery/" picture
        print name "|" file "|" kind "|" picture "|" after("NEEDS") "|" line
      }
      FNR == 1 { call = "" }
      /^add_sample\(/ || call != "" { call = call $0 " " }
      call ~ /\) *$/ { sample(call); call = "" }' "${lists[@]}"
  )
}

# sample_field NAME COLUMN: that column of the sample's line.
sample_field() { samples | awk -F'|' -v name="$1" -v column="$2" '$1 == name { print $column }'; }

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

list_samples() { samples | while IFS='|' read -r name _ _ _ _ words; do printf '%-26s %s\n' "$name" "$words"; done; }
