# SPDX-License-Identifier: Apache-2.0
# How everything of ours is compiled.  Presets (CMakePresets.json) pick among these.
option(TTP_WERROR "warnings are errors" OFF)
option(TTP_TESTS "build the tests" ON)
option(TTP_FUZZ "build the fuzzers (clang)" OFF)
set(TTP_FUZZ_ENGINE "-fsanitize=fuzzer" CACHE STRING "what fuzzers are linked with: an option or a library")
option(TTP_BENCH "build the benchmarks" ON)
option(TTP_STATIC_COMPRESSION "programs have zlib and zstd inside, where these can be had so" ON)
set(TTP_SANITIZE "" CACHE STRING "sanitizers, as for -fsanitize=")

# What `make` builds, and the preset "release": presets need a newer CMake than the build does.
if(NOT CMAKE_BUILD_TYPE)
	set(CMAKE_BUILD_TYPE RelWithDebInfo)
endif()
set(CMAKE_C_FLAGS_RELWITHDEBINFO "-O2 -g")

if(CMAKE_VERSION VERSION_LESS 3.21) # it does not know 17
	string(APPEND CMAKE_C_FLAGS " -std=gnu17")
else()
	set(CMAKE_C_STANDARD 17)
	set(CMAKE_C_EXTENSIONS ON)
endif()
set(CMAKE_C_VISIBILITY_PRESET hidden)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

set(TTP_WARNINGS -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Wstrict-prototypes
	-Wmissing-prototypes -Wold-style-definition -Wwrite-strings -Wvla -Wundef -Wformat=2
	-Wimplicit-fallthrough -Wcast-qual -Wcast-align -Wnull-dereference)
if(TTP_WERROR)
	list(APPEND TTP_WARNINGS -Werror)
endif()

# Files and peers are anybody's: a write that goes astray must find little to use.  tests/house/run_hardening reads the result.
add_link_options(-Wl,-z,relro -Wl,-z,now -Wl,-z,noexecstack -Wl,--as-needed)
set(TTP_HARDENING -fstack-protector-strong)
if(NOT TTP_SANITIZE)
	# needs optimisation
	list(APPEND TTP_HARDENING $<$<NOT:$<CONFIG:Debug>>:-U_FORTIFY_SOURCE> $<$<NOT:$<CONFIG:Debug>>:-D_FORTIFY_SOURCE=2>)
endif()

# house_target(T): a target of ours: warnings, hardening, sanitizers, banned functions.
function(house_target t)
	target_compile_definitions(${t} PRIVATE _GNU_SOURCE)
	target_compile_options(${t} PRIVATE ${TTP_WARNINGS} ${TTP_HARDENING} -fno-strict-aliasing -ffp-contract=off -fno-math-errno -fno-trapping-math
		-include ${CMAKE_SOURCE_DIR}/src/base/banned.h
		-fmacro-prefix-map=${CMAKE_SOURCE_DIR}/= -fmacro-prefix-map=../=) # older CMakes name sources from the build directory
	# another engine brings its own instrumentation, in CFLAGS
	if(TTP_FUZZ AND TTP_FUZZ_ENGINE STREQUAL "-fsanitize=fuzzer")
		target_compile_options(${t} PRIVATE -fsanitize=fuzzer-no-link)
	endif()
	if(TTP_SANITIZE)
		target_compile_options(${t} PRIVATE -fsanitize=${TTP_SANITIZE} -fno-omit-frame-pointer
			-fno-sanitize-recover=all)
		target_link_options(${t} PRIVATE -fsanitize=${TTP_SANITIZE})
	endif()
endfunction()
