# SPDX-License-Identifier: Apache-2.0
# libttpdev.so and libttpdev.a from the room src/host and what it needs; only names of ttp/device.h and ttp/ops.h
# are seen from outside.  Then the examples, which are programs as a user would write them.
target_include_directories(host PUBLIC ${CMAKE_SOURCE_DIR}/include)

# It records with libttp by its public header, and links it as users do: a process has one client, whatever uses it.
# The shared form needs libttp.so; the static one leaves its names open.  Ours that link the room get libttp.a.
add_library(ttp_archive STATIC IMPORTED)
set_target_properties(ttp_archive PROPERTIES IMPORTED_LOCATION ${CMAKE_BINARY_DIR}/libttp.a)
add_dependencies(ttp_archive ttp_static)
target_link_libraries(host INTERFACE ttp_archive)

set(ttpdev_rooms host sim device chip wire base)
set(ttpdev_archives)
foreach(name ${ttpdev_rooms})
	list(APPEND ttpdev_archives $<TARGET_FILE:${name}>)
endforeach()
set(ttpdev_libs ZLIB::ZLIB PkgConfig::ZSTD Threads::Threads ${CMAKE_DL_LIBS} m)
set(TTPDEV_PRIVATE_LIBS "-pthread -lz -lzstd -ldl -lm")

add_library(ttpdev SHARED ${CMAKE_BINARY_DIR}/rooms/empty.c)
target_include_directories(ttpdev PUBLIC ${CMAKE_SOURCE_DIR}/include)
target_link_libraries(ttpdev PRIVATE -Wl,--whole-archive $<TARGET_FILE:host> -Wl,--no-whole-archive
	-Wl,--start-group ${ttpdev_archives} -Wl,--end-group ${LZ4_STATIC} ${ttpdev_libs}
	PUBLIC ttp)
target_link_options(ttpdev PRIVATE -Wl,--gc-sections
	-Wl,--version-script=${CMAKE_SOURCE_DIR}/src/host/libttpdev.map)
if(TTP_SANITIZE)
	target_link_options(ttpdev PRIVATE -fsanitize=${TTP_SANITIZE})
else()
	target_link_options(ttpdev PRIVATE -Wl,-z,defs)
endif()
add_dependencies(ttpdev ${ttpdev_rooms})
# Installed, it finds libttp.so beside itself.
set_target_properties(ttpdev PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION 0 INSTALL_RPATH "$ORIGIN"
	LINK_DEPENDS "${CMAKE_SOURCE_DIR}/src/host/libttpdev.map")

set(ttpdev_keep ttp_device_error ttp_dev_* ttp_program_* ttp_encode_program_id ttp_kernel_* ttp_buffer_* ttp_enqueue
	ttp_finish ttp_read_profiler ttp_trace_* ttp_host_* ttp_op_* ttp_tensor_*)
list(TRANSFORM ttpdev_keep PREPEND --keep-global-symbol=)
add_custom_command(OUTPUT ${CMAKE_BINARY_DIR}/libttpdev.a
	COMMAND ${CMAKE_LINKER} -r -o ${CMAKE_BINARY_DIR}/rooms/libttpdev.o --whole-archive $<TARGET_FILE:host>
		--no-whole-archive --start-group ${ttpdev_archives} --end-group
	COMMAND ${CMAKE_OBJCOPY} --wildcard ${ttpdev_keep} ${CMAKE_BINARY_DIR}/rooms/libttpdev.o
	COMMAND ${CMAKE_COMMAND} -E rm -f ${CMAKE_BINARY_DIR}/libttpdev.a
	COMMAND ${CMAKE_AR} rcs ${CMAKE_BINARY_DIR}/libttpdev.a ${CMAKE_BINARY_DIR}/rooms/libttpdev.o
	DEPENDS ${ttpdev_rooms} COMMENT "Making libttpdev.a" VERBATIM)
add_custom_target(ttpdev_static ALL DEPENDS ${CMAKE_BINARY_DIR}/libttpdev.a)

install(TARGETS ttpdev LIBRARY)
install(FILES ${CMAKE_BINARY_DIR}/libttpdev.a DESTINATION ${CMAKE_INSTALL_LIBDIR})
configure_file(${CMAKE_SOURCE_DIR}/cmake/ttpdev.pc.in ${CMAKE_BINARY_DIR}/ttpdev.pc @ONLY)
house_uninstalled_pc(ttpdev)
install(FILES ${CMAKE_BINARY_DIR}/ttpdev.pc DESTINATION ${TTP_PKGCONFIG_DIR})
install(DIRECTORY ${CMAKE_SOURCE_DIR}/include/compat DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/ttp)

# Kernels are compiled when they are first run, from where their sources are.
if(TTP_TESTS AND TTP_RISCV_GCC)
	file(GLOB device_examples CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/examples/device/*.c
		${CMAKE_SOURCE_DIR}/tests/e2e/device/*.c)
	if(CMAKE_CXX_COMPILER)
		file(GLOB more CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/examples/device/*.cpp
			${CMAKE_SOURCE_DIR}/tests/e2e/device/*.cpp)
		list(APPEND device_examples ${more})
	endif()
	foreach(file ${device_examples})
		get_filename_component(name ${file} NAME_WE)
		add_executable(device_${name} ${file})
		if(file MATCHES "\\.c$")
			house_target(device_${name})
		else()
			target_compile_options(device_${name} PRIVATE -std=c++17 -Wall -Wextra $<$<BOOL:${TTP_WERROR}>:-Werror>)
			target_include_directories(device_${name} PRIVATE ${CMAKE_SOURCE_DIR}/include/compat)
			target_compile_definitions(device_${name} PRIVATE TRACY_ENABLE)
			target_link_libraries(device_${name} PRIVATE ttp)
			if(TTP_SANITIZE)
				target_compile_options(device_${name} PRIVATE -fsanitize=${TTP_SANITIZE})
				target_link_options(device_${name} PRIVATE -fsanitize=${TTP_SANITIZE})
			endif()
		endif()
		target_link_libraries(device_${name} PRIVATE ttpdev m Threads::Threads)
		set_target_properties(device_${name} PROPERTIES OUTPUT_NAME ${name}
			RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/examples/device)
	endforeach()
endif()

# The nano-GPT of the demo, also where tt-train has its own.
if(TTP_RISCV_GCC)
	file(GLOB nano_gpt CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/examples/nano_gpt/*.c)
	add_executable(nano_gpt ${nano_gpt})
	house_target(nano_gpt)
	target_link_libraries(nano_gpt PRIVATE ttpdev m)
	set_target_properties(nano_gpt PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/examples/nano_gpt)
	set(nano_gpt_of_tt_train ${CMAKE_BINARY_DIR}/tt-train/sources/examples/nano_gpt)
	file(MAKE_DIRECTORY ${nano_gpt_of_tt_train})
	add_custom_command(TARGET nano_gpt POST_BUILD COMMAND ${CMAKE_COMMAND} -E create_symlink
		../../../../examples/nano_gpt/nano_gpt ${nano_gpt_of_tt_train}/nano_gpt)
endif()

# Likewise its notebook.
file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/tt-train/notebooks)
file(CREATE_LINK ${CMAKE_SOURCE_DIR}/notebooks/profiler_results.ipynb ${CMAKE_BINARY_DIR}/tt-train/notebooks/profiler_results.ipynb SYMBOLIC)
