# grade_refusals.sh PROJECT BIN: what ./run grade refuses, in one sentence with the nearest name, before anything is built:
# the copy that is run here has nothing that could be built. And the names of methods that it knows are those of the programs.
set -u
project=$1 bin=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failed=0
mkdir -p "$folder/cs418_assignment2" "$folder/benchmarks"
cp -r "$project/run" "$project/scripts" "$folder"
cp -r "$project/benchmarks/results" "$folder/benchmarks"
for ladder in scan find_repeats circle_renderer; do
  mkdir "$folder/cs418_assignment2/$ladder"
  cp "$project/cs418_assignment2/$ladder/"methods*.cu "$folder/cs418_assignment2/$ladder"
done
long=$(printf 'long_%.0s' $(seq 1000))

# WORDS | the sentence, or its end
while IFS='|' read -r words sentence; do
  read -ra typed <<<"$words"
  said=$("$folder/run" grade "${typed[@]}" 2>&1 </dev/null)
  code=$?
  [ $code = 2 ] || { echo "run grade $words: exit code $code, expected 2"; failed=1; }
  [[ $said = *"${sentence# }" ]] || { echo "run grade $words says '$said', not '${sentence# }'"; failed=1; }
  [ "$(wc -l <<<"$said")" = 1 ] && [ ${#said} -le 300 ] || { echo "run grade $words: not one sentence of 300 characters"; failed=1; }
done <<END
scan --method swep | grade: scan has no method 'swep', it has sweep blocks lookback exchange pipeline best thrust cub; did you mean sweep?
scan --method nosuch | scan has no method 'nosuch', it has sweep blocks lookback exchange pipeline best thrust cub
find_repeats --method fusd | ; did you mean fused?
circles --method tile rgb | ; did you mean tiles?
circles --method $long | broken pixels cached tiles front few tiny fast bins
circles rbg | grade: circles has no row 'rbg', it has rgb rand10k rand100k pattern snowsingle biglittle rand1M micro2M; did you mean rgb?
scan 100001 | ; did you mean 1000000, 10000000?
scan --metod blocks | there is no option '--metod'; did you mean --method?
scan --method | --method needs a value after it
scan --reference Voodoo | no reference times of scan are recorded for a GPU named 'Voodoo'
END

for test in scan find_repeats circle_renderer; do
  known=$(cd "$folder" && python3 scripts/grade.py - - "${test/circle_renderer/circles}" --method no 2>&1 | sed 's/.*it has //' | tr ' ' '\n' | sort)
  listed=$("$bin/$test" --help | sed -n '/^  --method/,/^  --/{s/^ \{30\}\([a-z_0-9][a-z_0-9]*\)  .*/\1/p}' | sort)
  [ -n "$known" ] && [ "$known" = "$listed" ] || { echo "$test: grade knows" $known "and the program" $listed; failed=1; }
done
exit $failed
