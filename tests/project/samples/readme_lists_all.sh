# readme_lists_all.sh PROJECT [NAME...]: the READMEs' tables of chapters, samples and rungs are those of the tree, every picture that
# README.md shows exists, and ./run --list names the samples NAME..., those that are built. Every .cu that begins as a sample is one,
# but for the course's command lines.
set -u
project=$1
shift
"$project/tools/samples_table.py" || { echo "run tools/samples_table.py --write"; exit 1; }
failed=0
listed=$("$project/run" --list | cut -d' ' -f1)
for name; do
  grep -qx "$name" <<<"$listed" || { echo "./run --list lacks $name"; failed=1; }
done
cd "$project" || exit 1
for file in chapter*/*.cu chapter*/*/*.cu appendix*/*.cu appendix*/*/*.cu cs418*/*.cu cs418*/*/*.cu; do
  [[ $file != cs418_assignment2/course/* ]] || continue
  name=$(basename "$file" .cu)
  [ ! -e "$file" ] || ! head -n 1 "$file" | grep -q "^// $name - " || grep -qx "$name" <<<"$listed" ||
    { echo "$file begins as a sample, and its folder's CMakeLists.txt has no add_sample($name)"; failed=1; }
done
while read -r picture; do
  [ -e "${picture%%#*}" ] || { echo "README.md shows $picture, which does not exist"; failed=1; }
done < <(sed -n 's/.*(\(docs\/[^)]*\)).*/\1/p; s/.*src="\([^":]*\)".*/\1/p' README.md)
exit $failed
