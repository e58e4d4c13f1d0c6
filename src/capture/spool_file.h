// SPDX-License-Identifier: Apache-2.0
/* A spool that is being written: each record by one system call, and never half of one after an error. */
#ifndef TTP_CAPTURE_SPOOL_FILE_H
#define TTP_CAPTURE_SPOOL_FILE_H

#include "base/err.h"
#include "wire/spool.h"

struct spool_file {
	int fd;
	uint64_t bytes; /* whole records */
	bool failed;    /* nothing more is written */
	struct ttp_err error;
};

void spool_file_begin(struct spool_file *f, int fd);
void spool_file_add(struct spool_file *f, enum spool_type type, uint8_t flags, uint16_t stream,
		    const void *payload, size_t len);
/* Writes a record of the same length over the one at `offset`. */
void spool_file_replace(struct spool_file *f, uint64_t offset, enum spool_type type, uint8_t flags,
			uint16_t stream, const void *payload, size_t len);

#endif /* TTP_CAPTURE_SPOOL_FILE_H */
