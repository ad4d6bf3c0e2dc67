# The assignment as the course's students meet it: the course's names and options, its scripts, its score tables.

# course_name_test(NAME EXIT_CODE PATTERN SAMPLE COMMAND...): a shell command in an empty folder that holds links to the
# course's names, as in the folders of the course.
function(course_name_test name code pattern)
  command_test(course.${name} cs418_assignment2 "" bash ${CMAKE_CURRENT_SOURCE_DIR}/in_course_folder.sh $<TARGET_FILE_DIR:scan>
    ${code} "${pattern}" ${ARGN})
endfunction()

course_name_test(find_repeats 0 "Array size: 1000.*Student GPU time: .*PASS find_repeats"
  "./cudaScan -m find_repeats -i random -n 1000")
course_name_test(scan_default 0 "Array size: 64[^0-9].*PASS scan" "./cudaScan")
course_name_test(find_repeats_default 0 "Array size: 64[^0-9].*PASS find_repeats" "./cudaScan -m find_repeats")
course_name_test(scan_test1 0 "PASS scan" "./cudaScan -i test1 -n 5000")
course_name_test(long_options 0 "Student GPU time: " "./cudaScan --test find_repeats --input ones --arraysize 1000")
course_name_test(method 0 "PASS find_repeats" "./cudaScan --test=find_repeats --method scan -n 1000")
course_name_test(no_such_method 2 "no method sweep" "./cudaScan -m find_repeats --method sweep")
course_name_test(too_many 2 "indices are ints" "./cudaScan -m find_repeats -n 3000000000")
course_name_test(scan_help 0 "--arraysize" "./cudaScan '-?'")
course_name_test(saxpy 0 "Overall: .*Overall: .*Overall: " "./cudaSaxpy -n 1000")
course_name_test(render_writes 0 "Total: .*exists" "./render rgb -s 64 && test -s output_0000.ppm && echo exists")
course_name_test(render_reference 0 "same picture"
  "./render -r cpuref -s 64 -f reference rgby && ./render -r cuda -s 64 --method tiles -f ours rgby && cmp reference_0000.ppm \
ours_0000.ppm && echo same picture")
course_name_test(render_check 0 "PASS .*no picture" "./render -c rgb -s 64 && ! test -e output_0000.ppm && echo no picture")
course_name_test(render_frames 0 "both" "./render -b 0:2 hypnosis -s 33 && test -s output_0001.ppm && echo both")
course_name_test(render_size 0 "P6.1024 1024" "./render rgb && head -c 15 output_0000.ppm")
course_name_test(render_check_then_bench 0 "PASS circle_renderer.*Total: " "./render rgby -c -s 33 -b 0:2")
course_name_test(render_range_bad 2 "START:END" "./render rgb --bench 5")
course_name_test(render_range_empty 2 "START:END" "./render rgb --bench 5:5")
course_name_test(render_check_of_reference 2 "reference" "./render rgb -r cpuref --check")
course_name_test(render_to_nowhere 1 "no/such/folder" "./render rgb -s 16 -f /no/such/folder/x")
course_name_test(render_output 0 "exists" "./render rgb -s 16 --output picture.png && test -s picture.png && echo exists")
course_name_test(render_window_without_display 3 "DISPLAY|without windows" "./render rgb -i -s 16")
course_name_test(render_no_scene 2 "which scene" "./render -s 64")
course_name_test(render_help 0 "--bench" "./render '-?'")
# The lines that the course's checkers run and read.
course_name_test(checker_scan 0 "time [0-9]+[.][0-9]+" "mkdir -p logs/test && ./cudaScan -m scan -i random -n 100000 \
> ./logs/test/scan_correctness.log && ./cudaScan -m scan -i random -n 100000 | tee ./logs/test/scan_time.log | \
grep 'Student GPU time:' | sed 's/[^0-9]*/time /'")
course_name_test(checker_render 0 "time [0-9]+[.][0-9]+" "mkdir logs && ./render -c rgb -s 64 -S 77777 -f logs/output > \
logs/correctness_rgb.log && ./render -r cuda -b 0:4 rgb -s 64 -f logs/output | tee logs/time_rgb.log | grep Total: | \
sed 's/[^0-9]*/time /' && test -s logs/output_0003.ppm")

# ./run grade: its tables, with programs that tell made-up times, and with ours.
foreach(part IN ITEMS scores emulated)
  command_test(course.grade.${part} cs418_assignment2 "" bash ${CMAKE_CURRENT_SOURCE_DIR}/grade_${part}.sh
    ${PROJECT_SOURCE_DIR}/scripts/grade.py $<TARGET_FILE_DIR:scan> $<IF:$<BOOL:${EMULATED}>,emulated,gpu>)
endforeach()
expect_test(course.grade.help cs418_assignment2 0 "NVIDIA H200.*NVIDIA T4" ${PROJECT_SOURCE_DIR}/run grade --help)
expect_test(course.grade.no_test cs418_assignment2 2 "grade: name what to grade: scan, find_repeats or circles" ${PROJECT_SOURCE_DIR}/run grade)
expect_test(course.grade.no_such_row cs418_assignment2 2 "has no row '7'" ${PYTHON} ${PROJECT_SOURCE_DIR}/scripts/grade.py - gpu scan 7)
expect_test(course.grade.no_such_gpu cs418_assignment2 2 "no reference times" ${PYTHON} ${PROJECT_SOURCE_DIR}/scripts/grade.py - gpu scan
  --reference Voodoo)
expect_test(course.grade.no_times_of_this_gpu cs418_assignment2 2 "no reference times of circles" ${PYTHON} ${PROJECT_SOURCE_DIR}/scripts/grade.py
  - gpu circles --reference K80)

# What ./run grade refuses, it refuses before anything is built.
command_test(course.grade.refusals cs418_assignment2 "" bash ${CMAKE_CURRENT_SOURCE_DIR}/grade_refusals.sh ${PROJECT_SOURCE_DIR}
  $<TARGET_FILE_DIR:scan>)

find_program(PYTHON python3)
mark_as_advanced(PYTHON)
if(PYTHON)
  add_test(NAME course.reference_times COMMAND ${PYTHON} ${CMAKE_CURRENT_SOURCE_DIR}/reference_times.py
    ${PROJECT_SOURCE_DIR}/benchmarks/results)
  set_tests_properties(course.reference_times PROPERTIES LABELS cs418_assignment2 TIMEOUT 60)
endif()
