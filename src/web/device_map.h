// SPDX-License-Identifier: Apache-2.0
/* Devices of a page, each with the map of its chip if what ran there fits it. */
#ifndef TTP_WEB_DEVICE_MAP_H
#define TTP_WEB_DEVICE_MAP_H

#include "base/json.h"
#include "web/page.h"

/* Elements of an array that is open. */
void page_write_devices(const struct page *p, struct json_writer *w);

#endif /* TTP_WEB_DEVICE_MAP_H */
