# no_display.sh BIN COMPARE: without a display and without --headless a sample says so and writes its picture into the
# folder where it was started.
set -u
bin=$1 compare=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
unset DISPLAY WAYLAND_DISPLAY
for sample in ray heat_notexture; do
  "$bin/$sample" --size 64 --frames 1 >out 2>err || {
    code=$?
    # `ray` is a still and knows no --frames.
    [ "$sample" = ray ] && [ $code = 2 ] && { "$bin/$sample" --size 64 >out 2>err || code=$?; }
    [ $code = 77 ] && { cat err; exit 77; }
  }
  grep -q 'no window can be opened' err || { echo "$sample does not say that there is no display:"; cat out err; exit 1; }
  grep -q "$folder/$sample.png" out || { echo "$sample does not print the path of its picture:"; cat out err; exit 1; }
  "$compare" "$sample.png" "$sample.png" 0 || exit 1
done
