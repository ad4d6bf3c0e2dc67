# run_lines.sh PROJECT BIN: every run line in the first comment of the heat programs works as written. Without a display
# a line that opens a window writes a file instead; --size 17 makes it small, where the line gives no size.
set -u
project=$1 PATH=$2:$PATH
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
unset DISPLAY WAYLAND_DISPLAY
count=0
for source in "$project"/chapter07_texture_memory/{heat_notexture,heat,heat_2d,heat_fast/heat_fast}.cu; do
  name=$(basename "$source" .cu)
  [ "$(grep -n -m1 -v '^//' "$source" | cut -d: -f1)" -le 16 ] || { echo "$source: its first comment is too long"; exit 1; }
  while IFS= read -r line; do
    case $line in
      *.gif*) command -v ffmpeg >/dev/null || continue ;;
    esac
    case $line in
      *--size*) ;;
      *) line="$line --size 17" ;;
    esac
    count=$((count + 1))
    bash -c "$line" >out 2>&1 || { code=$?; echo "$line"; cat out; exit $code; }
  done < <(sed -n "1,15s|^//   \($name\)|\1|p" "$source" | sed 's/   .*//')
done
[ $count -ge 8 ] || { echo "only $count run lines were found"; exit 1; }
