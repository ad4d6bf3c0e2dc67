# circle_renderer on its scenes; cs418_circles_plot.py draws results/cs418_circles_*.json.
add_cuda_program(cs418_circles_benchmark cs418_circles.cu LIBRARIES benchmark::benchmark EXACT)
