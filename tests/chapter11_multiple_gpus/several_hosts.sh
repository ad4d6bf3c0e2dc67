#!/usr/bin/env bash
# several_hosts.sh PROGRAM MPIRUN: heat_multi_gpu on two hosts, node1 and node2, that have nothing in common but a
# network: two network namespaces of this machine with host names of their own. MPI joins them through TCP, as it does
# hosts of a cluster; where that starts programs by ssh, this one enters the namespace. Skips where a process may not make
# namespaces.
set -euo pipefail
program=$1 mpirun=$2
skip() { echo "SKIP: $1"; exit 77; }
command -v ip >/dev/null || skip "the package iproute2 is not there"
unshare --net --uts true 2>/dev/null || skip "no network namespaces may be made here"
code=0
"$program" --check --size 3 >/dev/null 2>&1 || code=$?
[ $code != 77 ] || skip "this device cannot run it"

work=$(mktemp -d)
pids=()
trap 'kill "${pids[@]}" 2>/dev/null || true; rm -rf "$work"' EXIT
for _ in 1 2; do
  unshare --net --uts sleep 600 &
  pids+=($!)
done
on() { local node=$1; shift; nsenter -t "${pids[node - 1]}" --net --uts -- "$@"; }
for node in 1 2; do # until the process is in its namespaces
  for ((i = 0; i < 100; ++i)); do
    [ "$(readlink "/proc/${pids[node - 1]}/ns/net")" = "$(readlink /proc/self/ns/net)" ] || break
    sleep 0.1
  done
  on $node hostname node$node
done
on 1 ip link add eth0 type veth peer name eth0 netns "${pids[1]}" 2>"$work/log" || skip "$(head -n 1 "$work/log")"
for node in 1 2; do
  on $node ip address add 192.0.2.$node/24 dev eth0
  on $node ip link set eth0 up
  on $node ip link set lo up
done
cat >"$work/enter" <<END
#!/usr/bin/env bash
shift # the host: there is only one other
exec nsenter -t ${pids[1]} --net --uts -- bash -c "\$*"
END
chmod +x "$work/enter"
printf '192.0.2.%d slots=2\n' 1 2 >"$work/hosts"

# RANKS COMMAND...: the ranks take turns between the hosts.
job() {
  local ranks=$1
  shift
  on 1 timeout 120 "$mpirun" --mca plm_rsh_agent "$work/enter" --mca oob_tcp_if_include eth0 --mca btl_tcp_if_include eth0 \
    --mca btl self,vader,tcp --mca pml ob1 --hostfile "$work/hosts" --map-by node --bind-to none -n "$ranks" "$@"
}
expect() { grep -q "$1" "$work/log" || { echo "there is no '$1' in:"; cat "$work/log"; exit 1; }; }
succeeds() { "$@" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }; }

succeeds job 4 hostname
for node in 1 2; do [ "$(grep -cx "node$node" "$work/log")" = 2 ] || { cat "$work/log"; exit 1; }; done

succeeds job 4 "$program" --exchange mpi --benchmark --size 67 --steps 33 --frames 2
expect 'PASS heat_multi_gpu'

# The picture, gathered from both hosts, is that of one rank.
heat=("$program" --exchange mpi --headless --size 67 --steps 33)
succeeds job 4 "${heat[@]}" --frames 2 --output "$work/2.png"
succeeds "${heat[@]}" --frames 2 --output "$work/one.png"
cmp "$work/2.png" "$work/one.png"

# A rank on the other host is killed: the job ends, and says which, or, where its neighbor was just sending to it, that the
# neighbor's connection broke.
code=0
job 2 bash -c '[ "$(hostname)" = node1 ] || { sleep 3; kill -9 $$; } & exec "$@"' bash "${heat[@]}" --frames 100000 \
  --output "$work/never.png" >"$work/log" 2>&1 || code=$?
case $code in
  137) expect 'rank 1 .*192.0.2.2 exited on signal 9' ;;
  141) expect 'rank 0 .*exited on signal 13' ;;
  *) echo "exit code $code instead of 137:"; cat "$work/log"; exit 1 ;;
esac
[ ! -e "$work/never.png" ]
