# saxpy, scan and find_repeats. The sizes: nothing, one, around a row of 128, a chunk of 1024 and a tile.
add_sample(saxpy KIND numeric GPU_LIBRARIES CUDA::cublas CHECK_RUNS
  "default:-n 100000"
  "nothing:-n 0"
  "simple:-n 12345 --method simple --trip pageable"
  "pinned:-n 4097 --trip pinned"
  "overlapped:-n 4300001")
add_sample(scan KIND numeric CHECK_RUNS
  "default:-n 100001"
  "nothing:-n 0"
  "one:-n 1"
  "sweep:-n 5001 --method sweep"
  "blocks:-n 70001 --method blocks"
  "lookback:-n 70001 --method lookback"
  "exchange:-n 200001 --method exchange"
  "pipeline:-n 300001 --method pipeline"
  "ones:-i ones -n 4096"
  "find_repeats:-m find_repeats -n 1000")
add_sample(find_repeats KIND numeric CHECK_RUNS
  "default:-n 100001"
  "nothing:-n 0"
  "one:-n 1"
  "ones:-i ones -n 40001"
  "scan:-n 50001 --method scan"
  "rounds:-n 3000001")
