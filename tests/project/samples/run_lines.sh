# run_lines.sh BIN PROJECT FILE...: runs the command lines that each FILE (a source or a README) shows its readers, with
# smaller arrays and shorter films, from the project's root; BIN holds the built samples. Text after two spaces or # explains
# a line: FAIL there expects exit code 1, "may FAIL" allows 0, too, and a long run has to say seconds or minutes.
# Environment variables: BUILD_DEVICE, gpu or emulated, what BIN was built for; LONGEST_RUN_LINE, in processor seconds.
set -u
bin=$1 project=$2
shift 2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# The project's root, but for what the commands write.
ln -s "$project"/* "$folder"
rm -f "$folder/run" "$folder/build"
cat >"$folder/run" <<END
#!/bin/sh
sample=\$1
shift
case \$sample in --explain | --step | --watch | --site | try | diff) exit 0 ;; esac  # tests of their own
case "\$sample \$*" in *my_*.cu*) exit 0 ;; esac  # what the reader is to write
[ "\$sample" != grade ] || exec python3 scripts/grade.py "$bin" "${BUILD_DEVICE:-emulated}" "\$@"
exec "$bin/\$sample" "\$@"
END
chmod +x "$folder/run"
cd "$folder" || exit 1
unset DISPLAY WAYLAND_DISPLAY

# Prints the lines of a file that are commands, each with its explanation.
run_lines() {
  case $1 in
    *.md)
      # Code blocks: indented by four spaces, or fenced. A line that ends with a backslash goes on in the next.
      awk '/^ *```/ { fenced = !fenced; next }
           fenced || /^    / { sub(/^ +/, ""); if (sub(/ *\\$/, " ")) { printf "%s", $0; next } print }' "$1" |
        grep -E "^([A-Z_]+=[^ ]+ )*(\./run( |\$)|diff |ncu |compute-sanitizer |build/)"
      ;;
    *)
      # "//   NAME options" is "./run NAME options" for the sample's own name.
      sed -nE "s#^//   ($(basename "$1" .cu)( .*)?)\$#//   ./run \1#; s#^//   (([A-Z_]+=[^ ]+ )*\./run .*|diff .*)\$#\1#p" "$1"
      ;;
  esac
}

# Prints the command with a small array: -n above a million, and saxpy's default.
with_small_arrays() {
  sed -E 's/ -n [0-9]{7,}( |$)/ -n 100003\1/; / -n /!s#^(.*\./run saxpy)( |$)#\1 -n 100003\2#' <<<"$1"
}

# Prints the command with a short film, and before it how many times as long the film is as written. An animated sample
# makes 30 frames where no option says how many; circle_renderer's scenes differ in that.
film_frames=6
animated=$(python3 "$project/scripts/samples.py" list | awk -F'|' '$3 == "animation" { print $1 }' |
  grep -v circle_renderer)
with_short_film() { # COMMAND
  local frames='' sample
  frames=$(sed -nE 's/.* --frames ([0-9]+).*/\1/p' <<<"$1")
  if [ -n "$frames" ]; then
    [ "$frames" -gt $film_frames ] || { echo "1 $1"; return; }
    awk -v n="$frames" -v m=$film_frames -v line="$(sed -E "s/ --frames [0-9]+/ --frames $film_frames/" <<<"$1")" \
      'BEGIN { print n / m, line }'
    return
  fi
  sample=$(sed -nE 's/.*\.\/run ([a-z0-9_]+).*/\1/p' <<<"$1")
  case "$1" in *--benchmark*) sample= ;; esac
  if [ -n "$sample" ] && grep -qx "$sample" <<<"$animated"; then
    awk -v m=$film_frames -v line="$1" 'BEGIN { print 30 / m, line " --frames " m }'
  else
    echo "1 $1"
  fi
}

# Processor seconds from which on a line has to say that it takes long: ten seconds on two cores.
longest=${LONGEST_RUN_LINE:-20}

failed=0
# Looks at a line that is not run here, because it needs a GPU, its tools, or another build: that the program is there, that
# it takes the options, and that it takes their values.
check_use() { # LINE COMMAND
  local words program arguments help option problem=''
  words=" $2"
  case $words in
    *" my_"*.cu*) ;;  # what the reader is to write
    */benchmarks/*)
      program=$(sed -E 's#.*/benchmarks/([a-z0-9_]+).*#\1#' <<<"$words")
      grep -qw "$program" "$project"/benchmarks/*.cmake || problem="benchmarks/ makes no $program"
      ;;
    *)
      read -r program arguments <<<"$(sed -E 's#.* (\./run |build/[a-z]+/bin/)##' <<<"$words")"
      if ! help=$("$bin/$program" --help 2>&1); then
        problem="$program has no --help"
      else
        for option in $arguments; do
          case $option in --[a-z]*) grep -q -e "[ ,]$option\b" <<<"$help" || problem="$program has no $option" ;; esac
        done
        [ -n "$problem" ] || problem=$("$bin/$program" $arguments --help 2>&1 >/dev/null)
      fi
      ;;
  esac
  if [ -z "$problem" ]; then
    echo "not run here, looks right: $1"
  else
    echo "$problem: $1"
    failed=1
  fi
}

# What each command has given, for when another line or another file shows it again.
declare -A seconds_of code_of

# Runs one line of $file.
run_line() {
  local line=$1 command explanation code took times small expected=0 TIMEFORMAT=%U
  command=$(sed -E 's/(  +|[ ]*#).*$//' <<<"$line")
  explanation=${line#"$command"}
  case $command in
    './run --list' | './run --help' | './run') return ;;
    ncu\ * | compute-sanitizer\ * | build/* | *'SANITIZE=1 '* | *'DEVICE=gpu '*)
      check_use "$line" "$command"
      return
      ;;
  esac
  case "${BUILD_DEVICE:-emulated} $command" in 'gpu EMULATED_'*)  # devices that a machine with a GPU may not have
    check_use "$line" "$command"
    return
    ;;
  esac
  if [ -z "${code_of[$command]:-}" ] || [ "${code_of[$command]}" -gt 1 ]; then
    # The processor's seconds: they do not depend on what else the machine does.
    read -r times small <<<"$(with_short_film "$(with_small_arrays "$command")")"
    took=$({ time timeout 300 bash -c "$small" >out 2>err </dev/null; echo $? >code; } 2>&1)
    seconds_of[$command]=$(awk -v s="$took" -v times="$times" 'BEGIN { print int(s * times) }') code_of[$command]=$(cat code)
  fi
  took=${seconds_of[$command]} code=${code_of[$command]}
  case $explanation in *'may FAIL'*) [ $code = 1 ] && code=0 ;; *FAIL*) expected=1 ;; esac
  case $command in diff\ *) [ $code = 1 ] && code=0 ;; esac
  if [ $code = 77 ] && [ -s err ]; then
    echo "not on this device: $line"
  elif [ $code = 2 ] && grep -q ffmpeg err && ! command -v ffmpeg >/dev/null; then
    echo "not without ffmpeg: $line"
  elif [ $code != $expected ]; then
    echo "exit code $code, expected $expected: $line"
    tail -n 5 out err
    failed=1
  elif [ "$took" -gt "$longest" ] && ! grep -qi 'second\|minute' <<<"$explanation"; then
    echo "takes $took processor seconds here, and does not say so: $line"
    failed=1
  elif [ "${BUILD_DEVICE:-emulated}" = emulated ] && grep -hEv 'on the CPU|\(emulated\)' out err |
    grep -E "GB/s|% of copy$(grep -q '^Times of the emulated device' out || echo '|[0-9] (ms|frames/s)')"; then
    echo "looks like a GPU's time: $line"
    failed=1
  else
    echo "ok, $took s: $line"
  fi
}

for file; do
  [ -r "$file" ] || { echo "cannot read $file"; exit 1; }
  lines=$(run_lines "$file")
  case $lines:$file in :*.cu) echo "$file shows no run line"; failed=1 ;; esac
  while IFS= read -r line; do
    [ -z "$line" ] || run_line "$line"
  done <<<"$lines"
done
exit $failed
