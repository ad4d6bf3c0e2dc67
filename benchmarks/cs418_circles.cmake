# circle_renderer on its scenes; record.py runs it, make_report.py makes tables and plots.
add_cuda_program(cs418_circles_benchmark cs418_circles.cu LIBRARIES circle_renderer_methods benchmark::benchmark EXACT)
