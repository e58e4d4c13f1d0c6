# SPDX-License-Identifier: Apache-2.0
# The page of `ttprof view` in the program.  web/CMakeLists.txt says how build/web/page.html is made (target web_page), or, where
# node is missing, makes no such target: the program is built all the same, and `ttprof view` says what it lacks.
if(EXISTS ${CMAKE_SOURCE_DIR}/web/CMakeLists.txt)
	add_subdirectory(web)
endif()
if(TARGET web_page)
	add_dependencies(web web_page)
	set_source_files_properties(src/web/page_file.c PROPERTIES
		OBJECT_DEPENDS ${CMAKE_BINARY_DIR}/web/page.html
		COMPILE_DEFINITIONS "WEB_PAGE_FILE=\"${CMAKE_BINARY_DIR}/web/page.html\"")
endif()
