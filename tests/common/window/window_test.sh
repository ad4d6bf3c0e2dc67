#!/bin/bash
# window_test.sh CASE PROGRAM HELPER KEEP_LIBRARIES [SAMPLE...]: drives a program's window under a virtual display of its own.
# Nothing waits for a fixed time: every step polls for what it expects, until a deadline.
set -u
case_name=$1 program=$2 helper=$3 keep_libraries=$4
here=$(cd "$(dirname "$0")" && pwd)
deadline_s=60

for tool in Xvfb xdotool; do
  if ! command -v $tool > /dev/null; then
    echo "skipped: $tool is not installed (packages xvfb, xdotool)"
    exit 77
  fi
done

folder=$(mktemp -d)
server='' running=''
finish() {
  [ -n "$running" ] && kill "$running" 2> /dev/null
  [ -n "$server" ] && kill "$server" && wait "$server" 2> /dev/null
  rm -rf "$folder"
}
trap finish EXIT
cd "$folder" || exit 1

fail() {
  echo "FAILED: $*"
  [ -z "${window:-}" ] || echo "--- title: $(title)"
  echo "--- standard output"; cat out.txt
  echo "--- standard error"; head -c 4000 err.txt
  exit 1
}

# until_true DESCRIPTION COMMAND...: repeats the command until it succeeds.
until_true() {
  local what=$1 end=$((SECONDS + deadline_s))
  shift
  until "$@" > /dev/null 2>&1; do
    [ $SECONDS -lt $end ] || fail "still not so after $deadline_s s: $what"
    sleep 0.03
  done
}

start_server() {
  rm -f display.txt
  # The server picks a free display itself, so tests can run at the same time.
  Xvfb -displayfd 3 -screen 0 800x600x24 -nolisten tcp -noreset "$@" 3> display.txt 2> /dev/null &
  server=$!
  until_true "Xvfb is up" test -s display.txt
  DISPLAY=:$(cat display.txt)
  export DISPLAY
}

start() {
  ASAN_OPTIONS=verify_asan_link_order=0 LSAN_OPTIONS=suppressions=$here/leaks.supp:print_suppressions=0 \
    LD_PRELOAD=$keep_libraries "$program" "$@" > out.txt 2> err.txt &
  running=$!
}

find_window() {
  window=$(xdotool search --onlyvisible --name "^$(basename "$program")" 2> /dev/null | head -1)
  [ -n "$window" ]
}

# A program that ended with 77 before its window was there cannot run here.
window_or_end() { find_window || ! kill -0 "$running" 2> /dev/null; }

open_window() {
  start "$@"
  until_true "the window is there" window_or_end
  if ! find_window; then
    wait "$running"
    local code=$?
    running=''
    if [ $code = 77 ]; then
      echo "skipped: $(cat err.txt)"
      exit 77
    fi
    fail "ended with exit code $code and no window"
  fi
}

title() { xdotool getwindowname "$window"; }
title_matches() { [[ $(title) =~ $1 ]]; }
title_lacks() { [[ ! $(title) =~ $1 ]]; }
frame_in_title() { title | sed -n 's/.*paused at frame \([0-9]*\)$/\1/p'; }
# Pauses twice: frames were drawn in between.
moves() {
  local before
  press space
  until_true "it pauses" title_matches paused
  before=$(frame_in_title)
  press space
  until_true "it goes on" title_matches '  [0-9.]+ ms  '
  press space
  until_true "it pauses" title_matches paused
  [ "$(frame_in_title)" -gt "$before" ] || fail "no frame between two pauses"
  press space
  until_true "it goes on" title_lacks paused
}
press() { xdotool key --window "$window" "$1"; }
has_line() { grep -qx -- "$1" out.txt; }
lines() { grep -cx -- "$1" out.txt; }
lines_are() { [ "$(lines "$1")" -ge "$2" ]; }
resize() { xdotool windowsize "$window" "$1" "$2"; }
pixel_is() { [ "$("$helper" pixel "$window" "$1" "$2")" = "$3" ]; }
is_bright() { [ "$("$helper" pixel "$window" "$1" "$2" | tr ' ' '\n' | sort -n | tail -1)" -gt 100 ]; }
is_dark() { [ "$("$helper" pixel "$window" "$1" "$2" | tr ' ' '\n' | sort -n | tail -1)" -lt 60 ]; }
# Something bright where the effects of the keys begin, row by row: letters.
has_letters() {
  local y
  for ((y = 180; y < 220; ++y)); do is_bright 211 $y && return; done
  return 1
}
# Within seconds heat arrives there on its own, so the plates restart (also when they are paused).
corners_are_cold() {
  press r
  is_dark 118 $((height - 10)) && is_dark 250 $((height - 10))
}
# Dragged again until it shows: a busy machine may deliver all of a drag between two frames.
drag_heats() {
  xdotool mousemove --window "$window" 240 $((height - 10)) mousedown 1 \
    mousemove --window "$window" 250 $((height - 10)) mouseup 1
  is_bright 250 $((height - 10))
}
window_is() { [ "$(xdotool getwindowgeometry "$window" | sed -n 's/.*Geometry: //p')" = "$1" ]; }
ended() { ! kill -0 "$running" 2> /dev/null; }

# The program ends without further input: with exit code $1, and having said all that it says after its window.
expect_end() {
  until_true "the program ends" ended
  wait "$running"
  local code=$?
  running=''
  [ $code = "$1" ] || fail "exit code $code, expected $1"
}

# expect_gone HOW OPTION...: another client destroys the window, or has the server drop the program (windowkill). One
# sentence, no program that stays without a window.
expect_gone() {
  local how=$1
  shift
  open_window "$@"
  take_away "$how"
  expect_end 1
  expect_sentence "$how"
}
take_away() {
  case $1 in
    destroy) "$helper" destroy "$window" ;;
    windowkill) xdotool windowkill "$window" ;;
  esac
}
expect_sentence() {
  local sentence='the window is gone, or the display cannot show it ('
  [ "$1" = destroy ] || sentence='the display was closed, and the window with it.'
  [ "$(grep -cF "$(basename "$program"): $sentence" err.txt)" = 1 ] || fail "$1: not said once"
  ! grep -qE '^X (Error|connection)|^XIO' err.txt || fail "$1: said by Xlib, too"
}

save() {
  press s
  until_true "$1 is written" test -s "$1"
}

case $case_name in
  keys)
    start_server
    open_window --window
    until_true "the title tells the speed" title_matches \
      '^moving  300 x 200  [0-9.e+]+ frames/s  [0-9.e-]+ ms  (emulated|copied)$'
    moves
    press space
    until_true "it pauses" title_matches paused
    save moving_0001.png
    save moving_0002.png
    cmp moving_0001.png moving_0002.png || fail "the picture changed while paused"
    has_line "Wrote $PWD/moving_0001.png" || fail "the path was not printed"
    cp moving_0001.png before.png
    press space
    until_true "it goes on" title_lacks paused
    until_true "the title tells the speed again" title_matches 'frames/s'
    press k
    until_true "another key reaches the program" has_line "key k"
    press r
    until_true "it restarts" lines_are "frame 0" 2
    has_line restart || fail "the program did not hear of the restart"
    press space
    until_true "it pauses" title_matches paused
    press r
    until_true "it restarts, also when paused" lines_are "frame 0" 3
    until_true "and is paused still" title_matches 'paused at frame 1$'
    save moving_0003.png
    cmp -s before.png moving_0001.png || fail "a saved picture was overwritten"
    press Escape
    expect_end 0
    has_line "returned 0" || fail "Esc did not return to the program"
    grep -q 'k (reports that it was pressed)' out.txt || fail "the program's own key is not printed"
    [ "$(grep -c 'Esc or q (quit)' out.txt)" = 1 ] || fail "the keys are not printed once"
    ;;
  help) # h or ? shows keys and mouse over the picture
    start_server
    open_window --window --frames 100000
    press space
    until_true "it pauses" title_matches paused
    press r
    until_true "it is at the first frame" title_matches 'paused at frame 1$'
    until_true "300 x 200 pixels are shown as 600 x 400" window_is 600x400
    until_true "the picture is there" pixel_is 300 60 "0 64 64"
    for key in h question; do
      press $key
      until_true "$key darkens the picture behind the keys" is_dark 530 150
      has_letters || fail "nothing is written"
      press $key
      until_true "$key again takes them away" pixel_is 530 150 "0 64 64"
    done
    press h
    save moving_0001.png
    press h
    save moving_0002.png
    cmp moving_0001.png moving_0002.png || fail "the keys are in the saved picture"
    press Escape
    expect_end 0
    ;;
  ends) # q and the close button return to the program
    start_server
    for how in key button; do
      open_window
      if [ $how = key ]; then press q; else "$helper" close "$window"; fi
      expect_end 0
      has_line "returned 0" || fail "the $how did not return to the program"
    done
    ;;
  mouse)
    start_server
    open_window --size 300 --height 200
    resize 300 200
    until_true "the window is as large as the picture" window_is 300x200
    # Moves at two calls, so that the program has to see the positions one by one.
    xdotool mousemove --window "$window" 10 20 mousedown 1
    until_true "the press arrives" has_line "drag 10 179 10 179"
    xdotool mousemove --window "$window" 15 25
    until_true "the way arrives" has_line "drag 10 179 15 174"
    xdotool mousemove --window "$window" 400 60 mouseup 1
    until_true "the release arrives, as a place inside the picture" has_line "released 10 179 299 139"
    # A wider window: the picture stays in the middle, 150 to 449. (fit_test.cpp has other shapes.)
    resize 600 200
    until_true "the window is wide" window_is 600x200
    until_true "there is nothing beside the picture" pixel_is 10 20 "0 0 0"
    until_true "the upper half is where it was" pixel_is 300 20 "0 64 64"
    xdotool mousemove --window "$window" 160 199 click 1
    until_true "the mouse is right in a wide window" has_line "drag 10 0 10 0"
    press Escape
    expect_end 0
    ;;
  sizes) # larger than the screen, and one pixel
    start_server
    open_window --size 3000 --height 1500
    until_true "it fits the screen, in its shape" window_is 720x360
    until_true "all of the picture is there" pixel_is 715 5 "0 64 64"
    press Escape
    expect_end 0
    open_window --size 1 --height 1
    until_true "it can be seen" window_is 512x512
    press Escape
    expect_end 0
    ;;
  frames)
    start_server
    start --size 100 --height 80 --frames 40 --output 'f_%02d.ppm'
    expect_end 0
    grep -q 'Esc or q (quit)' out.txt || fail "it was not in a window"
    [ "$(ls f_*.ppm | wc -l)" = 40 ] || fail "not 40 frames"
    has_line "Wrote $PWD/f_00.ppm to $PWD/f_39.ppm" || fail "the paths were not printed"
    ;;
  killed) # the X server ends: the program does, too, with exit code 1, and leaves nothing half behind
    for how in moving still; do
      start_server
      case $how in
        still) program=$(dirname "$program")/still open_window --window --output kept.png ;;
        moving) open_window --window --output film.gif ;;
      esac
      kill -KILL "$server"
      wait "$server" 2> /dev/null
      expect_end 1
      grep -qE ': (the display was closed|the window is gone)' err.txt || fail "$how: not said in our words"
      [ ! -e film.gif ] || fail "half a film"
      [ -z "$(ls -A | grep partial)" ] || fail "$how: partial files stay behind"
    done
    ;;
  listing) # a program of the book that calls GLUT itself: red grows to the right, green upward
    start_server
    open_window
    until_true "the kernel's picture is there" pixel_is 10 255 "10 0 0"
    pixel_is 200 55 "200 200 0" || fail "another color: $("$helper" pixel "$window" 200 55)"
    press Escape
    expect_end 0
    ;;
  interop) # a sample that draws in a window of its own
    start_server
    open_window --size 512
    until_true "the stripes are there" is_bright 256 3
    press q
    expect_end 0
    open_window --size 256 --output stripes.png
    press q
    expect_end 0
    [ -s stripes.png ] || fail "--output wrote nothing"
    start --check --size 256
    expect_end 0
    has_line "PASS interop" || fail "the window's pixels are wrong"
    expect_gone destroy --size 512
    expect_gone windowkill --size 512
    ;;
  mapped) # the window goes while CUDA has OpenGL's buffer
    start_server
    for way in "" --gpu-anim-bitmap; do
      for how in close destroy windowkill; do
        rm -f go
        open_window --size 256 $way
        until_true "a frame waits" has_line mapped
        if [ $how = close ]; then "$helper" close "$window"; else take_away $how; fi
        touch go
        if [ $how = close ]; then
          expect_end 0
          [ -n "$way" ] || has_line unregistered || fail "the buffer is still registered"
          has_line "the memory is free" || fail "$way: the memory of the frames is not free"
        else
          expect_end 1
          expect_sentence $how
        fi
      done
    done
    ;;
  frames_of_a_kernel) # what kernels wrote into OpenGL's memory is what is saved, shown smaller, and in the film
    name=$(basename "$program")
    start_server
    open_window --size 256
    until_true "the title tells the speed" title_matches ' ms  '
    press space
    until_true "it pauses" title_matches paused
    press r
    until_true "it restarts" title_matches 'paused at frame 1$'
    save "${name}_0001.png"
    resize 128 128
    until_true "the window is smaller" window_is 128x128
    press Escape
    expect_end 0
    start --size 256 --frames 1 --output again.png
    expect_end 0
    start --size 256 --frames 1 --output headless.png --headless
    expect_end 0
    cmp "${name}_0001.png" again.png || fail "a saved picture and --output differ"
    cmp again.png headless.png || fail "a window and no window give different pictures"
    expect_gone destroy --size 256
    expect_gone windowkill --size 256
    ;;
  gone) # another client destroys the window, or makes it larger than any memory
    for how in moving still; do
      for what in destroy resize; do
        start_server
        case $how in
          still) program=$(dirname "$program")/still open_window --window ;;
          moving) open_window --window --output film.gif ;;
        esac
        if [ $what = destroy ]; then "$helper" destroy "$window"; else resize 65535 65535; fi
        expect_end 1
        grep -q ': the window is gone, or the display cannot show it (' err.txt || fail "$how, $what: not said"
        [ "$(grep -c "^$how: " err.txt)" = 1 ] || fail "$how, $what: more than one sentence"
        kill "$server"
        wait "$server" 2> /dev/null
        [ ! -e film.gif ] || fail "half a film"
      done
    done
    ;;
  no_display) # none behind DISPLAY, or one without OpenGL: the file instead
    for why in "does not answer" "has no OpenGL"; do
      DISPLAY=:987654
      [ "$why" = "does not answer" ] || start_server -extension GLX
      export DISPLAY
      start --frames 2 --size 20
      expect_end 0
      [ -s moving.gif ] || fail "no film"
      rm moving.gif
      grep -q "^moving: no window can be opened (the display $DISPLAY $why.*), so a file is written" err.txt || fail "not said"
      start --window
      expect_end 3
    done
    ;;
  circles) # keys of the sample's own, and a title of its own
    start_server
    open_window --window rgb --size 64 --method tiles
    until_true "the title tells what is shown" title_matches '^circle_renderer  tiles, rgb  64 x 64$'
    grep -q 'm (next method)' out.txt || fail "the keys were not printed"
    press 2
    until_true "2 shows the second scene" title_matches '^circle_renderer  tiles, rgby  '
    press m
    until_true "m takes the next method" title_matches '^circle_renderer  front, rgby  '
    press 9
    press n
    until_true "n takes the next scene" title_matches '^circle_renderer  fast, snow  '
    press Escape
    expect_end 0
    ;;
  titles) # whatever a sample shows, a window of 512 pixels has the room for its title, and for its keys in large letters
    # methods_of SAMPLE: those with the longest names first.
    methods_of() { "$1" --help | sed -n '/^  --method/,/^  -[^m]/s/^ \{30\}\([a-z_]*\)  .*/\1/p' | awk '{ print length, $0 }' | sort -rn | cut -d' ' -f2; }
    start_server
    for name in "${@:5}"; do
      program=$(dirname "$program")/$name
      "$program" --help >help.txt
      grep -q '^  --window' help.txt || continue
      columns=$(sed -n '1,/^Keys and mouse/d; s/^  \(.*[^ ]\)   *\([^ ].*\)$/\1|\2/p' help.txt | awk -F'|' '
        { if (length($1) > key) key = length($1); if (length($2) > effect) effect = length($2) }
        END { print key + 2 + effect }')
      [ "$columns" -le 39 ] || fail "$name: keys and what they do are $columns letters wide"
      mapfile -t methods < <(methods_of "$program")
      lines=('')
      ! grep -q '^  --size' help.txt || lines=('--size 128')
      [ $name != circle_renderer ] || lines=('littlebig --size 128')
      [ ${#methods[@]} = 0 ] || lines[0]+=" --method ${methods[0]}"
      ! grep -q '^  --compare' help.txt || lines+=("${lines[0]%--method*} --compare ${methods[0]},${methods[1]}")
      ! grep -q '^  + and -' help.txt || lines+=("${lines[-1]} --steps 100000")
      for line in "${lines[@]}"; do
        # shellcheck disable=SC2086
        open_window --window $line
        if grep -q '^  --frames' help.txt && [ $name != circle_renderer ]; then
          until_true "the title tells which device draws" title_matches '  (emulated|interop|copied)$'
        fi
        long=$(title)
        [ ${#long} -le 62 ] || fail "$name $line: ${#long} letters in a title"
        echo "$long"
        press Escape
        expect_end 0
      done
    done
    ;;
  compare) # two methods side by side, with their times
    name=$(basename "$program")
    start_server
    case $name in
      heat_fast) arguments='--compare book,fused' methods='book|fused' ;;
      circle_renderer) arguments='rand10k --compare tiles,broken' methods='tiles|broken' ;;
    esac
    # shellcheck disable=SC2086
    open_window --window --size 128 $arguments
    # Above the two halves their names and times, and of the emulated device that they are no GPU's.
    until_true "the title tells both names" title_matches "^$name  ${methods%|*} \| ${methods#*|}"
    height=$(($(xdotool getwindowgeometry "$window" | sed -n 's/.*Geometry: [0-9]*x//p') / 2))
    resize 260 "$height"
    until_true "the window is as large as the picture" window_is "260x$height"
    if [ $name = circle_renderer ]; then
      press m
      until_true "m changes the method on the right" title_matches "^$name  tiles \| pixels, rand10k"
      press 1
      until_true "1 changes the scene of both" title_matches "^$name  tiles \| pixels, rgb( |$)"
      # The picture, 260 pixels, is shown at its size; both halves show the same place of the scene.
      until_true "the left half shows the scene" pixel_is 54 $((height - 54)) "$("$helper" pixel "$window" 186 $((height - 54)))"
    fi
    if [ $name = heat_fast ]; then
      press space  # a busy machine looks late, and heat arrives there on its own
      until_true "it pauses" title_matches paused
      until_true "both corners are cold in the beginning" corners_are_cold
      press space
      until_true "the mouse heats the half where it is" drag_heats
      until_true "and the other one, too" is_bright 118 $((height - 10))
    fi
    save "${name}_0001.png"
    press Escape
    expect_end 0
    ;;
  sample)
    # Any animation of the collection. Its mouse brings heat; the lower right corner is cold at the beginning.
    name=$(basename "$program")
    # Few steps, which are less than 1/4 s on a busy machine, too.
    start_server
    open_window --window --size 128 --steps 4
    until_true "the title tells the speed" title_matches ' ms  '
    moves
    press space
    until_true "it pauses" title_matches paused
    press r
    until_true "it restarts" title_matches 'paused at frame 1$'
    save "${name}_0001.png"
    until_true "128 pixels are shown as 512" window_is 512x512
    resize 256 256
    until_true "the window is smaller" window_is 256x256
    until_true "the corner is cold" is_dark 236 236
    until_true "the upper end of the color scale is white" pixel_is 210 8 "255 255 255"
    until_true "the lower end is black" pixel_is 210 108 "0 0 0"
    steps=$(title | sed -n 's/.*  \([0-9]*\) steps  .*/\1/p')
    press plus
    until_true "+ doubles the steps per frame" title_matches "  $((steps * 2)) steps  "
    press minus
    until_true "- halves them" title_matches "  $steps steps  "
    # A quick drag: a line, not its two ends.
    xdotool mousemove --window "$window" 40 236 mousedown 1 mousemove --window "$window" 236 236 mouseup 1
    press space
    until_true "the drag heats the whole way" is_bright 138 236
    press space
    until_true "it pauses again" title_matches paused
    press r
    until_true "it restarts again" title_matches 'paused at frame 1$'
    save "${name}_0002.png"
    cmp "${name}_0001.png" "${name}_0002.png" || fail "a restart does not begin again"
    press Escape
    expect_end 0
    # No frame may keep the window from answering: 100,000 steps would take half a minute.
    open_window --window --size 128 --steps 100000
    if until_true "the title tells the speed" title_matches ' ms  ' && title_matches emulated; then
      until_true "there are fewer steps" title_matches ' steps \(max\)  '
      press plus
      until_true "and no more with +" title_matches ' steps \(max\)  '
    fi
    press q
    expect_end 0
    ;;
  *)
    echo "no such case: $case_name"
    exit 2
    ;;
esac
echo "passed"
