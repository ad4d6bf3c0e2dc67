# film.sh BIN COMPARE: a GIF and an MP4 of 30 frames, and numbered pictures.
set -u
bin=$1
command -v ffmpeg >/dev/null && command -v ffprobe >/dev/null || { echo "ffmpeg is not installed (package ffmpeg)"; exit 77; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
for film in heat.gif heat.mp4; do
  "$bin/heat_notexture" --size 65 --frames 30 --headless --output $film >out 2>&1
  code=$?
  [ $code = 0 ] || { cat out; exit $code; }
  frames=$(ffprobe -v error -count_frames -select_streams v:0 -show_entries stream=nb_read_frames -of csv=p=0 $film)
  [ "${frames%%,*}" = 30 ] || { echo "$film has '$frames' frames, expected 30"; exit 1; }
done
"$bin/heat_notexture" --size 16 --frames 3 --headless --output frame_%04d.png >out 2>&1 || { cat out; exit 1; }
[ "$(ls frame_*.png | wc -l)" = 3 ] || { echo "expected three numbered pictures:"; ls; exit 1; }
