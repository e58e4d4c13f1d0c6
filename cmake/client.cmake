# SPDX-License-Identifier: Apache-2.0
# libttp.so and libttp.a from the room src/client.  lz4 and everything of ours that is not ttp_… or a Tracy
# name stays inside: by version script in the one, as local symbols of one object in the other.
target_include_directories(client PUBLIC ${CMAKE_SOURCE_DIR}/include)
target_compile_options(client PRIVATE -fno-semantic-interposition)
target_compile_definitions(client PRIVATE TTP_CLIENT_ITSELF)

file(WRITE ${CMAKE_BINARY_DIR}/rooms/empty.c "typedef int a_library_of_objects;\n")
add_library(ttp SHARED ${CMAKE_BINARY_DIR}/rooms/empty.c)
target_include_directories(ttp PUBLIC ${CMAKE_SOURCE_DIR}/include)
target_link_libraries(ttp PRIVATE -Wl,--whole-archive $<TARGET_FILE:client> -Wl,--no-whole-archive
	$<TARGET_FILE:wire> ${LZ4_STATIC} Threads::Threads)
target_link_options(ttp PRIVATE -Wl,--exclude-libs,liblz4.a -Wl,-z,nodelete -Wl,--gc-sections
	-Wl,--version-script=${CMAKE_SOURCE_DIR}/src/client/libttp.map)
if(TTP_SANITIZE)
	target_link_options(ttp PRIVATE -fsanitize=${TTP_SANITIZE})
else()
	target_link_options(ttp PRIVATE -Wl,-z,defs)
endif()
add_dependencies(ttp client wire)
set_target_properties(ttp PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION 0
	LINK_DEPENDS "${CMAKE_SOURCE_DIR}/src/client/libttp.map")

add_custom_command(OUTPUT ${CMAKE_BINARY_DIR}/libttp.a
	COMMAND ${CMAKE_LINKER} -r -o ${CMAKE_BINARY_DIR}/rooms/libttp.o --whole-archive $<TARGET_FILE:client>
		--no-whole-archive $<TARGET_FILE:wire> ${LZ4_STATIC}
	COMMAND ${CMAKE_OBJCOPY} --wildcard --keep-global-symbol=ttp_* --keep-global-symbol=___tracy_*
		${CMAKE_BINARY_DIR}/rooms/libttp.o
	COMMAND ${CMAKE_COMMAND} -E rm -f ${CMAKE_BINARY_DIR}/libttp.a
	COMMAND ${CMAKE_AR} rcs ${CMAKE_BINARY_DIR}/libttp.a ${CMAKE_BINARY_DIR}/rooms/libttp.o
	DEPENDS client wire COMMENT "Making libttp.a" VERBATIM)
add_custom_target(ttp_static ALL DEPENDS ${CMAKE_BINARY_DIR}/libttp.a)

# Programs that a user would write; the tests run them.
if(TTP_TESTS)
	include(CheckLanguage)
	check_language(CXX)
	file(GLOB client_examples CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/examples/client/*.c)
	if(CMAKE_CXX_COMPILER)
		enable_language(CXX)
		file(GLOB more CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/examples/client/*.cpp)
		list(APPEND client_examples ${more})
	else()
		message(STATUS "no C++ compiler: examples in C++ are not built")
	endif()
	foreach(file ${client_examples})
		get_filename_component(name ${file} NAME_WE)
		add_executable(example_${name} ${file})
		if(file MATCHES "\\.c$")
			house_target(example_${name})
		else()
			target_compile_options(example_${name} PRIVATE -std=c++17 -Wall -Wextra)
			if(TTP_WERROR)
				target_compile_options(example_${name} PRIVATE -Werror)
			endif()
			if(TTP_SANITIZE)
				target_compile_options(example_${name} PRIVATE -fsanitize=${TTP_SANITIZE})
				target_link_options(example_${name} PRIVATE -fsanitize=${TTP_SANITIZE})
			endif()
		endif()
		target_compile_definitions(example_${name} PRIVATE TRACY_ENABLE)
		target_link_libraries(example_${name} PRIVATE ttp Threads::Threads)
		set_target_properties(example_${name} PROPERTIES OUTPUT_NAME ${name}
			RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/examples)
	endforeach()
endif()

# Programs for the tests alone.
if(TTP_TESTS)
	add_library(e2e_plugin MODULE ${CMAKE_SOURCE_DIR}/tests/e2e/plugin.c)
	add_library(e2e_plugin_two MODULE ${CMAKE_SOURCE_DIR}/tests/e2e/plugin.c)
	target_compile_definitions(e2e_plugin_two PRIVATE WHICH="two")
	add_executable(e2e_probe ${CMAKE_SOURCE_DIR}/tests/e2e/probe.c)
	add_executable(e2e_rough ${CMAKE_SOURCE_DIR}/tests/e2e/rough.c)
	add_executable(e2e_probe_values ${CMAKE_SOURCE_DIR}/tests/e2e/probe_values.c)
	add_executable(e2e_probe_fibers ${CMAKE_SOURCE_DIR}/tests/e2e/probe_fibers.c)
	add_executable(e2e_steps ${CMAKE_SOURCE_DIR}/tests/e2e/steps.c)
	add_executable(e2e_names ${CMAKE_SOURCE_DIR}/tests/e2e/names.c)
	foreach(target e2e_plugin e2e_plugin_two e2e_probe e2e_probe_values e2e_probe_fibers e2e_rough e2e_steps e2e_names)
		house_target(${target})
		target_link_libraries(${target} PRIVATE ttp Threads::Threads ${CMAKE_DL_LIBS})
		set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/examples
			LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/examples PREFIX "")
	endforeach()
	add_executable(e2e_reader ${CMAKE_SOURCE_DIR}/tests/e2e/reader.c)
	house_target(e2e_reader)
	target_link_libraries(e2e_reader PRIVATE wire base)
	set_target_properties(e2e_reader PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/examples
		OUTPUT_NAME reader)
	set_target_properties(e2e_plugin PROPERTIES OUTPUT_NAME plugin)
	set_target_properties(e2e_plugin_two PROPERTIES OUTPUT_NAME plugin_two)
	set_target_properties(e2e_probe PROPERTIES OUTPUT_NAME probe)
	set_target_properties(e2e_rough PROPERTIES OUTPUT_NAME rough)
	set_target_properties(e2e_probe_values PROPERTIES OUTPUT_NAME probe_values)
	set_target_properties(e2e_probe_fibers PROPERTIES OUTPUT_NAME probe_fibers)
	set_target_properties(e2e_steps PROPERTIES OUTPUT_NAME steps)
	set_target_properties(e2e_names PROPERTIES OUTPUT_NAME names)
endif()

install(TARGETS ttp LIBRARY)
install(FILES ${CMAKE_BINARY_DIR}/libttp.a DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY ${CMAKE_SOURCE_DIR}/include/ttp ${CMAKE_SOURCE_DIR}/include/tracy
	DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
configure_file(${CMAKE_SOURCE_DIR}/cmake/ttp.pc.in ${CMAKE_BINARY_DIR}/ttp.pc @ONLY)
house_uninstalled_pc(ttp)
install(FILES ${CMAKE_BINARY_DIR}/ttp.pc DESTINATION ${TTP_PKGCONFIG_DIR})
