# What ./run and ./run_tests do before there is Python (sourced, not run): all else is the program in this folder.
set -euo pipefail
scripts=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
# A closed standard input or error would become the next file that is opened.
{ : >&2; } 2>/dev/null || exec 2>/dev/null
{ : <&0; } 2>/dev/null || exec </dev/null
if ! command -v python3 >/dev/null; then
  groups=(python build)
  case ${1:-} in -h | --help | --list) groups=(python) ;; esac
  "$scripts/install.sh" "$(basename "$0")" "${groups[@]}" >/dev/null
fi
exec python3 -S "$scripts" "$0" "$@"
