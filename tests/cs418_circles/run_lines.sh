# run_lines.sh PROGRAM FILE...: every line "./run circle_renderer ..." of the files runs as it is written.
set -u
program=$(readlink -f "$1")
shift
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
lines=$(sed -n 's#^\(//  \|   \) *\./run circle_renderer#circle_renderer#p' "$@" | sed "s|  .*||" | sort -u)
[ -n "$lines" ] || { echo "no run lines found in $*"; exit 1; }
cd "$folder" || exit 1
failed=0
while read -r name arguments; do
  case $arguments in
    *.gif*) command -v ffmpeg > /dev/null || continue ;;
  esac
  # shellcheck disable=SC2086 # the arguments are words
  "$program" $arguments > out.txt 2>&1 < /dev/null
  code=$?
  echo "$name $arguments: exit code $code"
  if [ $code != 0 ]; then
    cat out.txt
    failed=1
  fi
done <<< "$lines"
exit $failed
