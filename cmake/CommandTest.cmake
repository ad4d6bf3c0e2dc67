# Seconds. A command that takes longer than COMMAND_TIMEOUT hangs; a run line of the documentation that takes longer than
# LONGEST_RUN_LINE keeps a reader waiting. Sanitized code may take more than 20 times as long, where plain code has vector
# instructions.
if(SANITIZE)
  set(COMMAND_TIMEOUT 1500)
  set(LONGEST_RUN_LINE 1000)
else()
  set(COMMAND_TIMEOUT 300)
  set(LONGEST_RUN_LINE 20)
endif()

# The property COST of a test: about the seconds that it takes, for those that take long. They begin first, so that at the
# end not one of them runs alone. (From the second run on CTest knows the times.)

# command_test(NAME LABEL ENVIRONMENT COMMAND...): one ctest, without a display; exit code 77 counts as skipped.
function(command_test name label environment)
  add_test(NAME ${name} COMMAND ${ARGN})
  set_tests_properties(${name} PROPERTIES LABELS "${label}" SKIP_RETURN_CODE 77 SKIP_REGULAR_EXPRESSION "SKIP:"
    ENVIRONMENT "DISPLAY=;${environment}" TIMEOUT ${COMMAND_TIMEOUT})
endfunction()

# expect_test(NAME LABEL EXIT_CODE PATTERN COMMAND...): the exit code, and a pattern in what is printed.
function(expect_test name label code pattern)
  command_test(${name} ${label} "" ${CMAKE_COMMAND} -DEXPECTED=${code} "-DPATTERN=${pattern}"
    -P ${PROJECT_SOURCE_DIR}/cmake/ExpectExit.cmake -- ${ARGN})
endfunction()

# The tests of one folder have one shape: set(TEST_GROUP chapter06) and set(TEST_LABEL chapter06_constant_memory), then
# the functions below. A test's name begins with the group.

# group_test(NAME ENVIRONMENT COMMAND...): as command_test().
function(group_test name environment)
  command_test(${TEST_GROUP}.${name} ${TEST_LABEL} "${environment}" ${ARGN})
endfunction()

# expect(NAME EXIT_CODE PATTERN COMMAND...): as expect_test(). A COMMAND that begins with the name of a sample runs it.
function(expect name code pattern command)
  if(TARGET ${command})
    set(command $<TARGET_FILE:${command}>)
  endif()
  expect_test(${TEST_GROUP}.${name} ${TEST_LABEL} ${code} "${pattern}" ${command} ${ARGN})
endfunction()

# golden(NAME PICTURE SAMPLE options...): the sample's picture is that of docs/gallery. (tests/project/gallery looks at
# those that pictures.txt lists.)
function(golden name picture sample)
  group_test(golden.${name} "" bash ${PROJECT_SOURCE_DIR}/tests/project/gallery/golden.sh $<TARGET_FILE:compare_images>
    ${PROJECT_SOURCE_DIR}/docs/gallery/${picture} 0 $<TARGET_FILE:${sample}> ${ARGN})
endfunction()

# rungs_test(NAME SOURCE [options of add_cuda_program]): the unit tests of a ladder's rungs, NAME_test, in every order of
# the emulated device.
function(rungs_test name source)
  if(NOT GTest_FOUND)
    return()
  endif()
  add_cuda_program(${name}_test ${source} LIBRARIES ${name}_methods GTest::gtest_main ${ARGN})
  set(orders in-order)
  if(EMULATED)
    list(APPEND orders reversed shuffled)
  endif()
  foreach(order IN LISTS orders)
    group_test(${name}.rungs.${order} "EMULATED_ORDER=${order}" ${name}_test)
    set_tests_properties(${TEST_GROUP}.${name}.rungs.${order} PROPERTIES TIMEOUT 600 COST 12)
  endforeach()
endfunction()
