# cmake -DSOURCE=NAME.cu -DLADDER=FOLDER -DOUTPUT=FILE.cpp -P SamplePurpose.cmake: writes a source that defines what --help
# shows (common/options.cpp):
#   sample_purpose   the first line of SOURCE behind its "// ": "NAME - what it shows."
#   sample_rungs     the first lines of the rungs in FOLDER, N_RUNG.cuh: "RUNG - what it is.", one a line

# purpose_of(VARIABLE FILE NAME BEFORE): the line "// NAME - words." of FILE that follows the text BEFORE, as a C string
# without quotes.
function(purpose_of variable file name before)
  file(READ ${file} text LIMIT 1000)
  if(NOT text MATCHES "^${before}// (${name} - [^|\n]+\\.)\n")
    message(FATAL_ERROR "${file}: it must begin with \"// ${name} - what it is, in a few words.\"")
  endif()
  string(REGEX REPLACE "([\\\\\"])" "\\\\\\1" line "${CMAKE_MATCH_1}")
  set(${variable} "${line}" PARENT_SCOPE)
endfunction()

get_filename_component(name ${SOURCE} NAME_WE)
purpose_of(purpose ${SOURCE} ${name} "")
set(rungs "")
file(GLOB files ${LADDER}/[0-9]_*.cuh)
foreach(file IN LISTS files)
  string(REGEX REPLACE "^.*/[0-9]_(.*)\\.cuh$" "\\1" rung ${file})
  purpose_of(line ${file} ${rung} "#pragma once\n")
  string(APPEND rungs "\n    \"${line}\\n\"")
endforeach()
if(NOT rungs)
  set(rungs " \"\"")
endif()
file(WRITE ${OUTPUT} "extern const char sample_purpose[];\nconst char sample_purpose[] = \"${purpose}\";\n\
extern const char sample_rungs[];\nconst char sample_rungs[] =${rungs};\n")
