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
