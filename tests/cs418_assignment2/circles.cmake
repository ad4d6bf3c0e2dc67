# circle_renderer: units of its headers, its methods in every order of threads, and its command line.
set(TEST_GROUP circles.run)
set(TEST_LABEL cs418_assignment2)
expect(benchmark 0 "PASS circle_renderer" circle_renderer rgb --benchmark --size 33)
expect(scene_unknown 2 "nosuch" circle_renderer nosuch)
expect(tiny_refused 2 "tiny takes 100000 to" circle_renderer rgb --method tiny --size 33)
expect(output 0 "circles_out.png" circle_renderer rgb --size 64 --output circles_out.png)
expect(output_of_a_method 0 "circle_renderer_pixels.png" circle_renderer rgb --size 64 --method pixels --headless)
expect(compare 0 "circles_two.png" circle_renderer rgb --compare broken,fast --size 64 --output circles_two.png)
expect(compare_frames 0 "circles_two_0002.png" circle_renderer hypnosis --compare tiles,fast --size 32 --frames 3 --output circles_two_%04d.png)
expect(compare_refused 2 "few takes at most 32 circles" circle_renderer rand10k --compare few,fast --size 33)
expect(window_without_display 3 "DISPLAY|without windows" circle_renderer rgb --window --size 16)
if(EMULATED)
  expect(size_and_why 0 "using 512 x 512 pixels on the emulated device, for more frames/s" circle_renderer rgb --output circles_why.png)
  # A large scene: what is enough.
  expect(benchmark_large 0 "PASS circle_renderer.*only one frame of fast" circle_renderer rand100k --benchmark --size 64)
  # The race of the first method shows as soon as the threads come in another order.
  expect(broken_is_found 1 "FAIL circle_renderer" circle_renderer rand10k --method broken --check --size 32)
  set_tests_properties(circles.run.broken_is_found PROPERTIES ENVIRONMENT "DISPLAY=;EMULATED_ORDER=shuffled")
  # No other method may depend on the order: --benchmark checks all of them.
  foreach(order IN ITEMS reversed shuffled shuffled:7)
    foreach(scene IN ITEMS rgb pattern hypnosis littlebig)
      string(REPLACE ":" "_" name ${scene}.${order})
      add_test(NAME circles.order.${name} COMMAND circle_renderer ${scene} --benchmark --size 17)
      set_tests_properties(circles.order.${name} PROPERTIES LABELS cs418_assignment2 TIMEOUT 120
        ENVIRONMENT "DISPLAY=;EMULATED_ORDER=${order}")
    endforeach()
  endforeach()
endif()

if(NOT GTest_FOUND)
  return()
endif()
include(GoogleTest)
add_cuda_program(circles_test circles_test.cu elsewhere.cu LIBRARIES circle_renderer_methods circle_scenes GTest::gtest_main EXACT)
gtest_discover_tests(circles_test TEST_PREFIX circles. DISCOVERY_TIMEOUT 60
  PROPERTIES LABELS cs418_assignment2 TIMEOUT 300 SKIP_RETURN_CODE 77)
