# hostile_files.sh BIN COMPARE: what happens when standard output is lost, or ffmpeg fails. A good film is never replaced
# by a bad one, nothing is lost without a word, nothing is left behind.
set -u
bin=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
failed=0
complain() { echo "$case: $*"; [ ! -s err ] || cat err; failed=1; }
expect_code() { [ "$code" = "$1" ] || complain "exit code $code, expected $1"; }
ray() { "$bin/ray" --headless --size 32 "$@"; }
"$bin/ray" --check --size 1 >/dev/null 2>&1
[ $? = 77 ] && { echo "SKIP: no device"; exit 77; }

case="standard output closed"
echo older >a.png
ray --output a.png >&- 2>err; code=$?
expect_code 1
[ "$(head -c 4 a.png | tail -c 3)" = PNG ] || complain "a.png is no picture"

case="full standard output"
ray --output c.png >/dev/full 2>err; code=$?
expect_code 1
grep -q "standard output" err || complain "it does not name what is full"
"$bin/ray" --help >/dev/full 2>err; code=$?
expect_code 1

# Descriptors that are closed, as by a cron job or an editor; limits on files. Without ffmpeg there is no film to begin.
film() { timeout 60 "$bin/heat_notexture" --size 64 --frames 4 --headless --output "$1"; }
if command -v ffmpeg >/dev/null; then
  for film in f.gif f.mp4; do
    case="$film without standard input"
    film $film <&- >out 2>err; code=$?
    expect_code 0
    ffprobe -v error "$film" || complain "it is no film"
    rm -f $film

    case="$film without any descriptor"
    film $film <&- >&- 2>&-; code=$?
    expect_code 1
    ffprobe -v error "$film" || complain "it is no film"
    rm -f $film

    case="$film larger than allowed"
    (ulimit -f 1; film $film >out 2>err); code=$?
    expect_code 1
    grep -q "cannot write $film" err || complain "it does not say that the file cannot be written"

    case="$film with few file descriptors"
    (exec >out 2>err; ulimit -n 6; exec "$bin/heat_notexture" --size 64 --frames 4 --headless --output $film); code=$?
    [ "$code" != 0 ] || ffprobe -v error "$film" || complain "it is no film"
    ! grep -q "not installed" err || complain "ffmpeg is installed"
    [ "$code" = 0 ] || [ -s err ] || complain "nothing was said"
    rm -f $film
  done
fi

# Encoders that fail in their own ways. Each takes what it is given on standard input; its last argument is the file.
# ffprobe, which looks at what they made, comes with ffmpeg.
mkdir encoders
echo older >film.mp4
command -v ffprobe >/dev/null && while IFS='|' read -r case script; do
  printf '#!/bin/bash\nfile=${!#}\n%s\n' "$script" >encoders/ffmpeg
  chmod +x encoders/ffmpeg
  PATH=$folder/encoders:$PATH timeout 30 "$bin/heat_notexture" --size 64 --frames 8 --headless --output film.mp4 >out 2>err
  code=$?
  expect_code 1
  [ "$(cat film.mp4)" = older ] || complain "the older film is gone"
  [ -s err ] || complain "nothing was said"
done <<'ENCODERS'
writes nothing|cat >/dev/null; exit 0
writes no film|cat >/dev/null; echo 1234567 >"${file#file:}"; exit 0
fails late|cat >/dev/null; echo garbage >"${file#file:}"; echo "no room" >&2; exit 1
is killed|head -c 10000 >/dev/null; kill -9 $$
ENCODERS

sleep 0.2
left=$(find . -name '.partial*')
[ -z "$left" ] || { case="at the end"; complain "left behind: $left"; }
exit $failed
