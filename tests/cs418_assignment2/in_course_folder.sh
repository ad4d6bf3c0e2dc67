# in_course_folder.sh BIN CODE PATTERN COMMAND: runs COMMAND in an empty folder with links to the course's programs in BIN,
# as students have them. Fails unless it ends with CODE and prints something that matches PATTERN (an extended regular
# expression; the lines of the output are joined by spaces).
bin=$1 expected=$2 pattern=$3 command=$4
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
for name in cudaScan cudaSaxpy render; do
  ln -s "$bin/$name" "$name"
  [ -x "$name" ] || { echo "$bin/$name is not there"; exit 1; }
done
output=$(bash -c "$command" 2>&1 </dev/null)
code=$?
echo "$output"
if [ $code = 77 ]; then exit 77; fi
[ $code = "$expected" ] || { echo "exit code $code, expected $expected: $command"; exit 1; }
tr '\n' ' ' <<<"$output" | grep -Eq -e "$pattern" || { echo "the output does not match '$pattern': $command"; exit 1; }
