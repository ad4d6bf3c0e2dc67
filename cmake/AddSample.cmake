# add_sample(NAME FOLDER still|animation|numeric
#            [SOURCES FILE...] [CHECK_SIZES N...] [EMULATED_CHECK_SIZES N...] [CHECK_RUNS "label:arguments"...]
#            [CHECK_ARGS ...] [LIBRARIES ...] [GPU_LIBRARIES ...] [LADDER] [EXACT] [NEEDS VARIABLE])
# Makes the executable from FOLDER/NAME.cu, and its tests. Called for each line of samples.txt, which registers the samples.
#   SOURCES               further sources of FOLDER: NAME.cpp is compiled once, as library NAME, for all that name it; a .cu
#                         belongs to the program
#   LADDER                FOLDER/methods.cu holds all rungs, or what takes long to compile lies in methods_*.cu beside it:
#                         compiled once, as library NAME_methods, which the tests of the rungs link, too
#   CHECK_SIZES           --check runs with --size N (default 1 17 256 1024 for pictures)
#   EMULATED_CHECK_SIZES  instead of CHECK_SIZES on the emulated device, where the default would take long
#   CHECK_RUNS            further --check runs; the label names the test, the arguments are words
#   CHECK_ARGS            arguments added to every --check run
#   NEEDS                 the sample is left out where this variable (of Dependencies.cmake) is off
# On the emulated device each check at a size of at most 256 (or the first one) also runs with blocks and threads in
# reversed and in shuffled order: a kernel whose result depends on the order has a race.
# Every sample is also tested for --help (exit code 0), for an unknown option (2) and for a corrupted result, which
# --check must fail (1).

function(add_sample name place kind)
  cmake_parse_arguments(PARSE_ARGV 3 arg "EXACT;LADDER" "NEEDS"
    "SOURCES;CHECK_SIZES;EMULATED_CHECK_SIZES;CHECK_RUNS;CHECK_ARGS;LIBRARIES;GPU_LIBRARIES")
  if(NOT kind MATCHES "^(still|animation|numeric)$")
    message(FATAL_ERROR "samples.txt: ${name} must be still, animation or numeric, not '${kind}'.")
  endif()
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "samples.txt: ${name} has arguments that add_sample() does not know: ${arg_UNPARSED_ARGUMENTS}")
  endif()
  set(cuda_sources ${PROJECT_SOURCE_DIR}/${place}/${name}.cu)
  foreach(source IN LISTS arg_SOURCES)
    if(source MATCHES "\\.cu$")
      list(APPEND cuda_sources ${PROJECT_SOURCE_DIR}/${place}/${source})
      continue()
    endif()
    get_filename_component(library ${source} NAME_WE)
    if(NOT TARGET ${library})
      add_library(${library} STATIC ${PROJECT_SOURCE_DIR}/${place}/${source})
      target_link_libraries(${library} PRIVATE common project_warnings project_sanitizers emulated_program ${arg_LIBRARIES})
    endif()
    list(PREPEND arg_LIBRARIES ${library})
  endforeach()
  set(exact "")
  if(arg_EXACT)
    set(exact EXACT)
  endif()
  if(arg_LADDER)
    file(GLOB methods CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${place}/methods*.cu)
    add_cuda_library(${name}_methods ${methods} HEADER methods.h LIBRARIES ${arg_LIBRARIES}
      GPU_LIBRARIES ${arg_GPU_LIBRARIES} ${exact})
    list(APPEND arg_LIBRARIES ${name}_methods)
  endif()
  add_cuda_program(${name} ${cuda_sources} LIBRARIES ${arg_LIBRARIES}
    GPU_LIBRARIES ${arg_GPU_LIBRARIES} ${exact})
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin" SAMPLE_FOLDER ${place})

  string(REGEX REPLACE "/.*" "" folder "${place}")  # the label of its tests: the chapter

  # The list of runs as "label:arguments".
  set(runs "")
  if(NOT kind STREQUAL "numeric")
    set(sizes ${arg_CHECK_SIZES})
    if(NOT sizes)
      set(sizes 1 17 256 1024)
    endif()
    if(EMULATED AND arg_EMULATED_CHECK_SIZES)
      set(sizes ${arg_EMULATED_CHECK_SIZES})
    endif()
    foreach(size IN LISTS sizes)
      list(APPEND runs "size${size}:--size ${size}")
    endforeach()
  endif()
  list(APPEND runs ${arg_CHECK_RUNS})
  if(NOT runs)
    set(runs "default:")
  endif()

  set(first TRUE)
  foreach(run IN LISTS runs)
    string(REGEX MATCH "^([^:]*):(.*)$" _ "${run}")
    set(label ${CMAKE_MATCH_1})
    separate_arguments(words UNIX_COMMAND "${CMAKE_MATCH_2}")
    sample_test(${name} check.${label} ${folder} "" --check ${arg_CHECK_ARGS} ${words})
    if(EMULATED AND (first OR label MATCHES "^size(1|17|256)$"))
      foreach(order IN ITEMS reversed shuffled)
        sample_test(${name} check.${label}.${order} ${folder} "EMULATED_ORDER=${order}" --check ${arg_CHECK_ARGS} ${words})
      endforeach()
    endif()
    if(first)
      add_test(NAME ${name}.corrupted COMMAND ${CMAKE_COMMAND} -DEXPECTED=1 -DPATTERN=FAIL
        -P ${PROJECT_SOURCE_DIR}/cmake/ExpectExit.cmake -- $<TARGET_FILE:${name}> --check ${arg_CHECK_ARGS} ${words})
      set_tests_properties(${name}.corrupted PROPERTIES ENVIRONMENT "SAMPLES_CORRUPT=1;DISPLAY=" LABELS ${folder}
        SKIP_REGULAR_EXPRESSION "SKIP:" TIMEOUT 300)
    endif()
    set(first FALSE)
  endforeach()

  add_test(NAME ${name}.help COMMAND ${name} --help)
  add_test(NAME ${name}.unknown_option COMMAND ${CMAKE_COMMAND} -DEXPECTED=2 -DPATTERN=--no-such-option
    -P ${PROJECT_SOURCE_DIR}/cmake/ExpectExit.cmake -- $<TARGET_FILE:${name}> --no-such-option)
  set_tests_properties(${name}.help ${name}.unknown_option PROPERTIES LABELS ${folder})
endfunction()

# sample_test(SAMPLE LABEL FOLDER ENVIRONMENT arguments...): one ctest named SAMPLE.LABEL.
function(sample_test sample label folder environment)
  add_test(NAME ${sample}.${label} COMMAND ${sample} ${ARGN})
  set_tests_properties(${sample}.${label} PROPERTIES
    LABELS ${folder} SKIP_RETURN_CODE 77 TIMEOUT 300
    ENVIRONMENT "DISPLAY=;${environment}")
endfunction()

# Every line of samples.txt (its head explains it). Sets SAMPLE_NAMES; the property SAMPLE_FOLDER of each target is its
# folder.
set(SAMPLE_NAMES "")
macro(add_samples)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/samples.txt)
  file(STRINGS ${PROJECT_SOURCE_DIR}/samples.txt sample_lines REGEX "^[^#]")
  foreach(line IN LISTS sample_lines)
    if(NOT line MATCHES "^([a-z0-9_]+) \\| ([a-z0-9_/]+) \\| ([a-z]+) \\| ([^|]+) \\| ([^|]*)\\| ([^|]+)$")
      message(FATAL_ERROR "samples.txt: this line has not six fields: ${line}")
    endif()
    set(sample_name ${CMAKE_MATCH_1})
    set(sample_place ${CMAKE_MATCH_2})
    set(sample_kind ${CMAKE_MATCH_3})
    separate_arguments(sample_arguments UNIX_COMMAND "${CMAKE_MATCH_5}")
    if(line MATCHES " NEEDS ([A-Z_]+) ")
      if(NOT ${CMAKE_MATCH_1})
        continue()  # Summary.cmake lists what is missing
      endif()
    endif()
    add_sample(${sample_name} ${sample_place} ${sample_kind} ${sample_arguments})
    list(APPEND SAMPLE_NAMES ${sample_name})
  endforeach()
  add_custom_target(samples DEPENDS ${SAMPLE_NAMES})  # all of them, without tests and benchmarks
endmacro()
