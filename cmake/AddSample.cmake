# add_sample(NAME [STILL|ANIMATION] [PICTURE FILE] [DRAWING FILE] [STEP "arguments"] [EXACT] [NEEDS VARIABLE]
#            [SOURCES FILE...]
#            [LIBRARIES ...] [GPU_LIBRARIES ...] [CHECK_SIZES N...] [EMULATED_CHECK_SIZES N...] [CHECK_ARGS ...]
#            [CHECK_RUNS "label:arguments"...] [RUNG_ARGS ...])
# The sample NAME of the folder whose CMakeLists.txt calls this: NAME.cu or, in a folder of its own, NAME/NAME.cu. Makes
# the executable and its tests. The first line of NAME.cu is "// NAME - what it shows."; --help, ./run --list
# and the README's tables repeat it. ./run also reads these calls (scripts/samples.py), so each begins a line.
#   STILL, ANIMATION      it draws a picture (--size), or one that moves
#   PICTURE               what the README shows: a file of docs/gallery, or of the project if it begins with "/". Default:
#                         NAME.png, if that is there
#   DRAWING               what the sample's page of the site shows: a file of docs/drawings
#   STEP                  what its lesson needs there besides the defaults of ./run --step: "--kernel NAME", "--block X,Y,Z",
#                         "--launch N", and arguments of the program, in one word
#   EXACT                 no contraction of a * b + c (CudaProgram.cmake)
#   NEEDS                 the sample is left out where this variable (of Dependencies.cmake) is off
#   SOURCES               further sources: FILE.cpp is compiled once, as library FILE, for all that name it; a .cu belongs to
#                         the program
#   CHECK_SIZES           --check runs with --size N (default 1 17 256 1024 for pictures)
#   EMULATED_CHECK_SIZES  instead of CHECK_SIZES on the emulated device, where the default would take long
#   CHECK_ARGS            arguments added to every --check run
#   CHECK_RUNS            further --check runs; the label names the test, the arguments are words
#   RUNG_ARGS             arguments of a --check run of each rung
#
# A sample with a file NAME/methods.cu is a ladder: that file includes and names all rungs. What takes long to compile is
# in methods_*.cu next to it. They are compiled once, as library NAME_methods, which the tests of the rungs also link.
# A rung is NAME/N_RUNG.cuh, and --method RUNG selects it; N = 0 is one that is wrong on purpose. Its first line after
# "#pragma once" is "// RUNG - what it is."; --help and its README's table repeat it. With RUNG_ARGS each rung has a test
# check.RUNG, unless CHECK_RUNS has one of that label.
#
# On the emulated device each check at a size of at most 256 (or the first one) also runs with blocks and threads in
# reversed and in shuffled order: a kernel whose result depends on the order has a race.
# Every sample is also tested for --help (exit code 0, and its first line), for an unknown option (2) and for a corrupted
# result, which --check must fail (1).
function(add_sample name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "STILL;ANIMATION;EXACT" "PICTURE;DRAWING;STEP;NEEDS"
    "SOURCES;LIBRARIES;GPU_LIBRARIES;CHECK_SIZES;EMULATED_CHECK_SIZES;CHECK_ARGS;CHECK_RUNS;RUNG_ARGS")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "add_sample(${name}) does not know these arguments: ${arg_UNPARSED_ARGUMENTS}")
  endif()
  if(arg_NEEDS AND NOT ${arg_NEEDS})
    return()  # Summary.cmake lists what is missing
  endif()

  set(place ${CMAKE_CURRENT_SOURCE_DIR})
  if(NOT EXISTS ${place}/${name}.cu)
    set(place ${place}/${name})
  endif()
  set(main ${place}/${name}.cu)
  if(NOT EXISTS ${main})
    message(FATAL_ERROR "add_sample(${name}): there is neither ${name}.cu nor ${name}/${name}.cu.")
  endif()

  sample_purpose(purpose ${main})
  set(program_sources ${main} ${purpose})
  foreach(source IN LISTS arg_SOURCES)
    get_filename_component(source ${source} ABSOLUTE)
    if(source MATCHES "\\.cu$")
      list(APPEND program_sources ${source})
      continue()
    endif()
    get_filename_component(library ${source} NAME_WE)
    if(NOT TARGET ${library})
      add_library(${library} STATIC ${source})
      target_link_libraries(${library} PRIVATE common project_warnings project_sanitizers emulated_program ${arg_LIBRARIES})
    endif()
    list(PREPEND arg_LIBRARIES ${library})
  endforeach()
  set(exact "")
  if(arg_EXACT)
    set(exact EXACT)
  endif()
  if(EXISTS ${place}/methods.cu)
    file(GLOB methods CONFIGURE_DEPENDS ${place}/methods*.cu)
    add_cuda_library(${name}_methods ${methods} HEADER methods.h LIBRARIES ${arg_LIBRARIES}
      GPU_LIBRARIES ${arg_GPU_LIBRARIES} ${exact})
    list(APPEND arg_LIBRARIES ${name}_methods)
  endif()
  add_cuda_program(${name} ${program_sources} LIBRARIES ${arg_LIBRARIES} GPU_LIBRARIES ${arg_GPU_LIBRARIES} ${exact})
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin" SAMPLE_FILE ${main})
  set_property(GLOBAL APPEND PROPERTY SAMPLES ${name})

  # The list of runs as "label:arguments".
  set(runs "")
  if(arg_STILL OR arg_ANIMATION)
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
  if(arg_RUNG_ARGS)
    string(JOIN " " rung_args ${arg_RUNG_ARGS})
    sample_rungs(rungs ${place})
    foreach(rung IN LISTS rungs)
      if(NOT ";${runs}" MATCHES ";${rung}:")
        list(APPEND runs "${rung}:${rung_args} --method ${rung}")
      endif()
    endforeach()
  endif()
  if(NOT runs)
    set(runs "default:")
  endif()

  get_filename_component(label ${CMAKE_CURRENT_SOURCE_DIR} NAME)  # of its tests: the chapter
  set(first TRUE)
  foreach(run IN LISTS runs)
    string(REGEX MATCH "^([^:]*):(.*)$" _ "${run}")
    set(check check.${CMAKE_MATCH_1})
    separate_arguments(words UNIX_COMMAND "${CMAKE_MATCH_2}")
    sample_test(${name} ${check} ${label} "" --check ${arg_CHECK_ARGS} ${words})
    if(EMULATED AND (first OR check MATCHES "^check\\.size(1|17|256)$"))
      foreach(order IN ITEMS reversed shuffled)
        sample_test(${name} ${check}.${order} ${label} "EMULATED_ORDER=${order}" --check ${arg_CHECK_ARGS} ${words})
      endforeach()
    endif()
    if(first)
      add_test(NAME ${name}.corrupted COMMAND ${CMAKE_COMMAND} -DEXPECTED=1 -DPATTERN=FAIL
        -P ${PROJECT_SOURCE_DIR}/cmake/ExpectExit.cmake -- $<TARGET_FILE:${name}> --check ${arg_CHECK_ARGS} ${words})
      set_tests_properties(${name}.corrupted PROPERTIES ENVIRONMENT "SAMPLES_CORRUPT=1;DISPLAY=" LABELS ${label}
        SKIP_REGULAR_EXPRESSION "SKIP:" TIMEOUT 300)
    endif()
    set(first FALSE)
  endforeach()

  expect_test(${name}.help ${label} 0 "^${name} - .*--help" $<TARGET_FILE:${name}> --help)
  expect_test(${name}.unknown_option ${label} 2 --no-such-option $<TARGET_FILE:${name}> --no-such-option)
endfunction()

# sample_test(SAMPLE NAME LABEL ENVIRONMENT arguments...): one ctest named SAMPLE.NAME.
function(sample_test sample name label environment)
  add_test(NAME ${sample}.${name} COMMAND ${sample} ${ARGN})
  set_tests_properties(${sample}.${name} PROPERTIES
    LABELS ${label} SKIP_RETURN_CODE 77 TIMEOUT 300
    ENVIRONMENT "DISPLAY=;${environment}")
endfunction()

# sample_purpose(VARIABLE NAME.cu [LADDER]): a source that holds the first line of NAME.cu, with which --help begins, and
# those of the rungs in the folder LADDER (default: that of NAME.cu). It is made by the build: else every change of a sample
# would configure again.
function(sample_purpose variable file)
  get_filename_component(name ${file} NAME_WE)
  get_filename_component(ladder ${file} DIRECTORY)
  if(ARGC GREATER 2)
    set(ladder ${ARGV2})
  endif()
  file(GLOB rungs CONFIGURE_DEPENDS ${ladder}/[0-9]_*.cuh)
  set(purpose ${CMAKE_CURRENT_BINARY_DIR}/${name}_purpose.cpp)
  add_custom_command(OUTPUT ${purpose}
    COMMAND ${PYTHON} ${PROJECT_SOURCE_DIR}/scripts/samples.py purpose ${file} ${ladder} ${purpose}
    DEPENDS ${file} ${rungs} ${PROJECT_SOURCE_DIR}/scripts/samples.py
    COMMENT "Reading the first line of ${name}.cu" VERBATIM)
  set(${variable} ${purpose} PARENT_SCOPE)
endfunction()

# sample_rungs(VARIABLE FOLDER): the rungs of the ladder in FOLDER that --check passes, by the names of their files: RUNG of
# N_RUNG.cuh. Those with N = 0 are wrong on purpose.
function(sample_rungs variable folder)
  file(GLOB files CONFIGURE_DEPENDS RELATIVE ${folder} ${folder}/[1-9]*_*.cuh)
  list(TRANSFORM files REPLACE "^[0-9]+_(.*)\\.cuh$" "\\1")
  set(${variable} ${files} PARENT_SCOPE)
endfunction()

# Every folder of samples: one of these names that holds a CMakeLists.txt. Sets SAMPLE_NAMES; the property SAMPLE_FILE of
# each target is its NAME.cu.
macro(add_samples)
  foreach(folders IN ITEMS chapter appendix cs418)
    file(GLOB lists CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${folders}*/CMakeLists.txt)
    foreach(list IN LISTS lists)
      get_filename_component(folder ${list} DIRECTORY)
      add_subdirectory(${folder})
    endforeach()
  endforeach()
  get_property(SAMPLE_NAMES GLOBAL PROPERTY SAMPLES)
  add_custom_target(samples DEPENDS ${SAMPLE_NAMES})  # all of them, without tests and benchmarks
endmacro()
