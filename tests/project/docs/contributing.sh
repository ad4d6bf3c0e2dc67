# contributing.sh PROJECT: what CONTRIBUTING.md names for a new sample and a new rung is all that the project's checks
# require: both are added to a copy. (That such a sample builds and passes, tests of docs/template show.)
set -euo pipefail
project=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
for part in "$project"/*; do
  case $part in */build*) ;; *) cp -r "$part" . ;; esac
done
check() {
  bash tests/project/samples/readme_lists_all.sh . || exit 1
  bash tests/project/gallery/complete.sh . >/dev/null || exit 1
  for script in style/includes docs/terms docs/links; do python3 -B tests/project/$script.py . >out || { cat out; exit 1; }; done
}
must_fail() { if (check) >/dev/null 2>&1; then echo "no check misses $1"; exit 1; fi; }

chapter=chapter06_constant_memory
sed 's#"../../common/#"../common/#; s/template/my_sample/g' docs/template/template.cu >$chapter/my_sample.cu
must_fail "the line in CMakeLists.txt"
echo 'add_sample(my_sample STILL EXACT)' >>$chapter/CMakeLists.txt
cp docs/gallery/ray.png docs/gallery/my_sample.png
must_fail "the README's table"
scripts/samples_table.sh --write
must_fail "the line for a picture"
echo 'still | my_sample.png | my_sample --size 384' >>docs/gallery/pictures.txt
glossary=../docs/glossary.md
echo "| \`my_sample\` | [kernel]($glossary#kernel), [grid]($glossary#grid), [block]($glossary#block), [thread]($glossary#thread) |" \
  >>$chapter/README.md
check

ladder=cs418_assignment2/saxpy
sed 's/simple/mine/g' $ladder/1_simple.cuh >$ladder/3_mine.cuh
must_fail "the README's words for a rung"
echo '`3_mine.cuh` gains nothing.' >>$ladder/README.md
check
