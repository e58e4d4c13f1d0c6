# SPDX-License-Identifier: Apache-2.0
# What is installed.  Man pages, completions and links are made by the program that was just built, from
# its own tables; a cross build goes without them.
install(TARGETS ttprof RUNTIME)
install(FILES notebooks/profiler_results.ipynb DESTINATION ${CMAKE_INSTALL_DATADIR}/ttprof/notebooks)

# find_package(ttp)
set(ttp_config_dir ${CMAKE_INSTALL_LIBDIR}/cmake/ttp)
file(RELATIVE_PATH TTP_FROM_CONFIG /${ttp_config_dir} /)
include(CMakePackageConfigHelpers)
configure_file(cmake/ttp-config.cmake.in ${CMAKE_BINARY_DIR}/ttp-config.cmake @ONLY)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/ttp-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/ttp-config.cmake ${CMAKE_BINARY_DIR}/ttp-config-version.cmake DESTINATION ${ttp_config_dir})

if(NOT CMAKE_CROSSCOMPILING)
	add_custom_command(OUTPUT ${CMAKE_BINARY_DIR}/pages.stamp
		COMMAND ${CMAKE_SOURCE_DIR}/scripts/make_pages $<TARGET_FILE:ttprof> ${CMAKE_BINARY_DIR}
		COMMAND ${CMAKE_COMMAND} -E touch ${CMAKE_BINARY_DIR}/pages.stamp
		DEPENDS ttprof ${CMAKE_SOURCE_DIR}/scripts/make_pages
		COMMENT "Making man pages, completions and links" VERBATIM)
	add_custom_target(pages ALL DEPENDS ${CMAKE_BINARY_DIR}/pages.stamp)
	install(DIRECTORY ${CMAKE_BINARY_DIR}/share/man/ DESTINATION ${CMAKE_INSTALL_MANDIR})
	install(DIRECTORY ${CMAKE_BINARY_DIR}/share/bash-completion ${CMAKE_BINARY_DIR}/share/zsh
		${CMAKE_BINARY_DIR}/share/fish DESTINATION ${CMAKE_INSTALL_DATADIR})
	install(DIRECTORY ${CMAKE_BINARY_DIR}/links/ DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
