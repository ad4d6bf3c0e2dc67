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

# sample_of_file FILE: the sample that this file is.
sample_of_file() {
  samples | while IFS='|' read -r name file _; do [ ! "$1" -ef "$root/$file" ] || echo "$name"; done
}

is_sample() { [ -n "$(sample_field "$1" 1)" ]; }

# nearest_samples WORD: at most five samples whose names nearly are WORD, or hold it, or begin as it does; the nearest first.
nearest_samples() { samples | cut -d'|' -f1 | nearest "$1"; }

# nearest WORD: the same of the names that standard input lists.
nearest() {
  awk -v word="${1,,}" '
    function least(a, b) { return a < b ? a : b }
    function distance(a, b,  i, j, d, changed) { # letters to change, to add, to leave out, or to exchange with the next
      for (i = 0; i <= length(a); ++i) d[i, 0] = i
      for (j = 0; j <= length(b); ++j) d[0, j] = j
      for (i = 1; i <= length(a); ++i)
        for (j = 1; j <= length(b); ++j) {
          changed = d[i - 1, j - 1] + (substr(a, i, 1) != substr(b, j, 1))
          d[i, j] = least(changed, 1 + least(d[i - 1, j], d[i, j - 1]))
          if (i > 1 && j > 1 && substr(a, i - 1, 2) == substr(b, j, 1) substr(b, j - 1, 1))
            d[i, j] = least(d[i, j], d[i - 2, j - 2] + 1)
        }
      return d[length(a), length(b)]
    }
    length(word) < 2 { next }
    { away = distance(word, $0); close_by = away <= (length(word) > 5 ? 2 : 1) }
    close_by || index($0, word) { print away, $0; found = 1; next }
    substr($0, 1, 3) == substr(word, 1, 3) { others[$0] = away }
    END { if (!found) for (name in others) print others[name], name }' |
    sort -n | sed -n '1,5s/^[0-9]* //p' | paste -sd, | sed 's/,/, /g'
}

# refuse_missing_file FILE: ends the program; tells a sample from a file.
refuse_missing_file() {
  local name
  name=$(basename "$1" .cu)
  [ ! -e "$1" ] || die "'$(shorten "$1")' is a $(stat -Lc %F -- "$1"), not a file" 2
  is_sample "$name" || die "there is no file '$(shorten "$1")'" 2
  die "there is no file '$(shorten "$1")'; did you mean the sample $name?" 2
}

# refuse_unknown_sample NAME COMMAND [WORD...]: ends the program unless NAME is a sample. COMMAND is what lists them, and was
# typed with NAME and the words.
refuse_unknown_sample() {
  local name=$1 command=$2 file near
  ! is_sample "$name" || return 0
  if [ "$command" = ./run ]; then
    case ${name,,} in
      help | list) die "there is no sample named '$name'; did you mean ./run --${name,,}?" 2 ;;
      test | tests) die "there is no sample named '$name'; did you mean ./run_tests?" 2 ;;
      explain) die "there is no sample named '$name'; did you mean ./run --explain?" 2 ;;
    esac
    case $name in
      –* | —*) # as word processors and web pages make of --
        file=${name#–}
        die "'$(shorten "$name")' begins with a long dash; did you mean --$(shorten "${file#—}")?" 2
        ;;
      */) [ ! -f "${name%/}" ] || die "there is no folder '$(shorten "$name")'; did you mean $(shorten "${name%/}")?" 2 ;;
    esac
    [ ! -f "$name.cu" ] || die "there is no sample named '$(shorten "$name")'; did you mean $(shorten "$name.cu")?" 2
    for file in "$name ${*:3:1}" "$name ${*:3:2}" "$name ${*:3:3}"; do # a path with spaces, without quotes
      [[ $file != *.cu ]] || [ ! -f "$file" ] || die "there is a space in '$(shorten "$file")'; put quotes around it" 2
    done
  fi
  [ ! -e "$name" ] || die "'$(shorten "$name")' is not a sample; $command takes a sample's name or .cu, .cpp and .c files. $command --list shows the samples" 2
  near=$(nearest_samples "$(shorten "$name")")
  die "there is no sample named '$(shorten "$name")'$([ -z "$near" ] && echo ";" || echo "; did you mean $near?") $command --list shows them all" 2
}

list_samples() { samples | while IFS='|' read -r name _ _ _ _ words; do printf '%-26s %s\n' "$name" "$words"; done; }

# take_little SAMPLE KIND [option...]: sets words to what SAMPLE gets under --explain. Where no option says how much it is to
# compute, that is little.
take_little() {
  local sample=$1 kind=$2 pattern='^ ((--(headless|check|(output|seed|method|device)[ =][^ ]+) )*)$'
  words=("${@:3}")
  [[ " ${words[*]+"${words[*]} "}" =~ $pattern ]] || return 0
  case $kind in
    still | animation)
      [[ " ${words[*]-} " = *" --headless "* ]] || words=(--headless ${words[@]+"${words[@]}"})
      words=(--size 128 "${words[@]}")
      [ "$kind" = still ] || words+=(--frames 1)
      ;;
  esac
  case $sample in
    circle_renderer) words=(rand10k "${words[@]}") ;;
    hist_*) words+=(--bytes 100000) ;;
    dot_*) words+=(-n 100000) ;;
    single_stream | double_stream | many_streams | stream_graph) words+=(-n 20000 --chunk 5000) ;;
    saxpy | scan | find_repeats | hashtable*) words+=(-n 10000) ;;
  esac
}
