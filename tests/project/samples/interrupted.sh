# interrupted.sh BIN COMPARE: Ctrl-C in the middle of a film leaves nothing behind and the older film as it was.
set -u
bin=$1
command -v ffmpeg >/dev/null || { echo "ffmpeg is not installed (package ffmpeg)"; exit 77; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
echo older >film.gif
for signal in INT TERM HUP QUIT; do
  # A shell without job control lets its background jobs ignore SIGINT, and nohup SIGHUP; env takes that back.
  env --default-signal=INT,QUIT,HUP "$bin/heat_notexture" --size 64 --frames 100000 --headless --output film.gif >out 2>&1 &
  program=$!
  for _ in $(seq 200); do
    pgrep -P $program ffmpeg >/dev/null && break
    kill -0 $program 2>/dev/null || break
    sleep 0.05
  done
  pgrep -P $program ffmpeg >/dev/null || { wait $program; code=$?; cat out; [ $code = 77 ] && exit 77; echo "no film was begun"; exit 1; }
  kill -$signal $program
  wait $program
  code=$?
  [ $code -gt 128 ] || { echo "SIG$signal: exit code $code, expected the signal's"; exit 1; }
  [ "$(cat film.gif)" = older ] || { echo "SIG$signal: the older film is gone"; exit 1; }
  sleep 0.3 # ffmpeg may end a moment later
  [ "$(ls -A | tr '\n' ' ')" = "film.gif out " ] || { echo "SIG$signal: left behind:"; ls -A; exit 1; }
done
