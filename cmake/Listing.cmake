# Programs that are not ours: a listing of the book, a sample of a course. They are compiled alone against common/.

# add_listing_program(TARGET SOURCE... [STANDARD 17])
function(add_listing_program target)
  add_cuda_program(${target} ${ARGN})
  # The listings say "../common/book.h", as they would in a chapter's folder, and expect more of it than the samples do.
  # helper_cuda.h and its companions, which programs take from NVIDIA's samples, in both builds.
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/common ${PROJECT_SOURCE_DIR}/starters
    ${PROJECT_SOURCE_DIR}/emulator/packs/helpers/include)
  target_compile_definitions(${target} PRIVATE "BOOK_LISTING=\"listing.h\"")
  # Warnings about their style are not ours to heed.
  target_compile_options(${target} PRIVATE "$<$<COMPILE_LANGUAGE:CXX,C>:-w>" "$<$<COMPILE_LANGUAGE:CUDA>:-w;-Xcompiler=-w>")
  # Their assertions count, as they do when nvcc or g++ is called without more: CMake's release builds define NDEBUG.
  target_compile_options(${target} PRIVATE -UNDEBUG)
endfunction()

# The one that `./run FILE.cu` builds: no part of "everything".
set(LISTING "" CACHE STRING "The .cu, .cpp and .c files that the target 'listing' is made from (./run FILE.cu sets it)")
set(LISTING_STANDARD 20 CACHE STRING "The C++ standard of the listing's .cu files: 20 or 17 (STANDARD=17 ./run FILE.cu)")
set(listing_exists ON)
foreach(source IN LISTS LISTING)
  if(NOT EXISTS "${source}")
    set(listing_exists OFF)
  elseif(source MATCHES "\\.c$")
    enable_language(C)
  endif()
endforeach()
if(LISTING AND listing_exists)
  add_listing_program(listing ${LISTING} STANDARD ${LISTING_STANDARD})
  set_target_properties(listing PROPERTIES EXCLUDE_FROM_ALL ON RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/listing")
endif()
