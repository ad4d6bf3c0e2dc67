# grade_scores.sh GRADE: the tables and scores of grade.py, with programs that tell made-up times beside made-up references.
set -u
grade=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/bin" "$folder/references"
cat >"$folder/references/course_reference_toy.json" <<'END'
{
 "context": {
  "gpu": "NVIDIA Toy 3",
  "driver": "1.2",
  "cuda": "3.4",
  "date": "2026-01-02",
  "source": "made up"
 },
 "benchmarks": [
  {"name": "scan/1000000", "real_time": 1.0, "time_unit": "ms"},
  {"name": "scan/10000000", "real_time": 1.0, "time_unit": "ms"},
  {"name": "scan/20000000", "real_time": 1.0, "time_unit": "ms"},
  {"name": "scan/40000000", "real_time": 1.0, "time_unit": "ms"},
  {"name": "circles/rgb", "real_time": 0.1, "time_unit": "ms"},
  {"name": "circles/rand10k", "real_time": 0.1, "time_unit": "ms"},
  {"name": "circles/rand100k", "real_time": 0.1, "time_unit": "ms"},
  {"name": "circles/pattern", "real_time": 0.1, "time_unit": "ms"},
  {"name": "circles/snowsingle", "real_time": 0.1, "time_unit": "ms"},
  {"name": "circles/biglittle", "real_time": 0.1, "time_unit": "ms"},
  {"name": "circles/rand1M", "real_time": 0.1, "time_unit": "ms"},
  {"name": "circles/micro2M", "real_time": 0.1, "time_unit": "ms"}
 ]
}
END
# The last word of scan's command line is the number of elements: 1.2 times the reference still has all points.
cat >"$folder/bin/cudaScan" <<'END'
#!/bin/sh
[ "${8:-}" != nosuch ] || { echo "Array size: $6"; echo "cudaScan: there is no method nosuch" >&2; exit 2; }
case $6 in 1000000) time=1.200 ;; 10000000) time=2.000 ;; 20000000) time=12.500 ;; *) time=0.001 ;; esac
echo "Student GPU time: $time ms"
[ $6 != 40000000 ]
END
# Every scene has its own time; each run is a little slower than the one before, and the first counts.
cat >"$folder/bin/render" <<'END'
#!/bin/sh
case $1 in -c) [ $2 != pattern ]; exit ;; esac
case $5 in rgb) time=0.12 ;; rand10k) time=0.13 ;; rand100k) time=0.99 ;; snowsingle) time=1.01 ;; *) time=0.05 ;; esac
touch runs
printf "Total:    %s%02d ms\n" $time $(wc -c <runs)
printf x >>runs
END
printf '#!/bin/sh\necho "NVIDIA Toy 3, 9.0"\n' >"$folder/bin/nvidia-smi"
chmod +x "$folder/bin/"*
export PATH=$folder/bin:$PATH COURSE_REFERENCES=$folder/references

failed=0
expect_line() {
  grep -qxF -e "$1" <<<"$table" || { echo "this line is missing: $1"; failed=1; }
}
# An installation has no sources that tell the names of methods: the program refuses them.
mkdir -p "$folder/installed/scripts"
cp "$(dirname "$grade")/"*.py "$folder/installed/scripts"
table=$(python3 "$folder/installed/scripts/grade.py" "$folder/bin" gpu scan --method nosuch 2>&1)
[ $? = 2 ] || { echo "grade takes a method that there is not"; failed=1; }
expect_line 'grade: there is no method nosuch'
table=$(python3 "$grade" "$folder/bin" gpu scan 2>&1)
[ $? = 1 ] || { echo "a wrong result, and grade did not end with exit code 1"; failed=1; }
echo "$table"
expect_line 'Scan Score Table:'
expect_line '| Element Count   | Ref Time        | Student Time    | Score           |'
expect_line '-------------------------------------------------------------------------'
expect_line '| 1000000         | 1.0             | 1.200           | 1.25            |'
expect_line '| 10000000        | 1.0             | 2.000           | 0.625           |'
expect_line '| 20000000        | 1.0             | 12.500          | 0.1             |'
expect_line '| 40000000        | 1.0             | 0.001 (F)       | 0               |'
expect_line '|                                   | Total score:    | 1.975/5         |'
grep -q 'NVIDIA Toy 3, made up' <<<"$table" || { echo "the reference is not named"; failed=1; }
grep -q 'No reference times' <<<"$table" && { echo "the references of this GPU are there"; failed=1; }

table=$(python3 "$grade" "$folder/bin" gpu circles 2>&1)
echo "$table"
expect_line '| Scene Name      | Ref Time (T_ref) | Your Time (T)   | Score           |'
expect_line '| rgb             | 0.1              | 0.1200          | 9               |'
expect_line '| rand10k         | 0.1              | 0.1303          | 8               |'
expect_line '| rand100k        | 0.1              | 0.9906          | 3               |'
expect_line '| pattern         | 0.1              | (F)             | 0               |'
expect_line '| snowsingle      | 0.1              | 1.0109          | 2               |'
expect_line '| micro2M         | 0.1              | 0.0518          | 9               |'

printf '#!/bin/sh\necho "NVIDIA H100, 9.0"\n' >"$folder/bin/nvidia-smi"
table=$(python3 "$grade" "$folder/bin" gpu scan 1000000 --reference toy 2>&1)
[ $? = 0 ] || { echo "one right row is not exit code 0"; failed=1; }
echo "$table"
expect_line '|                                   | Total score:    | 1.25/1.25       |'
grep -q 'No reference times are recorded for this GPU' <<<"$table" || { echo "another GPU's times are not marked"; failed=1; }
exit $failed
