# SPDX-License-Identifier: Apache-2.0
# room(NAME USES a b LINK libs NOT x.c): the folder src/NAME as a static library.  Its files include
# their own room and the rooms that they USE, written "room/header.h", and nothing else: each room is
# seen through a directory that holds only a link to it.
function(room name)
	cmake_parse_arguments(R "" "" "USES;LINK;NOT" ${ARGN})
	file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/rooms/${name})
	file(CREATE_LINK ${CMAKE_SOURCE_DIR}/src/${name} ${CMAKE_BINARY_DIR}/rooms/${name}/${name} SYMBOLIC)
	file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/${name}/*.c)
	foreach(file ${R_NOT})
		list(REMOVE_ITEM sources ${CMAKE_SOURCE_DIR}/src/${name}/${file})
	endforeach()
	if(NOT sources)
		file(WRITE ${CMAKE_BINARY_DIR}/rooms/${name}.c "typedef int ${name}_room_is_empty;\n")
		set(sources ${CMAKE_BINARY_DIR}/rooms/${name}.c)
	endif()
	add_library(${name} STATIC ${sources})
	house_target(${name})
	target_include_directories(${name} PRIVATE ${CMAKE_BINARY_DIR}/rooms/${name}
		INTERFACE ${CMAKE_BINARY_DIR}/rooms/${name})
	# Linking is transitive, the right to include is not: it is given by USES alone.
	foreach(used ${R_USES})
		target_include_directories(${name} PRIVATE ${CMAKE_BINARY_DIR}/rooms/${used})
		target_link_libraries(${name} PRIVATE $<LINK_ONLY:${used}> INTERFACE ${used})
	endforeach()
	target_link_libraries(${name} PRIVATE ${R_LINK})
endfunction()
