# install_runs.sh CMAKE BUILD DEVICE: installs BUILD to an empty folder, moves that, and runs samples from there by the
# launcher: a picture, a check, the course's names, an input from the installed data, wrong use.
set -u
cmake=$1 build=$2 device=$3
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$cmake" --install "$build" --prefix "$folder/first" >"$folder/log" 2>&1 || { tail -n 5 "$folder/log"; exit 1; }
mv "$folder/first" "$folder/moved" # nothing may remember the prefix
mkdir "$folder/elsewhere"
cd "$folder/elsewhere" || exit 1
ln -s "$folder/moved/bin/cuda-teaching-examples" examples # as a user might put it on the PATH
failed=0

# expect CODE PATTERN arguments...
expect() {
  local expected=$1 pattern=$2 output code
  shift 2
  output=$(./examples "$@" 2>&1 </dev/null)
  code=$?
  if [ "$device" = gpu ] && [ $code = 77 ]; then
    echo "SKIP: $output"
    exit 77
  fi
  if [ $code != "$expected" ] || ! tr '\n' ' ' <<<"$output" | grep -Eq -e "$pattern"; then
    echo "examples $*: exit code $code, expected $expected and '$pattern'"
    tail -n 5 <<<"$output"
    failed=1
  fi
}

expect 0 "^hello .*circle_renderer " --list
expect 0 "usage: " --help
expect 0 "/moved/share/cuda-teaching-examples" --data
expect 2 "there is no option" --nonsense
expect 2 "did you mean circle_renderer[?] examples --list" circle_rend
expect 0 "Wrote .*/elsewhere/ray.png" ray --headless --size 64 --output ray.png
[ -s ray.png ] || { echo "ray wrote nothing"; failed=1; }
expect 0 "PASS heat" heat --check --size 17 --frames 1
expect 0 "PASS scan" cudaScan -n 1000
expect 0 "PASS find_repeats" cudaScan -m find_repeats -n 1000
expect 0 "correct|Total score" grade scan 1000000
data=$(./examples --data)
expect 0 "Wrote " texture_transform --input "$data/pictures/ray.png" --size 64 --headless --output turned.png
expect 0 "PASS circle_renderer" circle_renderer rgby --check --size 50
# Every sample of the list is there.
for sample in $(./examples --list | cut -d' ' -f1); do
  expect 0 "--help" $sample --help
done
exit $failed
