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
mkdir there && echo older >there/old.png && ln -s there/old.png link.png
ray --output link.png >/dev/null 2>err; code=$?
expect_code 0
[ -L link.png ] && [ "$(head -c 4 there/old.png | tail -c 3)" = PNG ] || complain "the link is gone, or no picture lies behind it"

case="a pipe, a device"
mkfifo pipe.ppm && ln -s /dev/null null.png
for file in pipe.ppm null.png; do
  ray --output $file >/dev/null 2>err; code=$?
  expect_code 2
done
[ -p pipe.ppm ] && [ -c /dev/null ] || complain "it was replaced"

# Encoders that fail in their own ways. Each takes what it is given on standard input; its last argument is the file.
mkdir encoders
encoder() { printf '#!/bin/bash\nfile=${!#}\n%s\n' "$1" >encoders/ffmpeg; chmod +x encoders/ffmpeg; }
film() { PATH=$folder/encoders:$PATH timeout 30 "$bin/heat_notexture" --size 64 --frames 8 --headless --output "$1" >out 2>err; code=$?; }
echo older >film.mp4
while IFS='|' read -r case script; do
  encoder "$script"
  film film.mp4
  expect_code 1
  expect_older film.mp4
  [ "$(grep -c . err)" -ge 1 ] || complain "nothing was said"
done <<'ENCODERS'
writes nothing|cat >/dev/null; exit 0
fails late|cat >/dev/null; echo garbage >"${file#file:}"; echo "no room" >&2; exit 1
is killed|head -c 10000 >/dev/null; kill -9 $$
ENCODERS

if command -v ffmpeg >/dev/null; then
  case="killed in the middle"
  echo older >kill.gif
  "$bin/heat_notexture" --size 64 --frames 1000000 --headless --output kill.gif >out 2>err &
  program=$!
  for _ in $(seq 100); do pgrep -P $program >/dev/null && break; sleep 0.05; done
  sleep 0.3
  { kill -KILL $program; wait $program; } 2>/dev/null
  expect_older kill.gif
  rm -f .partial-$program-* # after SIGKILL the program cannot
fi
sleep 0.2
left=$(find . -name '.partial*')
[ -z "$left" ] || { case="at the end"; complain "left behind: $left"; }
exit $failed
