# no_display.sh BIN COMPARE: without a display and without --headless a sample says so and writes its picture, or
# its film, into the folder where it was started.
set -u
bin=$1 compare=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
unset DISPLAY WAYLAND_DISPLAY
for file in ray.png heat_notexture.gif; do
  sample=${file%.*}
  frames=
  [ $sample = ray ] || frames='--frames 2'
  # shellcheck disable=SC2086
  "$bin/$sample" --size 64 $frames >out 2>err
  code=$?
  [ $code = 77 ] && { cat err; exit 77; }
  [ $code = 0 ] || { echo "$sample: exit code $code"; cat out err; exit 1; }
  grep -q 'no window can be opened' err || { echo "$sample does not say that there is no display:"; cat out err; exit 1; }
  grep -q "$folder/$file" out || { echo "$sample does not print the path of its picture:"; cat out err; exit 1; }
done
"$compare" ray.png ray.png 0 || exit 1
[ "$(head -c 6 heat_notexture.gif)" = GIF89a ] || { echo "heat_notexture.gif is no film"; exit 1; }
