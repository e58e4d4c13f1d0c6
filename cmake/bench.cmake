# SPDX-License-Identifier: Apache-2.0
# Every bench/bench_<what>.c is a program of its own, run by bench/run.
file(GLOB benches CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/bench/bench_*.c)
foreach(file ${benches})
	get_filename_component(name ${file} NAME_WE)
	add_executable(${name} ${file})
	house_target(${name})
	target_link_libraries(${name} PRIVATE cmd)
	set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bench)
endforeach()
