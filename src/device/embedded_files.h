// SPDX-License-Identifier: Apache-2.0
/*
 * Files that the program carries in itself, so that it works wherever it is copied: the firmware, and the
 * headers and sources that kernels are compiled with.  Made by cmake/fw.cmake.
 */
#ifndef TTP_DEVICE_EMBEDDED_FILES_H
#define TTP_DEVICE_EMBEDDED_FILES_H

#include <stdbool.h>

#include "base/str.h"

struct device_file {
	const char *name; /* "include/ttp/kernel.h", "fw/image.ld", "firmware/brisc.elf" */
	const char *at, *end;
};

extern const struct device_file device_files[]; /* ends with name NULL */

/* False: not carried; of firmware it means that there was no RISC-V compiler at build time. */
bool device_file(const char *name, struct str *bytes);

#endif /* TTP_DEVICE_EMBEDDED_FILES_H */
