# finds_differences.sh PROJECT BIN COMPARE: gallery.sh --check fails for a picture that is another one, and knows its list.
set -u
project=$1 bin=$2 compare=$3
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/circle_renderer"
gallery() { "$project/scripts/gallery.sh" --bin "$bin" --folder "$folder" "$@" >"$folder/out" 2>&1; }
expect() { # CODE PATTERN
  [ $code = "$1" ] && grep -q -- "$2" "$folder/out" && return
  echo "exit code $code, expected $1 and: $2"
  cat "$folder/out"
  exit 1
}
cp "$project/docs/gallery/circle_renderer/rgby.png" "$folder/circle_renderer/rgb.png"
gallery --check "$compare" --only circle_renderer/rgb.png
code=$?
[ $code != 77 ] || { cat "$folder/out"; exit 77; } # no GPU
expect 1 'rgb.png is not what circle_renderer rgb'
gallery --only circle_renderer/rgb.png
code=$?
expect 0 'rgb.png: [0-9]* bytes'
gallery --check "$compare" --only circle_renderer/rgb.png
code=$?
expect 0 PASS
gallery --only none.png
code=$?
expect 2 'no such picture: none.png'
gallery --check "$compare" --what now
code=$?
expect 2 '--what is unknown'
