# What ./run and ./run_tests share (sourced, not run): installing what is missing, finding the device, configuring
# and building. Everything said here goes to standard error; standard output belongs to the program that is run.

root=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.." && pwd)
me=$(basename "$0")

say() { printf '%s: %s\n' "$me" "$*" >&2; }
die() { say "$1"; exit "${2:-1}"; }

# What every build needs, and what the tests need besides (Debian's names, the same in Ubuntu).
build_packages=(g++ cmake ninja-build libpng-dev libcli11-dev libboost-context-dev libgl-dev freeglut3-dev)
test_packages=(libgtest-dev libbenchmark-dev ffmpeg xvfb xdotool x11-utils)
# The style checks want just these releases, and not every system has them: without, those checks skip.
style_packages=(clang-format-14 clang-tidy-16)

is_installed() { # package
  [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

installed_something=no # whether install_missing did

# install_missing PACKAGE...: installs through apt what is not there.
install_missing() {
  local missing=() package
  if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    # Not Debian: whether the packages are there shows when CMake looks for them.
    if ! command -v g++ >/dev/null || ! command -v cmake >/dev/null || ! command -v ninja >/dev/null; then
      die "this system has no apt-get; please install what matches these Debian packages: $*"
    fi
    return 0
  fi
  for package; do
    is_installed "$package" || missing+=("$package")
  done
  [ ${#missing[@]} -gt 0 ] || return 0

  local as_root=()
  if [ "$(id -u)" -ne 0 ]; then
    if command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
      as_root=(sudo -n)
    else
      die "missing packages, and no right to install them without a password. Please run: sudo apt-get install ${missing[*]}"
    fi
  fi
  say "installing with apt-get: ${missing[*]}"
  local log
  log=$(mktemp)
  if ! { "${as_root[@]}" apt-get -qq update &&
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends "${missing[@]}"; } \
    >"$log" 2>&1 </dev/null; then
    cat "$log" >&2
    rm -f "$log"
    die "apt-get could not install: ${missing[*]}"
  fi
  rm -f "$log"
  installed_something=yes
}

# install_missing_if_offered PACKAGE...: as install_missing, but passes over what this system's apt does not have.
install_missing_if_offered() {
  local offered=() package
  command -v dpkg-query >/dev/null && command -v apt-cache >/dev/null || return 0
  for package; do
    if is_installed "$package" || [ -n "$(apt-cache show "$package" 2>/dev/null)" ]; then
      offered+=("$package")
    else
      say "apt does not offer $package here: what it checks is skipped"
    fi
  done
  [ ${#offered[@]} -eq 0 ] || install_missing "${offered[@]}"
}

# find_device [auto|gpu|emulated]: sets device, reason, nvcc and gpu as scripts/find_device.sh tells them; ends the program
# when the wish cannot be fulfilled.
find_device() {
  local answer
  answer=$("$root/scripts/find_device.sh" "${1:-auto}") || die "$(sed -n 's/^problem //p' <<<"$answer")" 2
  device=$(sed -n 's/^device //p' <<<"$answer")
  reason=$(sed -n 's/^reason //p' <<<"$answer")
  nvcc=$(sed -n 's/^nvcc //p' <<<"$answer")
  gpu=$(sed -n 's/^gpu //p' <<<"$answer")
}

# The samples as lines NAME|FOLDER|WORDS, in the order of samples.txt.
samples() { sed -n 's/^\([a-z0-9_]*\) | \([^ |]*\) | .* | \([^|]*\)$/\1|\2|\3/p' "$root/samples.txt"; }

# configure PRESET: makes build/PRESET ready; quick when it is.
configure() {
  local folder=$root/build/$1 log
  # A folder that was copied or moved has a cache that speaks of another place.
  if [ -e "$folder/CMakeCache.txt" ] &&
    ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$folder/CMakeCache.txt"; then
    rm -rf "$folder"
  fi
  if [ -e "$folder/build.ninja" ] && [ "$installed_something" = no ]; then return 0; fi
  say "configuring build/$1"
  mkdir -p "$root/build"
  log=$root/build/$1.configure.log
  if ! (cd "$root" && cmake --preset "$1" ${WARNINGS_AS_ERRORS:+-DWARNINGS_AS_ERRORS="$WARNINGS_AS_ERRORS"}) >"$log" 2>&1 </dev/null; then
    cat "$log" >&2
    rm -f "$folder/build.ninja"
    die "CMake could not configure build/$1 (its words stand above)"
  fi
}

# build PRESET [TARGET...]: quiet when nothing is to be done; the compiler's words when it fails.
build() {
  local preset=$1 log=$root/build/$1.build.log
  shift
  if ! cmake --build "$root/build/$preset" ${1:+--target "$@"} >"$log" 2>&1 </dev/null; then
    grep -v '^\[[0-9]*/[0-9]*\]' "$log" | tail -n 60 >&2
    die "the build failed; the whole log is $log"
  fi
}
