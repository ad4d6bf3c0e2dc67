# checkpoint.sh CASE BIN [MPIRUN...]: checkpoints of heat_multi_gpu. BIN: the program. MPIRUN...: how mpirun is called.
#   restart   from every number of ranks, of processes and of threads, to every other: the bits of an uninterrupted run
#   damaged   a file that is no checkpoint, is damaged or truncated, or of another plate: refused in one sentence
#   lost      a full disk, and a rank that is killed in the middle: the older checkpoint is still good
set -u
case=$1 bin=$2
shift 2
mpirun=("$@")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
failed=0
complain() { echo "$*"; [ ! -s err ] || cat err; failed=1; }
plate=(--size 37 --steps 7)
# ranks N options...: N processes. threads N options...: one process with N devices.
ranks() { local n=$1; shift; "${mpirun[@]}" --oversubscribe -n "$n" "$bin" --exchange mpi "${plate[@]}" "$@" >out 2>err; }
threads() { local n=$1; shift; EMULATED_DEVICES=$n "$bin" --exchange peer "${plate[@]}" "$@" >out 2>err; }
frame_of() { od -An -t d8 -j 32 -N 8 "$1" | tr -d ' '; } # PlateState of checkpoint.h
passes() { grep -q '^PASS' out || complain "$*: no PASS"; }

ranks 1 --check --frames 1
code=$?
[ $code = 77 ] && { echo "SKIP: no device"; exit 77; }
[ $code = 0 ] || complain "exit code $code"

case $case in
  restart)
    kinds=(ranks)
    [ "${EMULATED:-}" = "" ] || kinds=(ranks threads)
    # Every kind of run writes the same file to the byte: so each number of ranks is to read one of them.
    for kind in "${kinds[@]}"; do
      for writers in 1 2 3 4; do
        rm -f plate
        $kind $writers --check --frames 5 --checkpoint plate --checkpoint-every 3 || complain "$kind $writers: exit code $?"
        [ "$(frame_of plate)" = 5 ] || complain "$kind $writers: not the last frame"
        [ ! -e plate.partial ] || complain "$kind $writers: plate.partial is left"
        [ -e first ] || cp plate first
        cmp first plate || complain "$kind $writers: other bytes"
      done
    done
    for kind in "${kinds[@]}"; do
      for readers in 1 2 3 4; do
        $kind $readers --check --frames 8 --restart first || complain "$kind $readers: exit code $?"
        passes "$kind $readers"
      done
    done
    # Frame 3 is one in the middle: a run that ends at 4 writes at 3 and at 4.
    ranks 2 --check --frames 3 --checkpoint middle --checkpoint-every 3
    ranks 3 --check --frames 4 --restart middle --checkpoint middle || complain "from 3 to 4: exit code $?"
    [ "$(frame_of middle)" = 4 ] || complain "a restarted run writes no checkpoint"
    # A link stays one; films and pictures go on, too.
    ln -s middle link
    ranks 2 --headless --frames 6 --restart link --checkpoint link --output out.png || complain "link: exit code $?"
    [ -L link ] && [ "$(frame_of middle)" = 6 ] || complain "the link is gone, or what it points to is old"
    ranks 1 --headless --frames 6 --output all.png
    cmp -s out.png all.png || complain "the restarted picture is another one"
    ;;
  damaged)
    ranks 2 --check --frames 2 --checkpoint good || complain "exit code $?"
    cp good cells && printf '\x55' | dd of=cells bs=1 seek=3000 conv=notrunc status=none
    cp good line && printf '\x01' | dd of=line bs=1 seek=32 conv=notrunc status=none
    head -c 4000 good >truncated
    head -c 40 good >short
    { cat good; echo more; } >longer
    : >empty
    head -c 5524 /dev/urandom >foreign
    mkdir folder
    mkfifo pipe
    frames=(--frames 4)
    refused() { # FILE PATTERN options...
      local file=$1 pattern=$2
      shift 2
      ranks 2 --check "${frames[@]}" --restart "$file" "$@"
      local code=$?
      [ $code = 2 ] || complain "$file: exit code $code, expected 2"
      grep -q "^heat_multi_gpu: .*$pattern" err || complain "$file: not said: $pattern"
      [ "$(grep -c '^heat_multi_gpu: ' err)" = 1 ] || complain "$file: not one sentence"
    }
    refused cells 'cells is damaged: its content does not have the checksum'
    refused line 'line is damaged: its content does not have the checksum'
    refused truncated 'truncated has 4000 bytes, and a plate of that size has 5524'
    refused longer 'longer has 5529 bytes'
    for file in short empty foreign; do refused $file "$file is no checkpoint"; done
    refused nowhere 'cannot read nowhere: No such file'
    for file in folder pipe; do refused $file "cannot read $file: it is not a regular file"; done
    refused good 'excludes --checkpoint and --restart' --benchmark
    frames=(--frames 2)
    refused good 'good holds the plate after 2 frames: nothing is left with --frames 2'
    frames=(--frames 4)
    for plate in '--size 37 --steps 8' '--size 38 --steps 7'; do
      read -ra plate <<<"$plate"
      refused good 'good is of another plate: run it with --size 37 --steps 7'
    done
    plate=(--size 37 --steps 7)
    ranks 2 --check --frames 4 --restart good || complain "the good one: exit code $?"
    ;;
  lost)
    ranks 2 --check --frames 2 --checkpoint plate || complain "exit code $?"
    cp plate older
    # The limit on the size of files stands in for the full disk; Open MPI is kept from files of its own.
    (trap '' XFSZ; ulimit -f 4
     OMPI_MCA_btl=self PMIX_MCA_gds=hash exec "$bin" --exchange mpi "${plate[@]}" --check --frames 4 --restart plate \
       --checkpoint plate >/dev/null 2>err)
    code=$?
    [ $code = 1 ] || complain "full disk: exit code $code, expected 1"
    grep -q '^heat_multi_gpu: cannot write plate: ' err || complain "full disk: it does not say so"
    cmp -s plate older || complain "full disk: the older checkpoint is gone"
    [ ! -e plate.partial ] || complain "full disk: a part is left"
    ranks 2 --check --frames 3 --checkpoint no/such/folder
    code=$?
    [ $code = 1 ] || [ $code = 2 ] || complain "no folder: exit code $code"
    grep -q 'cannot write no/such/folder: No such file' err || complain "no folder: it does not say so"

    # A rank is killed while checkpoints are written.
    "${mpirun[@]}" --oversubscribe -n 3 "$bin" --exchange mpi "${plate[@]}" --headless --frames 1000000 --output out.png \
      --checkpoint plate --checkpoint-every 2 >out 2>err &
    job=$!
    for _ in $(seq 600); do cmp -s plate older || break; sleep 0.1; done
    cmp -s plate older && complain "no checkpoint was written in a minute"
    victim=$(pgrep -P $job -f -- --checkpoint-every | tail -n 1)
    began=$SECONDS
    kill -KILL "$victim" || complain "no rank to kill"
    wait $job
    code=$?
    [ $code != 0 ] || complain "killed: exit code 0"
    [ $((SECONDS - began)) -le 20 ] || complain "killed: the job went on for $((SECONDS - began)) s"
    grep -Eq 'rank [0-9]+ .*signal 9' err || complain "killed: it does not say which rank"
    frame=$(frame_of plate)
    # The reference of many frames takes long: the run that was not interrupted is another job here.
    ranks 2 --headless --frames $((frame + 2)) --restart plate --output two.png --checkpoint two ||
      complain "after the kill: exit code $?"
    ranks 1 --headless --frames $((frame + 2)) --output one.png --checkpoint one --checkpoint-every 1000000 ||
      complain "uninterrupted: exit code $?"
    cmp -s one two || complain "after the kill: another plate"
    ;;
  *) complain "no case $case" ;;
esac
exit $failed
