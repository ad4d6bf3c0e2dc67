# What ./run and grading share (sourced, not run): a program that failed is followed by the command that tells why.

# typed WORD...: the words as one types them, quoted only where the shell needs it.
typed() {
  local word words=()
  for word; do
    case $word in
      '' | *[!A-Za-z0-9_./=,:@%+-]*) word=$(printf %q "$word") ;;
    esac
    words+=("$word")
  done
  printf '%s' "${words[*]}"
}

# explain_command RUN WORD...: the command that explains what `RUN WORD...` did, with what it depends on besides.
explain_command() {
  local name settings=()
  for name in STANDARD EMULATED_ORDER EMULATED_DEVICES; do
    [ -z "${!name:-}" ] || settings+=("$name=${!name}")
  done
  typed ${settings[@]+"${settings[@]}"} "$1" --explain "${@:2}"
}

# tell_more DEVICE COMMAND: the line that ends a failed run. COMMAND comes from explain_command.
tell_more() {
  case $1 in
    gpu) printf 'To learn why, on the emulated device: DEVICE=emulated %s\n' "$2" ;;
    *) printf 'To learn why: %s\n' "$2" ;;
  esac >&2
}

# tell_wrong COMMAND: after the line above, where a check has found a wrong element (common/check.cpp leaves the file).
tell_wrong() {
  [ -e "$SAMPLES_WRONG_ELEMENT" ] || return 0
  printf 'To step to the write of the first wrong element: %s --wrong\n' "${1/ --explain / --step }" >&2
}

# hand_on SIGNAL: to the program, once it has begun.
hand_on() {
  if [ "${!:-}" = "$before" ]; then
    trap - "$1"
    kill -"$1" $$
  elif kill -"$1" $! 2>/dev/null; then
    again=yes
  fi
}

# run_program DEVICE COMMAND NAME PROGRAM [argument...]: runs PROGRAM under NAME, and ends as it ends, by an exit code or by a
# signal. After a failure (a crash, or an exit code but 0, 2, 3 and 77, as of main() returning CUDA's error) the line above
# comes first, unless COMMAND is empty. The program runs in the background, where bash can hand on signals while it runs; it
# keeps the terminal and Ctrl-C.
run_program() {
  local device=$1 command=$2 name=$3 signals=(HUP INT QUIT TERM USR1 USR2) before=${!:-} again=yes signal code
  shift 3
  [ -e /dev/stdin ] || exec </dev/null
  export SAMPLES_WRONG_ELEMENT=${TMPDIR:-/tmp}/wrong_element.$$
  for signal in "${signals[@]}"; do trap "hand_on $signal" "$signal"; done
  (
    trap - INT QUIT
    exec -a "$name" "$@"
  ) <&0 &
  while [ $again = yes ]; do # a signal ends the waiting, but perhaps not the program
    again=no code=0
    wait $! 2>/dev/null || code=$?
  done
  trap - "${signals[@]}"

  signal=''
  if [ $code -gt 128 ] && [ $code -lt 160 ]; then signal=$(kill -l $code); fi
  case ${signal:-$code} in
    0 | 2 | 3 | 77) ;;
    ABRT | BUS | FPE | ILL | SEGV | [0-9]*)
      [ -z "$command" ] || { tell_more "$device" "$command"; tell_wrong "$command"; }
      ;;
  esac
  rm -f "$SAMPLES_WRONG_ELEMENT"
  if [ -n "$signal" ]; then
    ulimit -c 0 # one core file is enough
    kill -"$signal" $$
  fi
  exit $code
}
