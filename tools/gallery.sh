#!/usr/bin/env bash
# gallery.sh [options]: makes the pictures and films of docs/gallery from the samples, by the lines of
# docs/gallery/pictures.txt, and the drawings and plots of the READMEs by their scripts.
#
#   --bin FOLDER     the built samples; without it the emulated build is built, or the gpu build where there is a GPU
#   --folder FOLDER  where to write; default: docs/gallery
#   --only FILE      one picture or film alone
#   --check COMPARE  writes nothing there: makes the stills again and compares them with the files, in each channel
#                    within one level, by the program COMPARE (tests/project/samples/compare_images.cpp)
set -euo pipefail
root=$(cd "$(dirname "$(readlink -f "$0")")/.." && pwd)
bin='' target=$root/docs/gallery only='' compare=''
while [ $# -gt 0 ]; do
  case $1 in
    --bin) bin=$2 ;;
    --folder) target=$2 ;;
    --only) only=$2 ;;
    --check) compare=$2 ;;
    *) echo "gallery.sh: $1 is unknown; options: --bin --folder --only --check" >&2; exit 2 ;;
  esac
  shift 2
done

lines() { sed -nE 's/^('"$1"') *\| ([^ |]+) \| (.*)$/\1|\2|\3/p' "$root/docs/gallery/pictures.txt"; }

if [ -z "$bin" ]; then
  preset=emulated
  if command -v nvidia-smi >/dev/null && nvidia-smi -L >/dev/null 2>&1; then preset=gpu; fi
  # The samples of the lines that are asked for, and of those that make their inputs.
  mapfile -t targets < <(lines '[a-z0-9]+' | awk -F'|' -v only="$only" '
    $1 == "input" || only == "" || $2 == only { split($3, words, " "); print words[1] }' | sort -u)
  (cd "$root" && cmake --preset $preset && cmake --build "build/$preset" --target device_info "${targets[@]}")
  bin=$root/build/$preset/bin
fi
on_gpu=true
if "$bin/device_info" 2>/dev/null | grep -qi emulated; then on_gpu=false; fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/circle_renderer"
ln -s "$root/README.md" "$root/LICENSE" "$work"
unset DISPLAY WAYLAND_DISPLAY

# draw FILE COMMAND...: runs the sample in the folder for it.
draw() {
  local file=$1 sample=$2 code=0
  shift 2
  (cd "$work" && "$bin/$sample" "$@" --output "$file") >"$work/log" 2>&1 || code=$?
  if [ $code != 0 ]; then
    echo "$file: $sample $* ended with exit code $code" >&2
    cat "$work/log" >&2
  fi
  return $code
}

found=0 bad=0
kinds='still|film|times|emulated|gpu'
[ -z "$compare" ] || kinds='still|emulated'
while IFS='|' read -r kind file command; do
  [ -z "$only" ] || [ "$only" = "$file" ] || continue
  found=$((found + 1))
  case $kind in
    emulated) if $on_gpu; then echo "kept: $file, which needs the emulated device"; continue; fi ;;
    times | gpu) if ! $on_gpu; then echo "kept: $file, which needs a GPU"; continue; fi ;;
  esac
  # What the line reads and is not there yet.
  while IFS='|' read -r _ input how; do
    case " $command " in
      *" $input "*) [ -e "$work/$input" ] || eval "draw $input $how" || exit ;;
    esac
  done < <(lines input)
  eval "draw $file $command" || exit
  if [ -n "$compare" ]; then
    "$compare" "$work/$file" "$target/$file" 1 || { echo "docs/gallery/$file is not what $command draws"; bad=1; }
  else
    mkdir -p "$(dirname "$target/$file")"
    cp "$work/$file" "$target/$file"
    echo "$file: $(stat -c %s "$target/$file") bytes"
  fi
done < <(lines "$kinds")
[ $found -gt 0 ] || { echo "gallery.sh: no such picture: $only" >&2; exit 2; }
[ -z "$compare" ] || exit $bad

if [ -z "$only" ] && [ "$target" = "$root/docs/gallery" ]; then
  for script in docs/drawings/make_drawings.py benchmarks/make_report.py; do
    [ ! -x "$root/$script" ] || "$root/$script"
  done
fi
