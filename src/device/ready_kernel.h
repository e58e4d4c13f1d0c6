// SPDX-License-Identifier: Apache-2.0
/*
 * Kernels that were compiled elsewhere, for machines without a RISC-V compiler: a release carries those of the stand-in for ttnn.
 *
 * A kernel is known by what it is made of (the bytes of its source and of all that it includes, its options, the files that this program carries), not by
 * where that lies, so that it is found in any installation.  The folder is $TTP_KERNELS, else share/ttprof/kernels of the installation.  With
 * $TTP_KEEP_KERNELS=FOLDER every kernel that is compiled is put there as well.
 */
#ifndef TTP_DEVICE_READY_KERNEL_H
#define TTP_DEVICE_READY_KERNEL_H

#include "device/compile.h"
#include "device/kernel_inputs.h"

/* Where they are; false: this installation has none. */
bool ready_kernel_folder(struct buf *to);
/* False: there is none, or what it is made of can't be known without a preprocessor. */
bool ready_kernel_find(const struct compile_request *q, int recipe, struct elf_image *out);
/* $TTP_KEEP_KERNELS is set. */
bool ready_kernels_are_kept(void);
/* Puts the sealed kernel `path` where $TTP_KEEP_KERNELS asks for it; nothing without. */
enum ttp_rc ready_kernel_keep(const struct compile_request *q, int recipe, const char *path,
			      struct ttp_err *e) TTP_CHECKED;

#endif /* TTP_DEVICE_READY_KERNEL_H */
