# The tunables of heat_fast: levels and warps of its rung registers, tiles and exchanges of its rung persistent.
add_cuda_program(heat_fast_sweep heat_fast_sweep.cu EXACT)
