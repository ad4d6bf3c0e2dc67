# saxpy, scan and find_repeats beside cuBLAS, CUB and Thrust; record.py runs it, make_report.py makes tables and plots.
add_cuda_program(cs418_scan_benchmark cs418_scan.cu
  LIBRARIES saxpy_methods scan_methods find_repeats_methods benchmark::benchmark)
