// SPDX-License-Identifier: Apache-2.0
/*
 * Archives: files one after the other as ustar, plain or through gzip.  Names and times of files are kept plain (mode
 * 0644, owner 0, time 0), so the same files make the same archive.
 */
#ifndef TTP_BASE_TAR_H
#define TTP_BASE_TAR_H

#include "base/err.h"
#include "base/out.h"

struct tar_file {
	const char
		*name; /* in the archive; from 100 bytes on in a header of its own, as pax has it */
	const char *path;
};

/* Writes all of them; the caller finishes `to`.  Fails when a file can't be read to the end that it had: what was written is no archive then. */
enum ttp_rc tar_write(struct out *to, const struct tar_file *files, size_t n,
		      struct ttp_err *e) TTP_CHECKED;
enum ttp_rc tar_gz_write(struct out *to, const struct tar_file *files, size_t n,
			 struct ttp_err *e) TTP_CHECKED;

#endif /* TTP_BASE_TAR_H */
