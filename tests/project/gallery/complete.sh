# complete.sh PROJECT: every picture and film of docs/gallery has its line in pictures.txt and the other way round, and
# all of them together stay below 8 MB, so that a clone stays small.
set -u
cd "$1/docs/gallery" || exit 1
listed=$(sed -nE 's/^(still|emulated|film|times|gpu) *\| ([^ ]+) .*/\2/p' pictures.txt | sort)
there=$(find . -name '*.png' -o -name '*.gif' -o -name '*.mp4' | sed 's#^\./##' | sort)
if [ "$listed" != "$there" ]; then
  echo "pictures.txt (<) and the folder (>) differ:"
  diff <(echo "$listed") <(echo "$there")
  exit 1
fi
double=$(echo "$listed" | uniq -d)
[ -z "$double" ] || { echo "listed twice: $double"; exit 1; }
bytes=$(find . -type f -printf '%s\n' | awk '{ sum += $1 } END { print sum }')
echo "$bytes bytes"
[ "$bytes" -lt 8000000 ] || { echo "the gallery has grown to 8 MB or more"; exit 1; }
