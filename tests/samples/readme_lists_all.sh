# readme_lists_all.sh PROJECT SAMPLES: the README's table names exactly the samples that the build makes, and every
# picture that it shows exists. ./run --list names them too, each with a few words.
set -u
project=$1 samples=$2
built=$(cut -d'|' -f1 "$samples" | sed '/^$/d' | sort)
listed=$(sed -n 's/^| *`\([a-z0-9_]*\)` *|.*/\1/p' "$project/README.md" | sort)
if [ "$built" != "$listed" ]; then
  echo "README.md's table (right) differs from the build's samples (left):"
  diff <(echo "$built") <(echo "$listed")
  exit 1
fi
[ -n "$built" ] || { echo "no samples are built"; exit 1; }
list=$("$project/run" --list)
runnable=$(echo "$list" | cut -d' ' -f1 | sort)
if [ "$built" != "$runnable" ]; then
  echo "./run --list (right) differs from the build's samples (left):"
  diff <(echo "$built") <(echo "$runnable")
  exit 1
fi
missing=0
while read -r name words; do
  [ -n "$words" ] || { echo "./run --list has no words for $name: its source's first line is '// NAME - WORDS'"; missing=1; }
done <<<"$list"
while read -r picture; do
  [ -e "$project/$picture" ] || { echo "README.md shows $picture, which does not exist"; missing=1; }
done < <(sed -n 's/.*(\(docs\/[^)]*\)).*/\1/p; s/.*src="\(docs\/[^"]*\)".*/\1/p' "$project/README.md")
exit $missing
