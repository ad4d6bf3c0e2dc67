# run_lines.sh BIN PROJECT FILE: runs the command lines that FILE shows its readers, as written, from the project's root.
# FILE is a source, whose first comment holds lines "//   NAME options" or "//   ./run NAME options", or a README, whose
# code blocks hold "./run NAME options" and the like. What stands after two spaces or after # explains a line and is not
# part of it; with FAIL in the explanation exit code 1 is expected, with "may FAIL" 0 is right, too. BIN: the built
# samples, which ./run would build.
set -u
bin=$1 project=$2 file=$3
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# The project's root, but for what the commands write.
ln -s "$project"/* "$folder"
rm -f "$folder/run" "$folder/build"
printf '#!/bin/sh\nsample=$1\nshift\nexec "%s/$sample" "$@"\n' "$bin" >"$folder/run"
chmod +x "$folder/run"
cd "$folder" || exit 1
unset DISPLAY

names=$(sed -n 's/^\([a-z0-9_]*\) |.*/\1/p' "$project/samples.txt" | paste -sd'|')
commands() {
  case $file in
    *.md)
      # Code blocks: indented by four spaces, or fenced.
      awk '/^ *```/ { fenced = !fenced; next } fenced || /^    / { sub(/^ +/, ""); print }' "$file" |
        grep -E "^([A-Z_]+=[^ ]+ )*(\./run( |\$)|diff )" || true
      ;;
    *)
      awk '/^#pragma once/ { next } !/^\/\// { exit } { print }' "$file" | sed -nE "s#^//   (([A-Z_]+=[^ ]+ )*(\./run )?($names)( .*)?)\$#\1#p; s#^//   (diff .*)\$#\1#p"
      ;;
  esac
}

failed=0 ran=0
while IFS= read -r line; do
  command=$(sed -E 's/(  +|[ ]*#).*$//' <<<"$line")
  explanation=${line#"$command"}
  # Not here: what is made for a GPU's tools, or builds.
  case $command in './run --list' | './run --help' | './run') continue ;; *'SANITIZE=1 '* | *'DEVICE=gpu '*) continue ;; esac
  case $file:$command in *.md:* | *./run\ *) ;; *) command=$(sed -E "s#(^| )($names)( |\$)#\1$bin/\2\3#" <<<"$command") ;; esac
  start=$SECONDS
  timeout 120 bash -c "$command" >out 2>err </dev/null
  code=$?
  took=$((SECONDS - start))
  ran=$((ran + 1))
  expected=0
  case $explanation in *'may FAIL'*) [ $code = 1 ] && code=0 ;; *FAIL*) expected=1 ;; esac
  case $command in diff\ *) [ $code = 1 ] && code=0 ;; esac
  [ $code = 77 ] && { echo "not here (77): $line"; continue; }
  if [ $code != $expected ]; then
    echo "exit code $code, expected $expected: $line"
    tail -n 5 out err
    failed=1
  elif [ $took -gt 20 ] && ! grep -qi 'second\|minute' <<<"$explanation"; then
    echo "takes $took seconds here, and does not say so: $line"
    failed=1
  else
    echo "ok, $took s: $line"
  fi
done < <(commands)
[ $ran -gt 0 ] || case $file in *.md) ;; *) echo "no run line in $file's first comment"; failed=1 ;; esac
exit $failed
