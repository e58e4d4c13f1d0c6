# SPDX-License-Identifier: Apache-2.0
# Every tests/unit/test_<module>.c and tests/model/test_model_<what>.c is a program of its own; it may include any room, and is linked with those that it includes.
pkg_check_modules(CMOCKA IMPORTED_TARGET cmocka)
if(NOT CMOCKA_FOUND)
	message(STATUS "cmocka not found: unit tests are not built (make setup installs it)")
	return()
endif()
file(GLOB unit_tests CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/unit/test_*.c ${CMAKE_SOURCE_DIR}/tests/model/test_*.c)
foreach(file ${unit_tests})
	get_filename_component(name ${file} NAME_WE)
	add_executable(${name} ${file})
	house_target(${name})
	# A test may trust that what it made is there: should it not be, the crash is the failure.
	target_compile_options(${name} PRIVATE -Wno-null-dereference)
	target_compile_definitions(${name} PRIVATE TTP_SOURCE_DIR="${CMAKE_SOURCE_DIR}")
	target_include_directories(${name} PRIVATE ${CMAKE_SOURCE_DIR}/include)
	link_rooms_of(${name} ${file})
	target_link_libraries(${name} PRIVATE PkgConfig::CMOCKA)
	set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/unit)
endforeach()

# Counts which files a program opens; for tests/e2e/run_opens.
add_library(e2e_opens MODULE ${CMAKE_SOURCE_DIR}/tests/e2e/opens.c)
target_compile_definitions(e2e_opens PRIVATE _GNU_SOURCE)
target_link_libraries(e2e_opens PRIVATE ${CMAKE_DL_LIBS})
set_target_properties(e2e_opens PROPERTIES LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/examples PREFIX "" OUTPUT_NAME opens
	C_VISIBILITY_PRESET default)

# Makes the n-th call of a function fail; for tests/faults.
add_library(faults MODULE ${CMAKE_SOURCE_DIR}/tests/faults/faults.c)
target_compile_definitions(faults PRIVATE _GNU_SOURCE)
if(TTP_SANITIZE) # they have a malloc of their own
	target_compile_definitions(faults PRIVATE FAULTS_NO_MALLOC)
endif()
target_compile_options(faults PRIVATE -Wall -Wextra -fno-builtin -U_FORTIFY_SOURCE)
target_link_libraries(faults PRIVATE ${CMAKE_DL_LIBS})
set_target_properties(faults PROPERTIES LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/examples PREFIX "" OUTPUT_NAME faults
	C_VISIBILITY_PRESET default)
# Writes down what a program asks of the disk; for tests/faults/run_power.
add_library(disk_log MODULE ${CMAKE_SOURCE_DIR}/tests/faults/disk_log.c)
target_compile_definitions(disk_log PRIVATE _GNU_SOURCE)
target_compile_options(disk_log PRIVATE -Wall -Wextra -fno-builtin -U_FORTIFY_SOURCE)
target_link_libraries(disk_log PRIVATE ${CMAKE_DL_LIBS})
set_target_properties(disk_log PROPERTIES LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/examples PREFIX "" OUTPUT_NAME disk_log
	C_VISIBILITY_PRESET default)
foreach(name client_program device_program big_trace)
	add_executable(${name} ${CMAKE_SOURCE_DIR}/tests/faults/${name}.c)
	house_target(${name})
	target_link_libraries(${name} PRIVATE ttp $<$<STREQUAL:${name},device_program>:ttpdev> Threads::Threads)
	set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/examples)
endforeach()

# Beside Tenstorrent's simulator; tests/peer/run_ttsim runs it.
add_executable(peer_ttsim ${CMAKE_SOURCE_DIR}/tests/peer/ttsim.c)
house_target(peer_ttsim)
target_include_directories(peer_ttsim PRIVATE ${CMAKE_SOURCE_DIR}/include)
target_link_libraries(peer_ttsim PRIVATE sim ${CMAKE_DL_LIBS})
