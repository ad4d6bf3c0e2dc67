# Programs that are not ours: a listing of the book, a sample of a course. They are compiled alone against common/.

# add_listing_program(TARGET SOURCE... [STANDARD 20] [RELAXED_CONSTEXPR]): as C++17, which nvcc takes without more, and
# without constexpr functions of the host in kernels, unless RELAXED_CONSTEXPR is given.
function(add_listing_program target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "RELAXED_CONSTEXPR" "STANDARD" "")
  if(NOT arg_STANDARD)
    set(arg_STANDARD 17)
  endif()
  if(NOT arg_RELAXED_CONSTEXPR)
    list(APPEND arg_UNPARSED_ARGUMENTS STRICT_CONSTEXPR)
  endif()
  add_cuda_program(${target} ${arg_UNPARSED_ARGUMENTS} STANDARD ${arg_STANDARD})
  compile_as_listing(${target})
  if(TARGET ${target}_explained)
    compile_as_listing(${target}_explained)
  endif()
endfunction()

function(compile_as_listing target)
  # The listings say "../common/book.h", as they would in a chapter's folder, and expect more of it than the samples do.
  # helper_cuda.h and its companions, which programs take from NVIDIA's samples, in both builds.
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/common
    ${PROJECT_SOURCE_DIR}/emulator/packs/helpers/include)
  target_compile_definitions(${target} PRIVATE "BOOK_LISTING=\"listing.h\"")
  if(HAVE_WINDOW)
    target_link_libraries(${target} PRIVATE GLUT::GLUT OpenGL::GL)  # chapter 8 calls them itself
  endif()
  # Warnings about their style are not ours to heed, those about mistakes are (scripts/compiler.py).
  set(mistakes -w)
  if(EMULATED)
    get_target_property(mistakes emulated_program EMULATED_WARNINGS)
  endif()
  target_compile_options(${target} PRIVATE "$<$<COMPILE_LANGUAGE:CUDA>:-w;-Xcompiler=-w>"
    "$<$<COMPILE_LANGUAGE:CXX,C>:${mistakes}>")
  set_target_properties(${target} PROPERTIES FOREIGN ON)
  # Their assertions count, as they do when nvcc or g++ is called without more: CMake's release builds define NDEBUG.
  target_compile_options(${target} PRIVATE -UNDEBUG)
endfunction()

# Those that `./run grade --exercises FOLDER` builds, all at once.
set(GRADED "" CACHE STRING "A file with the solutions to grade (scripts/grade_folder.py writes it)")
if(GRADED)
  include("${GRADED}" OPTIONAL)
endif()

# The one that `./run FILE.cu` builds: no part of "everything".
set(LISTING "" CACHE STRING "The .cu, .cpp and .c files that the target 'listing' is made from (./run FILE.cu sets it)")
set(LISTING_STANDARD 17 CACHE STRING "The C++ standard of the listing's .cu files: 17 or 20 (STANDARD=20 ./run FILE.cu)")
set(LISTING_FOLDERS "" CACHE STRING "Where the listing's headers lie (./run FILE.cu -I FOLDER)")
set(LISTING_DEFINITIONS "" CACHE STRING "What the listing is compiled with (./run FILE.cu -D NAME)")
set(LISTING_HOST_OPTIONS "" CACHE STRING "Options of the listing for g++ (./run FILE.cu -fopenmp)")
set(LISTING_NVCC_OPTIONS "" CACHE STRING "Options of the listing for nvcc alone (./run FILE.cu -use_fast_math)")
set(LISTING_LIBRARIES "" CACHE STRING "What the listing is linked with (./run FILE.cu -lm)")
set(listing_exists ON)
foreach(source IN LISTS LISTING)
  if(NOT EXISTS "${source}")
    set(listing_exists OFF)
  elseif(source MATCHES "\\.c$")
    enable_language(C)
  endif()
endforeach()
if(LISTING AND listing_exists)
  set(relaxed "")
  if(LISTING_NVCC_OPTIONS MATCHES "expt-relaxed-constexpr")
    set(relaxed RELAXED_CONSTEXPR)
  endif()
  add_listing_program(listing ${LISTING} STANDARD ${LISTING_STANDARD} ${relaxed})
  foreach(target IN ITEMS listing listing_explained)
    if(TARGET ${target})
      target_include_directories(${target} BEFORE PRIVATE ${LISTING_FOLDERS})
      target_compile_definitions(${target} PRIVATE ${LISTING_DEFINITIONS})
      foreach(option IN LISTS LISTING_HOST_OPTIONS)
        target_compile_options(${target} PRIVATE
          "$<IF:$<COMPILE_LANGUAGE:CUDA>,SHELL:-Xcompiler ${option},${option}>")
      endforeach()
      target_compile_options(${target} PRIVATE "$<$<COMPILE_LANGUAGE:CUDA>:${LISTING_NVCC_OPTIONS}>")
      target_link_libraries(${target} PRIVATE ${LISTING_HOST_OPTIONS} ${LISTING_LIBRARIES})
    endif()
  endforeach()
  if(LISTING_NVCC_OPTIONS MATCHES "rdc=true|relocatable-device-code=true")
    set_target_properties(listing PROPERTIES CUDA_SEPARABLE_COMPILATION ON)
  endif()
  set_target_properties(listing PROPERTIES EXCLUDE_FROM_ALL ON RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/listing")
endif()
