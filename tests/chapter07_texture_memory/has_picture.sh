# has_picture.sh SAMPLE [options]: the sample writes a picture that is not empty.
set -u
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$@" --headless --output "$folder/got.png" || exit
test -s "$folder/got.png"
