# command_test(NAME LABEL ENVIRONMENT COMMAND...): one ctest, without a display; exit code 77 counts as skipped.
function(command_test name label environment)
  add_test(NAME ${name} COMMAND ${ARGN})
  set_tests_properties(${name} PROPERTIES LABELS "${label}" SKIP_RETURN_CODE 77 SKIP_REGULAR_EXPRESSION "SKIP:"
    ENVIRONMENT "DISPLAY=;${environment}" TIMEOUT 300)
endfunction()

# expect_test(NAME LABEL EXIT_CODE PATTERN COMMAND...): the exit code, and a pattern in what is printed.
function(expect_test name label code pattern)
  command_test(${name} ${label} "" ${CMAKE_COMMAND} -DEXPECTED=${code} "-DPATTERN=${pattern}"
    -P ${PROJECT_SOURCE_DIR}/cmake/ExpectExit.cmake -- ${ARGN})
endfunction()
