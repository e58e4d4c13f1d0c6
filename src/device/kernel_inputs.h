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

#include "base/err.h"
#include "base/map.h"
#include "base/str.h"
#include "base/vec.h"
#include "device/loader.h"

enum { INPUTS_YOUNG_S = 2, INPUTS_MAX = 20000 };

struct input_state {
	bool there, young;
	uint64_t size, number;
	int64_t mtime_ns, ctime_ns;
	uint64_t hash[2];
};

struct kernel_inputs {
	struct intern paths;
	VEC(struct input_state) states; /* by the path's id */
	struct buf result;              /* the name of what was made of them */
};

/*
 * All that `source` (or `text`, in the current folder) may read by way of `folders`, in the order in which they are searched.
 * False if that is not known.
 */
bool inputs_collect(struct kernel_inputs *in, const char *source, const char *text,
		    const char *const *folders, size_t folders_n);
/* True if every file that the compiler said it read is among them. */
bool inputs_cover(const struct kernel_inputs *in, struct str preprocessed);
/* Whether all is as it was.  `*renewed`: states were brought up to date, and should be written. */
bool inputs_hold(struct kernel_inputs *in, bool *renewed);

/* A file that is damaged, cut or of another version is none. */
bool inputs_read(struct kernel_inputs *in, const char *path);
/* Complete or not at all; false if it can't be written. */
bool inputs_write(const struct kernel_inputs *in, const char *path);
void inputs_release(struct kernel_inputs *in);

/* 128 bits of anything. */
void inputs_hash(uint64_t hash[2], struct str bytes);

/*
 * The files that a C or C++ source may ask for, without a preprocessor: every #include and __has_include in it, also
 * those in branches that are not taken.  Too many names do no harm, one too few would.
 */
struct scan_name {
	struct str name; /* of the text that was scanned */
	bool quoted;     /* "name": the includer's folder comes first */
	bool next;       /* include_next: any folder may be meant */
};

struct scan {
	VEC(struct scan_name) names;
};

/*
 * False if the text alone does not tell: a name that a macro makes, a directive in pieces, or the time of day, which
 * changes without any file.
 */
bool scan_includes(struct scan *s, struct str text);
void scan_release(struct scan *s);

/* The folder that kernels are kept in, and in it the headers and sources that this program carries. */
/* Fails if anybody but this user and root can write to it, or owns it. */
enum ttp_rc cache_folder(struct buf *path, struct ttp_err *e) TTP_CHECKED;
enum ttp_rc cache_make_folders(const char *path, struct ttp_err *e) TTP_CHECKED;
/* A file of this user alone, complete or not at all. */
enum ttp_rc cache_write(const char *path, struct str bytes, struct ttp_err *e) TTP_CHECKED;
/* Where this program's files are, or will be: `root`, made by cache_name_runtime(). */
void cache_name_runtime(const char *cache, struct buf *root);
/* Afterwards they are there, all of them, as they should be. */
enum ttp_rc cache_unpack_runtime(const char *cache, const struct buf *root,
				 struct ttp_err *e) TTP_CHECKED;

/* A kernel that is finished gets a checksum behind its bytes, where no reader of ELFs looks. */
enum ttp_rc cache_seal(const char *path, struct ttp_err *e) TTP_CHECKED;
/* One without a checksum, or with another one, is damaged. */
enum ttp_rc cache_read_kernel(struct elf_image *img, const char *path,
			      struct ttp_err *e) TTP_CHECKED;

/*
 * Kernels of the cache found again without the compiler: beside each lies what it was made of (device/kernel_inputs.h), by the
 * compiler and all it is called with.  A caller that can't be sure preprocesses instead.
 */
struct recall_call {
	const char *const *argv; /* preprocesses: the compiler, its options, ended by NULL */
	const char *version;     /* of the compiler */
	int recipe;              /* the way in which kernels are put together */
	const char *source, *text;
};

struct recall {
	struct recall_call call;
	struct buf path; /* of the list of inputs; empty: this compiler or folder can't be sure */
	struct kernel_inputs inputs; /* what is known, or what was collected */
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

#endif /* TTP_DEVICE_KERNEL_INPUTS_H */
