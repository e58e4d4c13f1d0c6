// SPDX-License-Identifier: Apache-2.0
/* CRC-32C (Castagnoli), as in iSCSI and ext4: 0 to start, the result to continue. */
#ifndef TTP_WIRE_CRC32C_H
#define TTP_WIRE_CRC32C_H

#include <stddef.h>
#include <stdint.h>

uint32_t crc32c(uint32_t crc, const void *bytes, size_t n);

#endif /* TTP_WIRE_CRC32C_H */
