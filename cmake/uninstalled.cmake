# SPDX-License-Identifier: Apache-2.0
# NAME-uninstalled.pc beside NAME.pc: pkg-config takes it first, so that PKG_CONFIG_PATH=build gives paths of the tree,
# and programs that are linked so find the library.
set(TTP_PKGCONFIG_DIR ${CMAKE_INSTALL_DATADIR}/pkgconfig CACHE STRING "where files for pkg-config are installed")
file(RELATIVE_PATH TTP_FROM_PC /${TTP_PKGCONFIG_DIR} /)
string(REGEX REPLACE "/$" "" TTP_FROM_PC "${TTP_FROM_PC}")
function(house_uninstalled_pc name)
	file(READ ${CMAKE_BINARY_DIR}/${name}.pc text)
	string(REGEX REPLACE "\nprefix=[^\n]*" "\nprefix=${CMAKE_SOURCE_DIR}" text "${text}")
	string(REGEX REPLACE "\nlibdir=[^\n]*" "\nlibdir=${CMAKE_BINARY_DIR}" text "${text}")
	string(REGEX REPLACE "\nbindir=[^\n]*" "\nbindir=${CMAKE_BINARY_DIR}" text "${text}")
	string(REPLACE "Libs: -L\${libdir}" "Libs: -L\${libdir} -Wl,-rpath,\${libdir}" text "${text}")
	file(GENERATE OUTPUT ${CMAKE_BINARY_DIR}/${name}-uninstalled.pc CONTENT "${text}")
endfunction()
