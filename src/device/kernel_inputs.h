// SPDX-License-Identifier: Apache-2.0
/*
 * What a kernel is made of: the files that were read, as they were, and the files that were looked for and not there.
 * As long as all of that is so, the compiler would make the same of it, and need not be asked.
 *
 * A file is the same if its size, its times and its number are; else its bytes are compared by their hash.  A clock ticks in
 * milliseconds, on some disks in seconds: a file that changed just before we looked may change again and tell the same time, so
 * such a file is always read.
 */
#ifndef TTP_DEVICE_KERNEL_INPUTS_H
#define TTP_DEVICE_KERNEL_INPUTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/map.h"
#include "base/str.h"
#include "base/vec.h"

enum { INPUTS_YOUNG_S = 2, INPUTS_MAX = 20000 };

struct input_state {
	bool there, young;
	uint64_t size, number;
	int64_t mtime_ns, ctime_ns;
	uint64_t hash[2];
};

struct inputs {
	struct intern paths;
	VEC(struct input_state) states; /* by the path's id */
	struct buf result;              /* the name of what was made of them */
};

/*
 * All that `source` (or `text`, in the current folder) may read by way of `folders`, in the order in which they are searched.
 * False if that is not known.
 */
bool inputs_collect(struct inputs *in, const char *source, const char *text,
		    const char *const *folders, size_t folders_n);
/* True if every file that the compiler said it read is among them. */
bool inputs_cover(const struct inputs *in, struct str preprocessed);
/* Whether all is as it was.  `*renewed`: states were brought up to date, and should be written. */
bool inputs_hold(struct inputs *in, bool *renewed);

/* A file that is damaged, cut or of another version is none. */
bool inputs_read(struct inputs *in, const char *path);
/* Complete or not at all; false if it can't be written. */
bool inputs_write(const struct inputs *in, const char *path);
void inputs_release(struct inputs *in);

/* 128 bits of anything. */
void inputs_hash(uint64_t hash[2], struct str bytes);

#endif /* TTP_DEVICE_KERNEL_INPUTS_H */
