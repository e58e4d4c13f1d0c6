// SPDX-License-Identifier: Apache-2.0
/*
 * Kernels of the cache found again without the compiler: beside each lies what it was made of (device/kernel_inputs.h), by the
 * compiler and all it is called with.  A caller that can't be sure preprocesses instead.
 */
#ifndef TTP_DEVICE_KERNEL_RECALL_H
#define TTP_DEVICE_KERNEL_RECALL_H

#include <stdbool.h>

#include "base/str.h"
#include "device/kernel_inputs.h"

struct recall_call {
	const char *const *argv; /* preprocesses: the compiler, its options, ended by NULL */
	const char *version;     /* of the compiler */
	int recipe;              /* the way in which kernels are put together */
	const char *source, *text;
};

struct recall {
	struct recall_call call;
	struct buf path; /* of the list of inputs; empty: this compiler or folder can't be sure */
	struct inputs inputs; /* what is known, or what was collected */
	bool collected;
};

/* `kernels` is the folder of ELFs; what is in `call` is borrowed. */
void recall_begin(struct recall *r, const char *kernels, const struct recall_call *call);
/* The name of the ELF in `kernels`, if nothing it is made of has changed; else NULL. */
const char *recall_find(struct recall *r);
/* Before the compiler is called: what it will read. */
void recall_collect(struct recall *r);
/* Behind it: false if a file changed meanwhile, so that nobody knows which was read. */
bool recall_keep(struct recall *r, struct str preprocessed, const char *elf);
void recall_release(struct recall *r);

#endif /* TTP_DEVICE_KERNEL_RECALL_H */
