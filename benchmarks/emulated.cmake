# The emulated device against plain OpenMP loops; emulated_table.sh runs both and prints the table.
find_package(OpenMP QUIET COMPONENTS CXX)
if(EMULATED AND OpenMP_CXX_FOUND AND NOT SANITIZE)
  add_executable(openmp_loops openmp_loops.cpp)
  target_compile_options(openmp_loops PRIVATE -O3 -ffp-contract=off)
  if(HAVE_MARCH_NATIVE AND NATIVE)
    target_compile_options(openmp_loops PRIVATE -march=native)
  endif()
  target_link_libraries(openmp_loops PRIVATE common benchmark::benchmark OpenMP::OpenMP_CXX project_warnings)
endif()

# What single idioms cost there.
if(EMULATED AND NOT SANITIZE)
  add_cuda_program(emulated_rates emulated_rates.cu EXACT)
endif()
