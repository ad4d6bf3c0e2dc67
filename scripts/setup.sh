# What ./run and ./run_tests share (sourced, not run): installing what is missing, finding the device, configuring
# and building. Everything said here goes to standard error; standard output belongs to the program that is run.

root=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.." && pwd)
me=$(basename "$0")

. "$root/scripts/samples.sh"

# in_cache PATH: a place in the user's cache for what belongs to PATH.
in_cache() { echo "${XDG_CACHE_HOME:-${HOME:-/nonexistent}/.cache}/cuda_teaching_examples/$(cksum <<<"$1" | tr ' ' -)"; }

# What CMake, Ninja or a compiler take for something else, whatever the quotes: in the path of the project, and in that of
# a file that is compiled.
cannot_build_in() { [[ $1 = *['[];$\"`*?<>|:#'$'\n']* ]]; }
cannot_compile() { [[ $1 = *['[];\?<>'$'\n']* || ${1##*/} = *['#|']* || ${1##*/} = *'${'* ]]; }

# In such a folder the project is built through a link in the user's cache, which is $root from here on.
real_root=$root
if cannot_build_in "$root"; then
  root=$(in_cache "$real_root")-link
  if cannot_build_in "$root" ||
    ! { [ "$root" -ef "$real_root" ] || { mkdir -p "$(dirname "$root")" && ln -sfn "$real_root" "$root"; } } 2>/dev/null; then
    root=$real_root
    die "this folder's name has one of [ ] # ; \$ \\ \" \` * ? < > | : or a line's end, which CMake or Ninja cannot take, and there is no place for a link to it. Please rename it: $(shorten "$root")"
  fi
fi

# What every build needs, and what the tests need besides (Debian's names, the same in Ubuntu).
build_packages=(g++ cmake ninja-build libpng-dev libgl-dev freeglut3-dev)
mpi_packages=(libopenmpi-dev openmpi-bin) # for samples on several GPUs
test_packages=(libgtest-dev ffmpeg xvfb xdotool x11-utils iproute2 "${mpi_packages[@]}")
# The style checks need exactly these releases, and not every system has them: without, those checks skip.
style_packages=(clang-format-14 clang-tidy-16)
browser_packages=(chromium) # opens the pages that are tested (95 MB); Ubuntu has it only as a snap

is_installed() { # package
  [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

# The same packages for other systems. Window, films and tests are optional: CMake lists what it leaves out.
packages_elsewhere() {
  cat <<'END'
  Fedora:  sudo dnf install gcc-c++ cmake ninja-build libpng-devel freeglut-devel mesa-libGL-devel ffmpeg-free
  Arch:    sudo pacman -S gcc cmake ninja libpng freeglut ffmpeg
  conda:   conda install -c conda-forge gxx cmake ninja libpng ffmpeg   (no window)
  then:    cmake -B build -DDEVICE=emulated -DWINDOW=off && cmake --build build && build/bin/ray --headless
END
}

# Where programs are built.
build_folder=$root/build
can_write() { mkdir -p "$1" 2>/dev/null && [ -w "$1" ]; }

# choose_build_folder PROGRAM: in a folder that is read-only, what was built is run from there; all else is built in the
# user's cache.
choose_build_folder() {
  if can_write "$build_folder" || [ -x "$build_folder/$1" ]; then return 0; fi
  build_folder=$(in_cache "$root")
  can_write "$build_folder" || die "$root is read-only, and there is no other place to build in ($build_folder)"
  say "$root is read-only: building in $build_folder"
}

# take_turn: waits until no other ./run or ./run_tests builds in this folder, and says so. Closing descriptor 9, or the
# end of the program, lets the next one in.
take_turn() {
  exec 9>"$build_folder/.lock"
  if flock -n 9; then return 0; fi
  say "waiting: another ./run or ./run_tests is building in build/"
  flock 9
}

installed_something=no # whether install_missing did

# install_missing PACKAGE...: installs through apt what is not there.
install_missing() {
  local missing=() package
  if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    # Not Debian: whether the packages are there shows when CMake looks for them.
    if ! command -v g++ >/dev/null || ! command -v cmake >/dev/null || ! command -v ninja >/dev/null; then
      die "this system has no apt-get; please install the packages it needs:
$(packages_elsewhere)"
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
      die "missing packages, which need a password to install. Please run:
  sudo apt-get update && sudo apt-get install ${missing[*]}
or, without any rights, build with what is there:
$(packages_elsewhere | sed -n '/conda/,$p')"
    fi
  fi
  say "installing with apt-get: ${missing[*]}"
  local log
  log=$(mktemp)
  if ! { "${as_root[@]}" apt-get -qq update &&
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq -o APT::Status-Fd=1 install -y --no-install-recommends \
      "${missing[@]}"; } 2>&1 </dev/null | tee "$log" | show_progress; then
    grep -vE '^(dl|pm)status:' "$log" >&2 || true
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
# when the device cannot be used.
find_device() {
  local answer
  answer=$("$root/scripts/find_device.sh" "${1:-auto}") || die "$(sed -n 's/^problem //p' <<<"$answer")" 2
  device=$(sed -n 's/^device //p' <<<"$answer")
  reason=$(sed -n 's/^reason //p' <<<"$answer")
  nvcc=$(sed -n 's/^nvcc //p' <<<"$answer")
  gpu=$(sed -n 's/^gpu //p' <<<"$answer")
}

# needs_display FILE;FILE...: a listing that opens a window of its own gets a virtual display, where there is no other, until
# ./run ends.
needs_display() {
  local files
  IFS=';' read -ra files <<<"$1"
  [ -z "${DISPLAY:-}" ] && grep -qw glutInit "${files[@]}" || return 0
  command -v Xvfb >/dev/null ||
    die "$(basename "${files[0]}") opens a window, and there is no display; the package xvfb has a virtual one" 77
  exec 8< <(exec Xvfb -displayfd 1 -screen 0 1280x1024x24 -nolisten tcp 2>/dev/null)
  display_server=$!
  trap 'kill $display_server 2>/dev/null' EXIT
  read -r DISPLAY <&8 || die "the virtual display (Xvfb) did not start"
  export DISPLAY=:$DISPLAY
  say "there is no display; the window of $(basename "${files[0]}") is in a virtual one ($DISPLAY). Ctrl-C ends it"
}

# configure PRESET [tests]: makes build/PRESET ready, with the tests or, sooner, without; quick when it is.
configure() {
  local folder=$build_folder/$1 log tests=OFF ready=yes
  # A folder that was copied or moved has a cache that speaks of another place.
  if [ -e "$folder/CMakeCache.txt" ] &&
    ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$folder/CMakeCache.txt"; then
    rm -rf "$folder"
  fi
  if grep -qsxF BUILD_TESTING:BOOL=ON "$folder/CMakeCache.txt"; then
    tests=ON
  elif [ "${2:-}" = tests ]; then
    tests=ON ready=no
  fi
  if [ -e "$folder/build.ninja" ] && [ "$installed_something" = no ] && [ $ready = yes ]; then return 0; fi
  say "configuring build/$1"
  [ "$root" = "$real_root" ] || say "CMake cannot take this folder's name: building through the link $root"
  log=$build_folder/$1.configure.log
  if ! cmake -S "$root" --preset "$1" -B "$folder" -DBUILD_TESTING=$tests ${WARNINGS_AS_ERRORS:+-DWARNINGS_AS_ERRORS="$WARNINGS_AS_ERRORS"} 2>&1 </dev/null | tee "$log" | show_progress; then
    cat "$log" >&2
    rm -f "$folder/build.ninja"
    die "CMake failed to configure build/$1 (see its output above)"
  fi
}

# set_listing PRESET NAME=VALUE...: what the target `listing` is made of (cmake/Listing.cmake), lists with semicolons between.
set_listing() {
  local folder=$build_folder/$1 log=$build_folder/$1.configure.log pair options=() new=no
  for pair in "${@:2}"; do
    grep -qxF "${pair%%=*}:STRING=${pair#*=}" "$folder/CMakeCache.txt" || new=yes
    options+=("-D${pair%%=*}:STRING=${pair#*=}")
  done
  [ $new = yes ] || return 0
  if ! cmake "${options[@]}" "$folder" >"$log" 2>&1 </dev/null; then
    cat "$log" >&2
    die "CMake failed to configure build/$1 (see its output above)"
  fi
}

# way_out WORDS: for what often ends a build, as the compiler says it, a sentence that helps.
way_out() {
  local name
  name=$(sed -nE 's/.*fatal error: ([^ ]+): No such file or directory.*/\1/p' <<<"$1" | head -n 1)
  [ -z "$name" ] || say "$name is missing. Copy it next to the program, or name its folder with -I FOLDER. A library's header (cuDNN, OpenCV, ...) needs the library, which this build does not have"
  name=$(sed -nE "s/.*undefined reference to [\`']([^'(]+).*/\1/p" <<<"$1" | head -n 1)
  case $name in
    '') ;;
    main) say "no file has a main(). Name the file that does, too (./run FILE.cu OTHER.cu)" ;;
    *) say "$name is declared but not defined. Name its file, too (./run FILE.cu OTHER.cu)" ;;
  esac
  if grep -qE "error: .?texture.? (is not a template|does not name a)" <<<"$1"; then  # as nvcc says it
    say "CUDA 12 removed texture references. Create a texture object with cudaCreateTextureObject()"
  fi
  name=$(sed -nE 's/.* error: no matching function for call to .(atomic(Min|Max|Sub|CAS|And|Or|Xor)\((float|double))\*.*/\1/p' <<<"$1" | head -n 1)
  [ -z "$name" ] || say "CUDA has no ${name%(*}() for ${name#*(}. A loop around atomicCAS() on its bits, as integers, does the same"
  local later='integral|floating_point|same_as|convertible_to|invocable|span|bit_cast|popcount|countr_zero|countl_zero|ranges|views|numbers|format|source_location|midpoint|lerp|ssize|erase_if|jthread|barrier|latch|remove_cvref_t|type_identity_t'
  if [ "${STANDARD:-}" = 17 ] && grep -qE "C\+\+20 onwards|-std=(c|gnu)\+\+2[0a]|error: .(consteval|constinit|co_await|char8_t)|error: [^ ]*\b($later)\b.* (is not a member|has not been declared|no member named)|has no member .($later)\b" <<<"$1"; then
    say "this is C++20, and nvcc defaults to C++17. Run STANDARD=20 ./run FILE.cu"
  fi
}

# build PRESET [TARGET...]: silent when nothing is to be done, else a line that names what is built, with progress on a
# terminal; the compiler's words when it fails, with RUN_VERBOSE all of them, and its warnings and those of cu2cpp.
build() {
  local preset=$1 log=$build_folder/$1.build.log
  shift
  local to_do
  # A dry run of build.ninja itself ends at the step that looks for new files, so the plan is read under another name.
  ln -sf build.ninja "$build_folder/$preset/plan.ninja"
  # It fails where a target is new to it (a sample that was added): cmake will look.
  to_do=$({ ninja -C "$build_folder/$preset" -f plan.ninja -n "$@" 2>/dev/null || echo '[0/?]'; } |
    sed -n 's|^\[[0-9]*/\([0-9?]*\)\].*|\1|p' | tail -n 1)
  [ -z "$to_do" ] || say "building ${*:-everything} in build/$preset ($to_do step$([ "$to_do" = 1 ] || echo s))"
  local failed=no
  cmake --build "$build_folder/$preset" ${1:+--target "$@"} 2>&1 </dev/null | tee "$log" | show_progress || failed=yes
  [[ "$*" != listing* ]] || keep_warnings "$preset"
  if [ $failed = yes ]; then
    # Without ninja's words: the step that failed, and its command on the next line.
    local words
    words=$(awk '/^FAILED: / { getline; next } !/^\[[0-9]+\/[0-9?]+\]|^ninja: |^collect2: |: in function / { print }' "$log")
    local sentences
    sentences=$(launch_sentences <<<"$words")
    [ -z "$sentences" ] || printf '%s\n' "$sentences" >&2
    way_out "$words"
    # Only --verbose shows what our headers say at length about templates, where nothing else is wrong.
    if [ -n "${RUN_VERBOSE:-}" ]; then
      printf '%s\n' "$words" >&2
    elif [ -z "$sentences" ] || [ "$(wc -l <<<"$sentences")" != "$(grep -c ' error: ' <<<"$words")" ]; then
      without_our_notes <<<"$words" | sed -n "/undefined reference to .main'/d; 1,60p" >&2
    fi
    die "the build failed; the whole log is $log"
  fi
  if [[ "$*" = listing* ]]; then
    warnings_of_listing "$preset" "$*" | show_warnings listing >&2
  else
    show_warnings "$@" <"$log" >&2
  fi
}

# keep_warnings PRESET: a compiler warns when it compiles, and a program is run again and again. So its
# warnings are kept, a line for each, behind the step that gave them, until that step is repeated.
keep_warnings() {
  local kept=$build_folder/$1/listing.warnings
  touch "$kept"
  awk '
    FNR == 1 { ++file }
    file == 1 && /^\[[0-9]+\/[0-9]+\] / { step = $0; sub(/^[^ ]* /, "", step); repeated[step] = 1; next }
    file == 1 { if (/: warning: /) print step "\t" $0; next }
    !(substr($0, 1, index($0, "\t") - 1) in repeated)' "$build_folder/$1.build.log" "$kept" >"$kept.new"
  mv "$kept.new" "$kept"
}

# warnings_of_listing PRESET TARGET: those of the files that `listing` or `listing_explained` is made of.
warnings_of_listing() {
  local files
  files=$(sed -n 's/^LISTING:[^=]*=//p' "$build_folder/$1/CMakeCache.txt")
  FILES=$files TARGET=$2 awk -F '\t' '
    BEGIN { stems["listing"] = 1; count = split(ENVIRON["FILES"], files, ";"); for (i = 1; i <= count; ++i) stems[stem(files[i])] = 1 }
    function stem(path) { sub(/.*\//, "", path); sub(/\..*/, "", path); return path }
    $1 ~ /\.dir\// && !index($1, "CMakeFiles/" ENVIRON["TARGET"] ".dir/") { next }
    stem($1) in stems { print substr($0, length($1) + 2) }' "$build_folder/$1/listing.warnings"
}

# show_warnings TARGET...: the warnings among a compiler's words, each as one sentence, once. Of a program that is not ours
# (listing) only those about mistakes, as nvcc has them, and none of our own files.
show_warnings() {
  local ours='' mistakes=.
  if [ "$*" = listing ]; then
    ours=$root
    mistakes='-W(uninitialized|return-type|format|format-extra-args|div-by-zero|overflow|return-local-addr|unused-value|shift-count-overflow)=?\]|assignment used as truth value|deprecated: use cuda'
  fi
  OURS=$ours MISTAKES=$mistakes awk '
    BEGIN { ours = ENVIRON["OURS"]; mistakes = ENVIRON["MISTAKES"] }
    !/: warning: / { next }
    ours != "" && (index($0, ours "/common/") == 1 || index($0, ours "/emulator/") == 1) { next }
    / \[-W[^]]*\]$/ && $0 !~ mistakes { next }
    { place = $0; sub(/: warning: .*/, "", place); sub(/:[0-9]+$/, "", place) }  # file:line
    /has no value yet/ { unset[place] = 1 }
    /-Wuninitialized/ && unset[place] { next }  # cu2cpp has said it
    { sub(/ \[-W[^]]*\]$/, "") }
    !said[$0]++'
}

# What the emulated device's headers refuse (static_assert), at the line of the program: g++ says it at the end of a page
# about templates. The column is that of the launch as it is written, of several in a line none: g++ has the translated line.
launch_sentences() {
  OURS=$root/emulator/ awk '
    BEGIN { ours = ENVIRON["OURS"] }
    function launch_in(place,  file, number, line) {
      file = place
      sub(/:[0-9]+:[0-9]+$/, "", file)
      number = substr(place, length(file) + 2) + 0
      for (; number > 0 && (getline line < file) > 0; --number) {}
      close(file)
      if (split(line, parts, "<<<") != 2 || !match(line, /[A-Za-z_][A-Za-z_0-9:]*(<[^;]*>)?[ \t]*<<</)) RSTART = 0
      sub(/:[0-9]+$/, "", place)
      return place (RSTART > 0 ? ":" RSTART : "")
    }
    / In instantiation of / { place = "" }
    /:   required from / && place == "" && index($0, ours) != 1 {
      place = $0
      sub(/:   required from .*/, "", place)
      place = launch_in(place)
    }
    index($0, ours) == 1 && sub(/.* error: static assertion failed: /, "") && place != "" { print place ": error: " $0 }'
}

# Without what g++ notes at lines of the emulated device's headers, long as it is: the program's own line comes first. What
# the headers refuse has been said (launch_sentences).
without_our_notes() {
  OURS=$root/emulator/ awk '
    BEGIN { ours = ENVIRON["OURS"] }
    { is_ours = index($0, ours) == 1 }
    is_ours && / In instantiation of / { held = $0; next }
    held != "" && /:   required from / { held = held "\n" $0; next }
    held != "" && is_ours && / error: static assertion failed: / { held = ""; skip = 1; next }
    held != "" { print held; held = "" }
    /^[^ ]/ { skip = is_ours && /: note: / || index($0, "In file included from " ours) == 1 }
    !skip'
}

# Where a person can see it, what comes in becomes one line that moves: how far ninja or apt is, and for how long.
show_progress() {
  if [ ! -t 2 ]; then
    cat >/dev/null
    return 0
  fi
  local line far='' start=$SECONDS code
  while :; do
    code=0
    IFS= read -r -t 1 line || code=$?
    if [ $code -eq 0 ]; then
      if [[ $line =~ ^\[([0-9]+)/([0-9]+)\] ]]; then
        far="${BASH_REMATCH[1]} of ${BASH_REMATCH[2]} steps done, "
      elif [[ $line =~ ^(dl|pm)status:[^:]*:([0-9]+)[^:]*:(.*) ]]; then
        far="${BASH_REMATCH[2]} %, ${BASH_REMATCH[3]:0:50}, "
      fi
    elif [ $code -le 128 ]; then # the end; above: a second has passed
      break
    fi
    printf '\r%s: %s%d s\033[K' "$me" "$far" $((SECONDS - start)) >&2
  done
  printf '\r\033[K' >&2
}
