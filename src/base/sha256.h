// SPDX-License-Identifier: Apache-2.0
/* SHA-256 (FIPS 180-4): by what content is known, whoever made it. */
#ifndef TTP_BASE_SHA256_H
#define TTP_BASE_SHA256_H

#include <stdint.h>

#include "base/str.h"

struct sha256 {
	uint32_t state[8];
	unsigned char block[64];
	uint64_t bytes;
};

void sha256_begin(struct sha256 *s);
void sha256_add(struct sha256 *s, const void *at, size_t len);
/* Appends 64 hexadecimal digits. */
void sha256_end(struct sha256 *s, struct buf *to);

#endif /* TTP_BASE_SHA256_H */
