# histogram_picture.sh BIN COMPARE: --output draws the histogram; the same bytes give the same picture on CPU and device.
set -u
bin=$1 compare=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
"$bin/hist_cpu" --bytes 100000 --output cpu.png >out 2>&1 || { cat out; exit 1; }
"$bin/hist_gpu_shmem_atomics" --bytes 100000 --output gpu.png >out 2>&1
code=$?
[ $code = 0 ] || { cat out; exit $code; }
"$compare" gpu.png cpu.png 0
