# The libraries and programs that the build and its tests use. Debian's package names stand in the messages.

# Says which package is missing instead of CMake's longer text.
function(need found package purpose)
  if(NOT ${found})
    message(FATAL_ERROR "${purpose} needs the package ${package} (Debian and Ubuntu: apt install ${package}; "
      "./run and ./run_tests install it themselves).")
  endif()
endfunction()

find_package(PNG QUIET)
need(PNG_FOUND libpng-dev "Writing pictures")
find_package(GIF QUIET)
find_package(CLI11 QUIET)
need(CLI11_FOUND libcli11-dev "Reading the command line")
find_package(GTest QUIET)
find_package(benchmark QUIET)
find_package(Threads REQUIRED)

set(HAVE_WINDOW OFF)
if(NOT WINDOW STREQUAL "off")
  set(OpenGL_GL_PREFERENCE GLVND)
  find_package(OpenGL QUIET)
  find_package(GLUT QUIET)
  if(OPENGL_FOUND AND GLUT_FOUND)
    set(HAVE_WINDOW ON)
  elseif(WINDOW STREQUAL "on")
    message(FATAL_ERROR "WINDOW=on needs the packages freeglut3-dev and libgl-dev.")
  endif()
endif()

find_program(FFMPEG ffmpeg)
find_program(XVFB Xvfb)
find_program(XDOTOOL xdotool)
mark_as_advanced(FFMPEG XVFB XDOTOOL)
