# SPDX-License-Identifier: Apache-2.0
# Every bench/bench_<what>.c is a program of its own, run by bench/run.
file(GLOB benches CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/bench/bench_*.c)
foreach(file ${benches})
	get_filename_component(name ${file} NAME_WE)
	add_executable(${name} ${file})
	house_target(${name})
	if(name STREQUAL bench_client)
		target_link_libraries(${name} PRIVATE ttp Threads::Threads)
	elseif(name MATCHES "bench_sim|bench_device_decode")
		target_include_directories(${name} PRIVATE ${CMAKE_SOURCE_DIR}/include)
		target_link_libraries(${name} PRIVATE sim ${CMAKE_DL_LIBS})
	else()
		target_link_libraries(${name} PRIVATE cmd)
	endif()
	set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bench)
endforeach()
# The floor that reports are measured against looks at one byte after another.
set_source_files_properties(${CMAKE_SOURCE_DIR}/bench/bench_byte_loop.c PROPERTIES COMPILE_OPTIONS
	"-O2;$<IF:$<C_COMPILER_ID:Clang>,-fno-vectorize,-fno-tree-vectorize>")

# What bench/report compares the start of ttprof with.
add_executable(bench_floor_of_start ${CMAKE_SOURCE_DIR}/bench/empty.c)
set_target_properties(bench_floor_of_start PROPERTIES OUTPUT_NAME empty RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bench)

# What bench/sql compares `ttprof sql` with.
add_executable(sql_floor ${CMAKE_SOURCE_DIR}/bench/sql_floor.c)
house_target(sql_floor)
target_include_directories(sql_floor PRIVATE ${SQLITE_INCLUDE_DIRS})
target_link_libraries(sql_floor PRIVATE sqlite3)
set_target_properties(sql_floor PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bench)

# What bench/instructions records.
add_executable(record_zones ${CMAKE_SOURCE_DIR}/bench/record_zones.c)
house_target(record_zones)
target_link_libraries(record_zones PRIVATE ttp)
set_target_properties(record_zones PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bench)
