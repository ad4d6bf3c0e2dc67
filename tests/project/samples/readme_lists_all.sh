# readme_lists_all.sh PROJECT: README.md's tables are those of samples.txt, no more and no less, and every picture that
# the README shows exists. ./run --list names the same samples.
set -u
project=$1
names=$(sed -n 's/^\([a-z0-9_]*\) |.*/\1/p' "$project/samples.txt")
[ -n "$names" ] || { echo "samples.txt names no sample"; exit 1; }
if ! "$project/scripts/samples_table.sh" | diff "$project/README.md" -; then
  echo "README.md (left) differs from samples.txt (right): run scripts/samples_table.sh --write"
  exit 1
fi
listed=$(sed -n 's/^| `\([a-z0-9_]*\)` |.*/\1/p' "$project/README.md")
[ "$listed" = "$names" ] || { echo "README.md's tables lack samples:"; diff <(echo "$listed") <(echo "$names"); exit 1; }
runnable=$("$project/run" --list | cut -d' ' -f1)
[ "$runnable" = "$names" ] || { echo "./run --list differs:"; diff <(echo "$runnable") <(echo "$names"); exit 1; }
missing=0
while read -r picture; do
  [ -e "$project/${picture%%#*}" ] || { echo "README.md shows $picture, which does not exist"; missing=1; }
done < <(sed -n 's/.*(\(docs\/[^)]*\)).*/\1/p; s/.*src="\([^":]*\)".*/\1/p' "$project/README.md")
exit $missing
