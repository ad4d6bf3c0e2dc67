# The programs of the assignment under the names that the course gives them, so that its own scripts can drive them: links
# beside the samples. A program that is called by such a name has the course's defaults.
#   cudaScan   scan, and find_repeats with -m find_repeats
#   cudaSaxpy  saxpy
#   render     circle_renderer
function(course_name name sample)
  add_custom_command(TARGET ${sample} POST_BUILD
    COMMAND ${CMAKE_COMMAND} -E create_symlink ${sample} $<TARGET_FILE_DIR:${sample}>/${name} VERBATIM)
endfunction()
course_name(cudaScan scan)
course_name(cudaSaxpy saxpy)
course_name(render circle_renderer)

# scan -m find_repeats calls the main() of that sample, which is linked under another name.
add_cuda_target(STATIC find_repeats_main ${PROJECT_SOURCE_DIR}/cs418_assignment2/find_repeats/find_repeats.cu
  LIBRARIES find_repeats_methods)
target_compile_definitions(find_repeats_main PRIVATE main=find_repeats_main)
target_link_libraries(scan PRIVATE find_repeats_main)
