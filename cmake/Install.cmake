# cmake --install, and packages by CPack: a launcher in bin/, and the samples, which have names such as scan and ray, in a
# folder of their own. Nothing in it knows the prefix.
#   bin/cuda-teaching-examples             scripts/launcher.in
#   libexec/cuda-teaching-examples/        the samples, and the course's programs
#   share/cuda-teaching-examples/          the list of samples, scripts, pictures, the course's reference times
#   share/doc/cuda-teaching-examples/      README.md, LICENSE
include(GNUInstallDirs)

set(INSTALLED_DEVICE "an NVIDIA GPU")
set(INSTALLED_DEVICE_WORD gpu)
if(EMULATED)
  set(INSTALLED_DEVICE "the emulated device")
  set(INSTALLED_DEVICE_WORD emulated)
endif()
configure_file(${PROJECT_SOURCE_DIR}/scripts/launcher.in ${PROJECT_BINARY_DIR}/cuda-teaching-examples @ONLY)

set(programs ${CMAKE_INSTALL_LIBEXECDIR}/cuda-teaching-examples)
set(data ${CMAKE_INSTALL_DATADIR}/cuda-teaching-examples)
install(PROGRAMS ${PROJECT_BINARY_DIR}/cuda-teaching-examples DESTINATION ${CMAKE_INSTALL_BINDIR})
get_property(course_programs GLOBAL PROPERTY COURSE_PROGRAMS)
install(TARGETS ${SAMPLE_NAMES} ${course_programs} RUNTIME DESTINATION ${programs})
execute_process(COMMAND ${PYTHON} ${PROJECT_SOURCE_DIR}/scripts/samples.py list
  OUTPUT_FILE ${PROJECT_BINARY_DIR}/samples.list COMMAND_ERROR_IS_FATAL ANY)
install(FILES ${PROJECT_BINARY_DIR}/samples.list DESTINATION ${data})
install(DIRECTORY scripts DESTINATION ${data} FILES_MATCHING PATTERN "*.py")
install(DIRECTORY benchmarks/results DESTINATION ${data}/benchmarks FILES_MATCHING PATTERN "course_reference_*.json")
install(DIRECTORY docs/gallery/ DESTINATION ${data}/pictures FILES_MATCHING PATTERN "*.png")
install(FILES README.md LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})

set(CPACK_GENERATOR TGZ)
find_program(DPKG_SHLIBDEPS dpkg-shlibdeps)  # package dpkg-dev
mark_as_advanced(DPKG_SHLIBDEPS)
if(DPKG_SHLIBDEPS)
  list(APPEND CPACK_GENERATOR DEB)
endif()
set(CPACK_PACKAGE_NAME cuda-teaching-examples-${INSTALLED_DEVICE_WORD})
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "Teaching examples for CUDA, built for ${INSTALLED_DEVICE}")
set(CPACK_PACKAGE_CONTACT "CUDA Teaching Examples <cuda-teaching-examples@localhost>")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_PACKAGE_FILE_NAME ${CPACK_PACKAGE_NAME}_${PROJECT_VERSION}_${CMAKE_SYSTEM_PROCESSOR})
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_BINARY_DIR}/packages)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)  # dependencies: the packages of the libraries that the samples link
set(CPACK_DEBIAN_PACKAGE_DEPENDS "python3 (>= 3.9)")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS ffmpeg)  # films
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_CONFLICTS cuda-teaching-examples-gpu)
if(NOT EMULATED)
  set(CPACK_DEBIAN_PACKAGE_CONFLICTS cuda-teaching-examples-emulated)
endif()
# A package goes to other machines: not with instructions that only this processor has.
set(CPACK_PROJECT_CONFIG_FILE ${PROJECT_BINARY_DIR}/CPackChecks.cmake)
file(WRITE ${CPACK_PROJECT_CONFIG_FILE} "")
if(EMULATED AND NATIVE AND HAVE_MARCH_NATIVE)
  file(WRITE ${CPACK_PROJECT_CONFIG_FILE} "message(FATAL_ERROR \"This build uses instructions of this machine's processor. \
For a package configure with -DNATIVE=OFF (cmake --preset package).\")\n")
endif()
include(CPack)
