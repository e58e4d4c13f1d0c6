# SPDX-License-Identifier: Apache-2.0
# The firmware of the five cores, and the files that the program carries in itself: firmware, and what kernels
# are compiled with.  Without a RISC-V compiler all else is built; devices then say what is missing.
target_include_directories(device PUBLIC ${CMAKE_SOURCE_DIR}/include)
find_program(TTP_RISCV_GCC NAMES riscv64-unknown-elf-gcc riscv32-unknown-elf-gcc)

set(carried)
file(GLOB_RECURSE carried_headers CONFIGURE_DEPENDS RELATIVE ${CMAKE_SOURCE_DIR}
	${CMAKE_SOURCE_DIR}/include/ttp/kernel.h ${CMAKE_SOURCE_DIR}/include/ttp/tensix_macros.h
	${CMAKE_SOURCE_DIR}/include/ttp/kernel/*.h ${CMAKE_SOURCE_DIR}/include/compat/kernel/*)
foreach(file ${carried_headers} fw/image.ld fw/start.h fw/kernel_start.c fw/sync_kernel.c fw/overhead_kernel.c
		fw/cq_kernels.c)
	# Kernels find tt-metal's names at the root of include/compat.
	string(REPLACE include/compat/kernel/ include/compat/ name ${file})
	list(APPEND carried "${name}|${CMAKE_SOURCE_DIR}/${file}")
endforeach()

if(TTP_RISCV_GCC)
	# Those of gcc 12, and of the linker of its time (device/compile.c has the same for kernels).
	execute_process(COMMAND ${TTP_RISCV_GCC} -dumpversion OUTPUT_VARIABLE riscv_version OUTPUT_STRIP_TRAILING_WHITESPACE)
	set(fw_options)
	set(fw_link)
	if(riscv_version VERSION_GREATER_EQUAL 12)
		set(fw_options -fno-move-loop-stores --param=min-pagesize=0)
		set(fw_link -Wl,--no-warn-rwx-segments)
	endif()
	set(fw_werror)
	if(TTP_WERROR)
		set(fw_werror -Werror)
	endif()
	file(GLOB fw_sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/fw/* ${CMAKE_SOURCE_DIR}/include/ttp/kernel/*
		${CMAKE_SOURCE_DIR}/include/ttp/tensix_macros.h)
	# firmware(NAME SOURCE RISC TEXT TEXT_BYTES LOCAL_BYTES): addresses as in ttp/kernel/layout.h, which the
	# loader checks.
	function(firmware name source risc text bytes local)
		math(EXPR data_bytes "${local} - 0x400")
		math(EXPR stack "0xFFB00000 + ${local}" OUTPUT_FORMAT HEXADECIMAL)
		set(out ${CMAKE_BINARY_DIR}/firmware/${name}.elf)
		add_custom_command(OUTPUT ${out}
			COMMAND ${CMAKE_COMMAND} -E make_directory ${CMAKE_BINARY_DIR}/firmware
			COMMAND ${TTP_RISCV_GCC} -march=rv32im -mabi=ilp32 -O2 -g -std=gnu11 -ffreestanding -nostdlib
				-msmall-data-limit=0 -fno-tree-loop-distribute-patterns ${fw_options} -Wall -Wextra -Wno-array-bounds
				${fw_werror} -DTTP_RISC=${risc}
				-ffile-prefix-map=${CMAKE_SOURCE_DIR}/=ttprof/ -ffile-prefix-map=${CMAKE_BINARY_DIR}/=
				-I${CMAKE_SOURCE_DIR}/include -I${CMAKE_SOURCE_DIR}/fw -T${CMAKE_SOURCE_DIR}/fw/image.ld
				-Wl,--build-id=none ${fw_link} -Wl,--defsym=ttp_text=${text},--defsym=ttp_text_bytes=${bytes}
				-Wl,--defsym=ttp_data=0xFFB00400,--defsym=ttp_data_bytes=${data_bytes},--defsym=ttp_stack=${stack}
				-o ${out} ${CMAKE_SOURCE_DIR}/fw/${source} -lgcc
			DEPENDS ${fw_sources} COMMENT "Building firmware ${name}" VERBATIM)
		set(carried ${carried} "firmware/${name}.elf|${out}" PARENT_SCOPE)
		set(firmware_elfs ${firmware_elfs} ${out} PARENT_SCOPE)
	endfunction()
	firmware(brisc brisc.c 0 0x3A00 0x1E00 0x1000)
	firmware(ncrisc other.c 1 0x5800 0x800 0x1000)
	firmware(trisc0 other.c 2 0x6000 0x800 0x800)
	firmware(trisc1 other.c 3 0x6800 0x800 0x800)
	firmware(trisc2 other.c 4 0x7000 0x800 0x800)
else()
	message(STATUS "no RISC-V compiler (gcc-riscv64-unknown-elf): devices can't be started, their tests are skipped")
endif()

# A C file that takes them in as they are.
set(text "// made by cmake/fw.cmake\n#include \"device/embedded_files.h\"\n\n#include <stddef.h>\n\n")
set(table "")
set(depends)
set(n 0)
foreach(entry ${carried})
	string(REPLACE "|" ";" entry ${entry})
	list(GET entry 0 name)
	list(GET entry 1 path)
	string(APPEND text "__asm__(\".pushsection .rodata\\n.balign 16\\ndevice_file_${n}: .incbin \\\"${path}\\\"\\n"
		"device_file_${n}_end: .byte 0\\n.popsection\");\n"
		"extern const char device_file_${n}[] __attribute__((visibility(\"hidden\"))), device_file_${n}_end[] __attribute__((visibility(\"hidden\")));\n")
	string(REPLACE "device_file_${n}: " ".globl device_file_${n}\\n.hidden device_file_${n}\\ndevice_file_${n}: " text "${text}")
	string(REPLACE "device_file_${n}_end: " ".globl device_file_${n}_end\\n.hidden device_file_${n}_end\\ndevice_file_${n}_end: " text "${text}")
	string(APPEND table "\t{ \"${name}\", device_file_${n}, device_file_${n}_end },\n")
	list(APPEND depends ${path})
	math(EXPR n "${n} + 1")
endforeach()
# Written where it differs, so that nothing is compiled again in vain.  (file(CONFIGURE) refuses a "<" before CMake 3.20.)
file(WRITE ${CMAKE_BINARY_DIR}/rooms/device_files.new
	"${text}\nconst struct device_file device_files[] = {\n${table}\t{ NULL, NULL, NULL },\n};\n")
configure_file(${CMAKE_BINARY_DIR}/rooms/device_files.new ${CMAKE_BINARY_DIR}/rooms/device_files.c COPYONLY)
set_source_files_properties(${CMAKE_BINARY_DIR}/rooms/device_files.c PROPERTIES OBJECT_DEPENDS "${depends}")
target_sources(device PRIVATE ${CMAKE_BINARY_DIR}/rooms/device_files.c)

pkg_check_modules(DW IMPORTED_TARGET libdw libelf)
if(DW_FOUND)
	target_compile_definitions(device PRIVATE TTP_HAVE_LIBDW)
	target_include_directories(device PRIVATE ${DW_INCLUDE_DIRS}) # it is loaded when it is needed
else()
	message(STATUS "libdw not found: faults of kernels are told without their line")
endif()

# Scenarios on a device, for the tests alone.
if(TTP_TESTS)
	file(GLOB probe_sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/e2e/device_*.c)
	add_executable(device_probe ${probe_sources})
	house_target(device_probe)
	target_link_libraries(device_probe PRIVATE sim device base)
	set_target_properties(device_probe PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/examples)
endif()
