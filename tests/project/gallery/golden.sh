# golden.sh COMPARE GOLDEN TOLERANCE SAMPLE [options]: writes the sample's picture and compares it.
set -u
compare=$1 golden=$2 tolerance=$3
shift 3
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$@" --headless --output "$folder/got.png" || exit
"$compare" "$folder/got.png" "$golden" "$tolerance"
