#!/usr/bin/env bash
# folders.sh PROJECT: a checkout works in a folder of any name that CMake and Ninja can take: a sample, a file and --explain.
# Where they cannot, and where nothing may be written, ./run refuses in one sentence.
set -u
project=$1
place=$(mktemp -d)
trap 'chmod -R u+w "$place"; rm -rf "$place"' EXIT
failed=0
complain() { echo "$case: $*"; failed=1; }
says() { grep -qF -e "$1" said || { complain "it does not say '$1', but:"; cat said; }; }

# checkout FOLDER: the project's files there, without what was built.
checkout() {
  mkdir -p "$1"
  (cd "$project" && tar -cf - --exclude=./build --exclude=./.git --exclude=./.gpu --exclude=./.gl .) | tar -xf - -C "$1"
}

# What the first checkout has compiled of the device and of common is copied for the others.
mkdir "$place/made"
cat >"$place/once" <<END
#!/usr/bin/env bash
[[ "\$*" =~ \ -o\ ((common|emulator)/[^\ ]+)\ -c\  ]] || exec "\$@"
object=\${BASH_REMATCH[1]}
made=$place/made/\${object//\//-}
[ ! -e "\$made" ] || exec cp "\$made" "\$object"
"\$@" || exit
cp "\$object" "\$made" || true
END
chmod +x "$place/once"

cd "$place" || exit 1
unset DISPLAY
export DEVICE=emulated CMAKE_CXX_COMPILER_LAUNCHER=$place/once
case="a name with everything that works"
here="$place/my project (1)+a,b&c'd%e@f=g~h!i{j}k^é"
checkout "$here"
cp "$here/docs/patterns/broadcast.cu" "$here/my file (1).cu"
cd "$here" || exit 1
./run ray --check --size 17 >"$place/said" 2>&1 || complain "exit code $?"
cd "$place" && says "PASS ray"
cd "$here" && ./run "my file (1).cu" >"$place/said" 2>&1 || complain "exit code $?"
cd "$here" && ./run --explain "my file (1).cu" >"$place/said" 2>&1 || complain "exit code $?"
cd "$place" && says "my file (1).cu:"
cd "$here" && cat >"outside (2).cu" <<'END'
__global__ void outside(int* p) { p[1 << 30] = 1; }
int main() {
  outside<<<1, 1>>>(nullptr);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
END
./run "outside (2).cu" >"$place/said" 2>&1 && complain "it went on"
cd "$place" && says "outside (2).cu:1"
# The tests there are the same.
cmake -DBUILD_TESTING=ON "$here/build/emulated" >said 2>&1 || complain "exit code $?"
ctest --test-dir "$here/build/emulated" -N -V -R '^style[.]tidy' >said 2>&1
says "/common/check.cpp"
! grep -qF translated said || complain "what cu2cpp writes is looked at"

case="a name with what CMake or Ninja cannot take"
there="$place/"$'C# [old];$x "q" `b` \\ * ? <h> | : line\nend'
mkdir "$there"
cp -r "$project/run" "$project/scripts" "$there"
(cd "$there" && ./run ray) >said 2>&1
[ $? = 2 ] || complain "it is not refused as wrong use"
says "please rename this folder: CMake or Ninja cannot take"
[ "$(grep -c . said)" = 1 ] || complain "more than one sentence"
[ ! -e "$there/build" ] || complain "something was built"

# Root may write everywhere; another user reads this folder.
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
  chmod 755 "$place"
  chmod -R a+rX "$here"
  as_nobody() { (cd "$here" && setpriv --reuid=65534 --regid=65534 --clear-groups env HOME="$1" XDG_CACHE_HOME= "${@:2}"); }
  case="read-only, with what is asked for built"
  as_nobody /nonexistent ./run ray --check --size 17 >said 2>&1 || complain "exit code $?"
  says "PASS ray"
  case="read-only, and no cache"
  as_nobody /nonexistent ./run add >said 2>&1 && complain "it went on"
  says "is read-only, and so is the other place to build in"
  case="read-only, with a cache"
  mkdir "$place/home"
  chown 65534 "$place/home"
  as_nobody "$place/home" ./run device_info >said 2>&1 || complain "exit code $?"
  says "is read-only: building in $place/home/.cache/"
  says "threads per warp"
  echo 'int main() { return 3; }' >"$place/home/three.cu"  # not the program of its own that was built in the checkout
  as_nobody "$place/home" ./run "$place/home/three.cu" >said 2>&1
  [ $? = 3 ] || complain "a program of one's own is another one"
fi
exit $failed
