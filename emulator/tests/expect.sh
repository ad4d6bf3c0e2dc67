#!/usr/bin/env bash
# expect.sh CODE PATTERN COMMAND...: the command's exit code, and an extended regular expression that a line of what it says fits.
code=$1 pattern=$2 got=0
shift 2
said=$("$@" 2>&1) || got=$?
[ "$got" = "$code" ] && grep -Eq -- "$pattern" <<<"$said" && exit
printf 'exit code %s, expected %s and a line like %s:\n%s\n' "$got" "$code" "$pattern" "$said"
exit 1
