# SPDX-License-Identifier: Apache-2.0
# libttprof.so and libttprof.a from the room src/library and what it needs; only names of ttp/run.h, ttp/report.h and
# ttp/trace.h are seen from outside.
set(ttprof_rooms library report runs ops markers trace chip wire base)
set(ttprof_archives)
foreach(name ${ttprof_rooms})
	list(APPEND ttprof_archives $<TARGET_FILE:${name}>)
endforeach()
set(TTPROF_PRIVATE_LIBS "-pthread -lz -lzstd -lm")

add_library(ttprof_library SHARED ${CMAKE_BINARY_DIR}/rooms/empty.c)
target_include_directories(ttprof_library PUBLIC ${CMAKE_SOURCE_DIR}/include)
target_link_libraries(ttprof_library PRIVATE -Wl,--whole-archive $<TARGET_FILE:library> -Wl,--no-whole-archive
	-Wl,--start-group ${ttprof_archives} -Wl,--end-group ${LZ4_STATIC} ZLIB::ZLIB PkgConfig::ZSTD Threads::Threads m)
target_link_options(ttprof_library PRIVATE -Wl,--gc-sections
	-Wl,--version-script=${CMAKE_SOURCE_DIR}/src/library/libttprof.map)
if(TTP_SANITIZE)
	target_link_options(ttprof_library PRIVATE -fsanitize=${TTP_SANITIZE})
else()
	target_link_options(ttprof_library PRIVATE -Wl,-z,defs)
endif()
add_dependencies(ttprof_library ${ttprof_rooms})
set_target_properties(ttprof_library PROPERTIES OUTPUT_NAME ttprof VERSION ${PROJECT_VERSION} SOVERSION 0
	LINK_DEPENDS "${CMAKE_SOURCE_DIR}/src/library/libttprof.map")

add_custom_command(OUTPUT ${CMAKE_BINARY_DIR}/libttprof.a
	COMMAND ${CMAKE_LINKER} -r -o ${CMAKE_BINARY_DIR}/rooms/libttprof.o --whole-archive $<TARGET_FILE:library>
		--no-whole-archive --start-group ${ttprof_archives} --end-group ${LZ4_STATIC}
	COMMAND ${CMAKE_OBJCOPY} --wildcard --keep-global-symbol=ttprof_run_* --keep-global-symbol=ttprof_report_*
		--keep-global-symbol=ttprof_trace_* ${CMAKE_BINARY_DIR}/rooms/libttprof.o
	COMMAND ${CMAKE_COMMAND} -E rm -f ${CMAKE_BINARY_DIR}/libttprof.a
	COMMAND ${CMAKE_AR} rcs ${CMAKE_BINARY_DIR}/libttprof.a ${CMAKE_BINARY_DIR}/rooms/libttprof.o
	DEPENDS ${ttprof_rooms} COMMENT "Making libttprof.a" VERBATIM)
add_custom_target(ttprof_static ALL DEPENDS ${CMAKE_BINARY_DIR}/libttprof.a)

install(TARGETS ttprof_library LIBRARY)
install(FILES ${CMAKE_BINARY_DIR}/libttprof.a DESTINATION ${CMAKE_INSTALL_LIBDIR})
configure_file(${CMAKE_SOURCE_DIR}/cmake/ttprof.pc.in ${CMAKE_BINARY_DIR}/ttprof.pc @ONLY)
house_uninstalled_pc(ttprof)
install(FILES ${CMAKE_BINARY_DIR}/ttprof.pc DESTINATION ${TTP_PKGCONFIG_DIR})

# Programs as a user would write them; tests/e2e/run_library runs them.
if(TTP_TESTS)
	file(GLOB library_examples CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/examples/library/*.c)
	foreach(file ${library_examples})
		get_filename_component(name ${file} NAME_WE)
		add_executable(library_${name} ${file})
		house_target(library_${name})
		target_link_libraries(library_${name} PRIVATE ttprof_library)
		set_target_properties(library_${name} PROPERTIES OUTPUT_NAME ${name}
			RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/examples/library)
	endforeach()
endif()
