#!/usr/bin/env bash
# install.sh NAME GROUP...: installs the packages of these groups that are missing, and prints "installed" if there were
# any. NAME, the command for which it is done, begins each message.
set -euo pipefail
me=$1
shift
say() { printf '%s: %s\n' "$me" "$*" >&2; }

# The packages' names in Debian, which are the same in Ubuntu.
packages=()
for group; do
  case $group in
    python) packages+=(python3) ;;
    build) packages+=(g++ cmake ninja-build libpng-dev libgl-dev freeglut3-dev) ;;
    mpi) packages+=(libopenmpi-dev openmpi-bin) ;; # samples on several GPUs
    films) packages+=(ffmpeg) ;;
    site) packages+=(python3-markdown-it python3-pygments) ;;
    tests) packages+=(libgtest-dev xvfb xdotool x11-utils iproute2) ;;
    browser) packages+=(chromium python3-pip) ;; # for ./run_tests --site
    checks) # exactly these releases, and a browser for the pages; not every system has them
      for package in clang-format-14 clang-tidy-16 chromium; do
        if dpkg-query -W "$package" >/dev/null 2>&1 || [ -n "$(apt-cache show "$package" 2>/dev/null)" ]; then
          packages+=("$package")
        else
          say "apt does not offer $package here, so its checks are skipped"
        fi
      done
      ;;
  esac
done

without_rights='  conda:   conda install -c conda-forge gxx cmake ninja libpng ffmpeg python   (no window)
  then:    cmake -B build -DDEVICE=emulated -DWINDOW=off && cmake --build build && build/bin/ray --headless'

if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
  # CMake reports what else is missing. Windows, films and tests are optional.
  for tool in python3 g++ cmake ninja; do
    command -v $tool >/dev/null && continue
    say "this system has no apt-get; please install the packages it needs:
  Fedora:  sudo dnf install gcc-c++ cmake ninja-build python3 libpng-devel freeglut-devel mesa-libGL-devel ffmpeg-free
  Arch:    sudo pacman -S gcc cmake ninja python libpng freeglut ffmpeg
$without_rights"
    exit 1
  done
  exit 0
fi

there=$(dpkg-query -W -f '${db:Status-Status} ${Package} ' "${packages[@]}" 2>/dev/null || true)
missing=()
for package in "${packages[@]}"; do
  [[ " $there" = *" installed $package "* ]] || missing+=("$package")
done
[ ${#missing[@]} -gt 0 ] || exit 0

as_root=()
sudo=''
if [ "$(id -u)" -ne 0 ]; then
  sudo='sudo '
  as_root=(sudo -n)
  if ! sudo -n true 2>/dev/null; then
    say "some packages are missing, and their installation needs a password. Please run:
  sudo apt-get update && sudo apt-get install ${missing[*]}
or, without the right to install, build with packages of conda:
$without_rights"
    exit 1
  fi
fi

# On a terminal one line that moves, made of what apt reports: KIND:PACKAGE:PERCENT:WORDS.
show_progress() {
  local kind package percent words
  while IFS=: read -r kind package percent words; do
    [ -t 2 ] && [[ $kind = [dp][lm]status ]] || continue
    printf '\r%s: %s %%, %s, %d s\033[K' "$me" "${percent%.*}" "${words:0:50}" $SECONDS >&2
  done
  [ ! -t 2 ] || printf '\r\033[K' >&2
}

say "installing with apt-get: ${missing[*]}"
log=$(mktemp "${TMPDIR:-/tmp}/${me}_apt_XXXXXX.log")
if ! "${as_root[@]}" sh -c 'apt-get -qq update >&2 && DEBIAN_FRONTEND=noninteractive apt-get -qq -o APT::Status-Fd=3 \
    install -y --no-install-recommends "$@" 3>&1 >&2' sh "${missing[@]}" 2>"$log" </dev/null | show_progress; then
  say "apt-get could not install ${missing[*]}. Its first error:"
  # The first error, and the reason, which may follow in the next line.
  awk '/^(E: |Err:|dpkg: error|W: Failed)/ { print "  " $0; if ((getline > 0) && /^ /) print "  " $0; exit }' "$log" >&2
  say "to repair it: ${sudo}dpkg --configure -a; ${sudo}apt-get update && ${sudo}apt-get --fix-broken install && \
${sudo}apt-get install ${missing[*]}"
  say "the whole log is $log"
  exit 1
fi
rm -f "$log"
echo installed
