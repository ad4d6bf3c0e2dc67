# Programs that are not ours: a listing of the book, a sample of a course. They are compiled alone against common/.

# add_listing_program(TARGET SOURCE)
function(add_listing_program target source)
  add_cuda_program(${target} "${source}")
  # The listings say "../common/book.h", as they would in a chapter's folder.
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/common)
  # Warnings about their style are not ours to heed.
  target_compile_options(${target} PRIVATE "$<$<COMPILE_LANGUAGE:CXX>:-w>" "$<$<COMPILE_LANGUAGE:CUDA>:-w;-Xcompiler=-w>")
endfunction()

# The one that `./run FILE.cu` builds: no part of "everything".
set(LISTING "" CACHE FILEPATH "A .cu file that the target 'listing' is made from (./run FILE.cu sets it)")
if(LISTING AND EXISTS "${LISTING}")
  add_listing_program(listing "${LISTING}")
  set_target_properties(listing PROPERTIES EXCLUDE_FROM_ALL ON RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/listing")
endif()
