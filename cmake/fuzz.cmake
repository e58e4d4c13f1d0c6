# SPDX-License-Identifier: Apache-2.0
# Every fuzz/fuzz_<reader>.c becomes a libFuzzer program.
file(GLOB fuzzers CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/fuzz/fuzz_*.c)
foreach(file ${fuzzers})
	get_filename_component(name ${file} NAME_WE)
	add_executable(${name} ${file})
	house_target(${name})
	target_compile_options(${name} PRIVATE -fsanitize=fuzzer)
	target_link_options(${name} PRIVATE -fsanitize=fuzzer)
	target_link_libraries(${name} PRIVATE cmd)
endforeach()
