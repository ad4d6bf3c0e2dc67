# full_disk.sh BIN COMPARE: a write that fails ends with exit code 1 and one sentence, and leaves an existing picture
# as it was. The limit on the size of files stands in for the full disk.
set -u
bin=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
printf 'precious' >ray.png
# SIGXFSZ ignored: the write then fails with an error, as it does on a full disk.
(trap '' XFSZ; ulimit -f 4; exec "$bin/ray" --headless --size 512 --output ray.png >/dev/null 2>err)
code=$?
[ $code = 77 ] && { cat err; exit 77; }
[ $code = 1 ] || { echo "exit code $code, expected 1"; cat err; exit 1; }
[ -s err ] || { echo "nothing was said"; exit 1; }
[ "$(cat ray.png)" = precious ] || { echo "the existing picture was destroyed"; exit 1; }
[ "$(find . -type f | wc -l)" = 2 ] || { echo "something was left behind:"; ls -la; exit 1; }
