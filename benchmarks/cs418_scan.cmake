# saxpy, scan and find_repeats beside cuBLAS, CUB and Thrust; cs418_scan_plot.py draws results/cs418_scan_*.json.
add_cuda_program(cs418_scan_benchmark cs418_scan.cu LIBRARIES benchmark::benchmark GPU_LIBRARIES CUDA::cublas)
