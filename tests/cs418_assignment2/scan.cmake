# saxpy, scan and find_repeats: every method at awkward sizes, the course's options.

set(TEST_GROUP cs418_scan)
set(TEST_LABEL cs418_assignment2)

expect(scan.course_long 0 "Student GPU time: " scan --test find_repeats --input ones --arraysize 1000)
# scan has both tests of the course, with the methods of each.
expect(scan.other 0 "Array size: 100.*PASS find_repeats" scan -m find_repeats -n 100)
expect(scan.other_method 0 "^PASS find_repeats\n*$" scan --test=find_repeats --method scan --check -n 100)
expect(scan.other_bad 2 "whole number" scan -m find_repeats -n 3000000000)
# Every run compares: with --check the programs say only that.
expect(scan.check 0 "^PASS scan\n*$" scan --check -n 1000)
expect(find_repeats.check 0 "^PASS find_repeats\n*$" find_repeats --check -n 1000)
expect(saxpy.check 0 "^PASS saxpy\n*$" saxpy --check -n 1000)
expect(saxpy.check_help 0 "print only PASS or FAIL" saxpy --help)
expect(scan.benchmark 0 "sweep.*pipeline.*PASS scan" scan --benchmark -n 2000)
expect(scan.bad_input 2 "twos" scan --input twos)
expect(scan.bad_size 2 "-1" scan -n -1)
expect(scan.exchange_too_large 2 "at most" scan --method exchange -n 100000000)
expect(find_repeats.other 2 "scan is not" find_repeats -m scan -n 100)
expect(find_repeats.benchmark 0 "fused.*PASS find_repeats" find_repeats --benchmark -n 2000)
expect(find_repeats.too_large 2 "2147483648" find_repeats -n 2147483648)
expect(saxpy.runs 0 "Overall: .*Overall: .*Overall: .*PASS saxpy" saxpy -n 1000)
expect(saxpy.benchmark 0 "whole trip.*PASS saxpy" saxpy --benchmark -n 1000)
expect(saxpy.bad_trip 2 "by_ship" saxpy --trip by_ship)
if(EMULATED)
  expect(scan.library 77 "gpu" scan -t -n 100)
  expect(scan.library_method 77 "gpu" scan --method cub -n 100)
  expect(find_repeats.library 77 "gpu" find_repeats -t -n 100)
endif()

# Every header of these ladders in two units of another program.
add_cuda_program(cs418_all_ladders all_ladders_main.cu all_ladders_elsewhere.cu LIBRARIES scan_methods)
add_test(NAME cs418_scan.elsewhere COMMAND cs418_all_ladders)
set_tests_properties(cs418_scan.elsewhere PROPERTIES LABELS cs418_assignment2 TIMEOUT 120 SKIP_RETURN_CODE 77)

if(NOT GTest_FOUND)
  return()
endif()
include(GoogleTest)
add_cuda_program(cs418_scan_tests scan_tests.cu LIBRARIES scan_methods GTest::gtest_main)
add_cuda_program(cs418_find_repeats_tests find_repeats_tests.cu LIBRARIES find_repeats_methods GTest::gtest_main)
foreach(target IN ITEMS cs418_scan_tests cs418_find_repeats_tests)
  gtest_discover_tests(${target} TEST_PREFIX cs418_scan. DISCOVERY_TIMEOUT 60
    PROPERTIES LABELS cs418_assignment2 TIMEOUT 300 SKIP_RETURN_CODE 77)
endforeach()
