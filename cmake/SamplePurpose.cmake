# cmake -DSOURCE=NAME.cu -DOUTPUT=FILE.cpp -P SamplePurpose.cmake: writes a source that defines sample_purpose
# (common/options.cpp), the first line of SOURCE behind its "// ": "NAME - what it shows."
get_filename_component(name ${SOURCE} NAME_WE)
file(READ ${SOURCE} text LIMIT 1000)
if(NOT text MATCHES "^// (${name} - [^|\n]+\\.)\n")
  message(FATAL_ERROR "${SOURCE}:1: the first line must be \"// ${name} - what the sample shows, in a few words.\"")
endif()
string(REGEX REPLACE "([\\\\\"])" "\\\\\\1" line "${CMAKE_MATCH_1}")
file(WRITE ${OUTPUT} "extern const char sample_purpose[];\nconst char sample_purpose[] = \"${line}\";\n")
