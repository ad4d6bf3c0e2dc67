# The tunables of heat_fast: levels and warps of its rung registers, tiles of its rung persistent.
set(EMULATED_OPTIMIZATION 1)  # its times are for GPUs
add_cuda_program(heat_fast_sweep heat_fast_sweep.cu LIBRARIES heat_fast_methods EXACT)
unset(EMULATED_OPTIMIZATION)

# Every variant is right; a plate so small says nothing about times.
add_test(NAME chapter07_texture_memory.sweep COMMAND heat_fast_sweep 9 3)
add_test(NAME chapter07_texture_memory.sweep.usage COMMAND ${CMAKE_COMMAND} -DEXPECTED=2 "-DPATTERN=usage: heat_fast_sweep"
  -P ${PROJECT_SOURCE_DIR}/cmake/ExpectExit.cmake -- $<TARGET_FILE:heat_fast_sweep> 9)
set_tests_properties(chapter07_texture_memory.sweep chapter07_texture_memory.sweep.usage PROPERTIES LABELS chapter07_texture_memory
  SKIP_RETURN_CODE 77 TIMEOUT 300)
