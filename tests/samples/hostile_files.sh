# hostile_files.sh BIN COMPARE: what happens to pictures and films when the world is against them. A good file is never
# replaced by a bad one, nothing is lost without a word, nothing is left behind.
set -u
bin=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
failed=0
complain() { echo "$case: $*"; [ ! -s err ] || cat err; failed=1; }
expect_code() { [ "$code" = "$1" ] || complain "exit code $code, expected $1"; }
expect_older() { [ "$(cat "$1" 2>/dev/null)" = older ] || complain "the older $1 is gone"; }
ray() { "$bin/ray" --headless --size 32 "$@"; }
"$bin/ray" --check --size 1 >/dev/null 2>&1
[ $? = 77 ] && { echo "SKIP: no device"; exit 77; }

case="standard output closed"
echo older >a.png
ray --output a.png >&- 2>err; code=$?
expect_code 1
[ "$(head -c 4 a.png | tail -c 3)" = PNG ] || complain "a.png is no picture"

case="all descriptors closed"
ray --output b.png <&- >&- 2>&-
[ "$(head -c 4 b.png | tail -c 3)" = PNG ] || { : >err; complain "b.png is no picture"; }

case="full standard output"
ray --output c.png >/dev/full 2>err; code=$?
expect_code 1
grep -q "standard output" err || complain "it does not say what is full"
"$bin/ray" --help >/dev/full 2>err; code=$?
expect_code 1

case="permissions, links"
echo older >mode.png && chmod 640 mode.png
ray --output mode.png >/dev/null 2>err; code=$?
expect_code 0
[ "$(stat -c %a mode.png)" = 640 ] || complain "the permissions became $(stat -c %a mode.png)"
echo older >one.png && ln one.png two.png
ray --output one.png >/dev/null 2>err; code=$?
expect_code 0
cmp -s one.png two.png || complain "two.png is not the same file any more"
[ "$(stat -c %h one.png)" = 2 ] || complain "one.png has lost its other name"
mkdir there && ln -s there/new.png link.png
ray --output link.png >/dev/null 2>err; code=$?
expect_code 0
[ -L link.png ] && [ -s there/new.png ] || complain "the link is gone, or nothing lies behind it"

case="a pipe with a reader that comes late"
mkfifo pipe.ppm
ray --output pipe.ppm >/dev/null 2>err &
sleep 0.3
timeout 20 cat pipe.ppm >taken.ppm
wait $!; code=$?
expect_code 0
[ "$(stat -c %s taken.ppm)" = $((32 * 32 * 3 + 13)) ] || complain "the picture lost bytes: $(stat -c %s taken.ppm)"

case="a reader that goes away"
mkfifo gone.ppm
"$bin/ray" --headless --size 1000 --output gone.ppm >/dev/null 2>err &
timeout 20 head -c 10 gone.ppm >/dev/null
wait $!; code=$?
expect_code 1
grep -q "cannot write" err || complain "it does not say so"

case="empty names"
for option in --output; do
  ray $option "" >/dev/null 2>err; code=$?
  expect_code 2
done

# Encoders that fail in their own ways. Each takes what it is given on standard input.
mkdir encoders
encoder() { printf '#!/bin/sh\n%s\n' "$1" >encoders/ffmpeg; chmod +x encoders/ffmpeg; }
film() { PATH=$folder/encoders:$PATH SAMPLES_FFMPEG_PATIENCE=1 timeout 30 "$bin/heat_notexture" --size 64 --frames 8 --headless --output "$1" >out 2>err; code=$?; }
for kind in gif mp4; do
  echo older >film.$kind
  while IFS='|' read -r case script; do
    case="$kind: $case"
    encoder "$script"
    film film.$kind
    expect_code 1
    expect_older film.$kind
    [ "$(grep -c . err)" -ge 1 ] || complain "nothing was said"
  done <<'ENCODERS'
writes nothing|cat >/dev/null; exit 0
fails at once|exit 3
fails late|cat >/dev/null; echo garbage >&3; echo "no room" >&2; exit 1
writes garbage and says it is well|cat >/dev/null; head -c 5000 /dev/zero >&3; exit 0
leaves after a frame|head -c 10000 >/dev/null; exit 0
hangs without reading|exec sleep 25
hangs at the end|cat >/dev/null; exec sleep 25
is killed|head -c 10000 >/dev/null; kill -9 $$
ENCODERS
done

if command -v ffmpeg >/dev/null; then
  case="killed in the middle"
  echo older >kill.gif
  "$bin/heat_notexture" --size 64 --frames 1000000 --headless --output kill.gif >out 2>err &
  program=$!
  for _ in $(seq 100); do pgrep -P $program >/dev/null && break; sleep 0.05; done
  sleep 0.3
  { kill -KILL $program; wait $program; } 2>/dev/null
  expect_older kill.gif
fi
sleep 0.2
left=$(find . -name '.partial*')
[ -z "$left" ] || { case="at the end"; complain "left behind: $left"; }
exit $failed
