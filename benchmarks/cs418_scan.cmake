# saxpy, scan and find_repeats beside cuBLAS, CUB and Thrust; record.py runs it, make_report.py makes tables and plots.
add_cuda_program(cs418_scan_benchmark cs418_scan.cu LIBRARIES benchmark::benchmark GPU_LIBRARIES CUDA::cublas)
