// SPDX-License-Identifier: Apache-2.0
/* The folder that kernels are kept in, and in it the headers and sources that this program carries. */
#ifndef TTP_DEVICE_KERNEL_CACHE_H
#define TTP_DEVICE_KERNEL_CACHE_H

#include "base/err.h"
#include "base/str.h"
#include "device/loader.h"

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

#endif /* TTP_DEVICE_KERNEL_CACHE_H */
