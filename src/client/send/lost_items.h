// SPDX-License-Identifier: Apache-2.0
/* What a file could not take: counted as dropped, item by item. */
#ifndef TTP_CLIENT_SEND_LOST_ITEMS_H
#define TTP_CLIENT_SEND_LOST_ITEMS_H

#include "wire/tracy.h"

/* Items of a frame that nobody gets. */
void lost_count(const struct wire_proto *proto, const uint8_t *items, size_t len);

#endif /* TTP_CLIENT_SEND_LOST_ITEMS_H */
