// SPDX-License-Identifier: Apache-2.0
/*
 * Kernels from their sources, compiled where they are needed, kept for the next time.
 *
 * The compiler is $TTP_RISCV_CC, or the first of riscv64-unknown-elf-gcc, riscv32-unknown-elf-gcc, clang with
 * ld.lld.  It is called without a shell.  What it is called with is kept in a folder of this user,
 * $TTP_CACHE or $XDG_CACHE_HOME/ttprof or ~/.cache/ttprof:
 *
 *	runtime-<hash>/		headers and sources that this program carries
 *	kernels/<hash>.elf	by the preprocessed source, the options and the compiler's version
 *	kernels/<hash>.inputs	by options and compiler: the files an .elf was made of, so that nothing need be preprocessed
 *
 * Files appear there by renaming, complete or not at all, so any number of processes may share it.
 */
#ifndef TTP_DEVICE_COMPILE_H
#define TTP_DEVICE_COMPILE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/str.h"
#include "device/loader.h"
#include "device/port.h"

struct compile_define {
	const char *name, *value; /* value "" for none */
};

struct compile_request {
	const char *path; /* of the source: .c is C11, else C++17 */
	const char *text; /* not NULL: the source itself, `path` is only its name */
	/*
	 * Ids of zones have the path in them: what lies below this folder is named from there, so that they
	 * are the same in every clone.  NULL: the current folder.
	 */
	const char *root;
	enum risc risc;
	int noc; /* 0, 1; -1: 0 on BRISC, 1 on NCRISC */
	const struct compile_define *defines;
	size_t defines_n;
	const uint32_t *args; /* compile-time arguments */
	size_t args_n;
	const char *const *include; /* folders, ended by NULL; or NULL */
	int fidelity;               /* 1 .. 4; 0: 4 */
	unsigned profile;           /* PROFILE_KERNEL: 0 off, 1 zones, + 8 sums */
	bool noc_events, print;
	bool delay, delay_outline;         /* before requests to the NoC, if the mailbox says so */
	int dram_banks, columns, l1_banks; /* of the chip; 0: not known */
};

/* An image to be released with elf_release(), from the cache if it is there. */
enum ttp_rc compile_kernel(const struct compile_request *q, struct elf_image *out,
			   struct ttp_err *e) TTP_CHECKED;

/* The compiler that would be used, and its version; for `ttprof doctor`.  Text until the next call. */
enum ttp_rc compile_toolchain(const char **command, const char **version,
			      struct ttp_err *e) TTP_CHECKED;
/* The folder that compiled kernels are kept in. */
enum ttp_rc compile_cache(struct buf *path, struct ttp_err *e) TTP_CHECKED;

#endif /* TTP_DEVICE_COMPILE_H */
