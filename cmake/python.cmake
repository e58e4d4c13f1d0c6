# SPDX-License-Identifier: Apache-2.0
# build/python: the packages ttprof and tracy, and a stand-in for ttnn, for the python3 of this machine, to be used by PYTHONPATH.  Without Python's
# headers everything else is built all the same.
find_program(TTP_PYTHON NAMES python3 PATHS /usr/bin NO_DEFAULT_PATH DOC "the interpreter that gets the package")
find_program(TTP_PYTHON NAMES python3)
if(TTP_PYTHON)
	execute_process(COMMAND ${TTP_PYTHON} -c
		"import sysconfig as s; print(s.get_path('include'), s.get_config_var('EXT_SUFFIX'), sep=';', end='')"
		OUTPUT_VARIABLE python_facts RESULT_VARIABLE python_failed ERROR_QUIET)
	list(GET python_facts 0 python_include)
	list(GET python_facts 1 python_suffix)
endif()
if(NOT TTP_PYTHON OR python_failed OR NOT EXISTS ${python_include}/Python.h)
	message(STATUS "no headers of Python 3: the package ttprof for Python is not built")
	return()
endif()
file(GLOB python_sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/python/src/*.c)
add_library(python_client MODULE ${python_sources})
house_target(python_client)
target_include_directories(python_client SYSTEM PRIVATE ${python_include})
target_include_directories(python_client PRIVATE ${CMAKE_SOURCE_DIR}/include)
target_link_libraries(python_client PRIVATE ttp)
# Two calls into libttp for each call of the program: without a stop at the table between.
target_compile_options(python_client PRIVATE -fno-plt)
set_target_properties(python_client PROPERTIES PREFIX "" OUTPUT_NAME _client SUFFIX ${python_suffix}
	LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/python/ttprof C_VISIBILITY_PRESET hidden)
file(GLOB_RECURSE python_files CONFIGURE_DEPENDS RELATIVE ${CMAKE_SOURCE_DIR}/python
	${CMAKE_SOURCE_DIR}/python/ttprof/*.py ${CMAKE_SOURCE_DIR}/python/tracy/*.py ${CMAKE_SOURCE_DIR}/python/tt_metal/*.py
	${CMAKE_SOURCE_DIR}/python/ttprof_standin/*.py ${CMAKE_SOURCE_DIR}/python/ttprof_standin/*.[ch])
foreach(file ${python_files} sitecustomize.py ttprof_children.py)
	get_filename_component(folder ${CMAKE_BINARY_DIR}/python/${file} DIRECTORY)
	file(MAKE_DIRECTORY ${folder})
	file(CREATE_LINK ${CMAKE_SOURCE_DIR}/python/${file} ${CMAKE_BINARY_DIR}/python/${file} SYMBOLIC)
endforeach()
file(CREATE_LINK ${CMAKE_SOURCE_DIR}/python/profile.py ${CMAKE_BINARY_DIR}/profile.py SYMBOLIC)

# Where `ttprof run` of an installation looks for it; Debian wants lib/ttprof/python, which has as many folders.
set(TTP_PYTHON_DIR ${CMAKE_INSTALL_DATADIR}/ttprof/python CACHE STRING "where the Python packages are installed")
install(TARGETS python_client LIBRARY DESTINATION ${TTP_PYTHON_DIR}/ttprof)
set_target_properties(python_client PROPERTIES INSTALL_RPATH "$ORIGIN/../../../../${CMAKE_INSTALL_LIBDIR}")
install(DIRECTORY ${CMAKE_SOURCE_DIR}/python/ttprof ${CMAKE_SOURCE_DIR}/python/tracy ${CMAKE_SOURCE_DIR}/python/tt_metal
	${CMAKE_SOURCE_DIR}/python/ttprof_standin
	DESTINATION ${TTP_PYTHON_DIR} FILES_MATCHING PATTERN "*.py" PATTERN "*.[ch]")
install(FILES ${CMAKE_SOURCE_DIR}/python/sitecustomize.py ${CMAKE_SOURCE_DIR}/python/ttprof_children.py
	DESTINATION ${TTP_PYTHON_DIR})
install(PROGRAMS ${CMAKE_SOURCE_DIR}/python/profile.py DESTINATION ${CMAKE_INSTALL_BINDIR})
