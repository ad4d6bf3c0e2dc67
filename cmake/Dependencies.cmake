# The libraries and programs that the build and its tests use. The messages name Debian's packages.

# Says which package is missing instead of CMake's longer text.
function(need found package purpose)
  if(NOT ${found})
    message(FATAL_ERROR "${purpose} needs the package ${package} (Debian and Ubuntu: apt install ${package}; "
      "./run and ./run_tests install it themselves).")
  endif()
endfunction()

find_package(PNG QUIET)
need(PNG_FOUND libpng-dev "Writing pictures")
if(BUILD_TESTING)
  find_package(GTest QUIET)
endif()
find_package(Threads REQUIRED)

set(HAVE_WINDOW OFF)
if(NOT WINDOW STREQUAL "off")
  set(OpenGL_GL_PREFERENCE GLVND)
  find_package(OpenGL QUIET)
  find_package(GLUT QUIET)
  # It comes with freeglut3-dev. CMake's FindX11 would take longer than the first sample takes to compile.
  find_path(X11_INCLUDES X11/Xlib.h)
  find_library(X11_LIBRARY X11)
  mark_as_advanced(X11_INCLUDES X11_LIBRARY)
  if(OPENGL_FOUND AND GLUT_FOUND AND X11_INCLUDES AND X11_LIBRARY)
    set(HAVE_WINDOW ON)
    add_library(project_x11 INTERFACE)
    target_include_directories(project_x11 SYSTEM INTERFACE ${X11_INCLUDES})
    target_link_libraries(project_x11 INTERFACE ${X11_LIBRARY})
  elseif(WINDOW STREQUAL "on")
    message(FATAL_ERROR "WINDOW=on needs the packages freeglut3-dev and libgl-dev.")
  endif()
endif()

# MPI and NCCL, for samples on several GPUs: both optional. Debian's Open MPI lies in folders of its own, and is looked for
# there first: FindMPI compiles programs. Hints for others are MPI_HOME (FindMPI's), and NCCL_ROOT: a folder with include/nccl.h and lib/libnccl.so, or libnccl.so.2 as the
# Python package has it (site-packages/nvidia/nccl).
find_path(MPI_INCLUDES mpi.h HINTS ${MPI_HOME} PATH_SUFFIXES include lib/${CMAKE_LIBRARY_ARCHITECTURE}/openmpi/include
  lib/x86_64-linux-gnu/openmpi/include)
find_library(MPI_LIBRARY mpi HINTS ${MPI_HOME} PATH_SUFFIXES lib lib/${CMAKE_LIBRARY_ARCHITECTURE}/openmpi/lib
  lib/x86_64-linux-gnu/openmpi/lib)
find_program(MPICXX mpicxx HINTS ${MPI_HOME} PATH_SUFFIXES bin)
if(MPICXX AND NOT (MPI_INCLUDES AND MPI_LIBRARY))
  set(MPI_CXX_SKIP_MPICXX ON)
  find_package(MPI QUIET COMPONENTS CXX)
  if(MPI_CXX_FOUND)
    set(MPI_INCLUDES ${MPI_CXX_INCLUDE_DIRS})
    set(MPI_LIBRARY ${MPI_CXX_LIBRARIES})
    if(MPIEXEC_EXECUTABLE)
      set(MPIRUN ${MPIEXEC_EXECUTABLE})
    endif()
  endif()
endif()
find_program(MPIRUN NAMES mpirun orterun HINTS ${MPI_HOME} PATH_SUFFIXES bin)
set(HAVE_MPI OFF)
set(HAVE_NCCL OFF)
if(MPI_INCLUDES AND MPI_LIBRARY)
  set(HAVE_MPI ON)
  add_library(project_mpi INTERFACE)
  target_include_directories(project_mpi SYSTEM INTERFACE ${MPI_INCLUDES})
  target_link_libraries(project_mpi INTERFACE ${MPI_LIBRARY})
  target_compile_definitions(project_mpi INTERFACE OMPI_SKIP_MPICXX)  # the C interface only
endif()
add_library(project_nccl INTERFACE)
if(NOT EMULATED)
  find_path(NCCL_INCLUDES nccl.h HINTS ${NCCL_ROOT} $ENV{NCCL_ROOT} ${CUDAToolkit_INCLUDE_DIRS} PATH_SUFFIXES include)
  find_library(NCCL_LIBRARY NAMES nccl libnccl.so.2 HINTS ${NCCL_ROOT} $ENV{NCCL_ROOT} ${CUDAToolkit_LIBRARY_DIR}
    PATH_SUFFIXES lib lib64)
  if(NCCL_INCLUDES AND NCCL_LIBRARY)
    set(HAVE_NCCL ON)
    target_include_directories(project_nccl SYSTEM INTERFACE ${NCCL_INCLUDES})
    target_link_libraries(project_nccl INTERFACE ${NCCL_LIBRARY})
    target_compile_definitions(project_nccl INTERFACE HAVE_NCCL)
  endif()
endif()
mark_as_advanced(MPI_INCLUDES MPI_LIBRARY MPICXX MPIRUN NCCL_INCLUDES NCCL_LIBRARY)

find_program(FFMPEG ffmpeg)
find_program(XVFB Xvfb)
find_program(XDOTOOL xdotool)
mark_as_advanced(FFMPEG XVFB XDOTOOL)
