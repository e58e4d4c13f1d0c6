// SPDX-License-Identifier: Apache-2.0
/*
 * zone_src_locations.log: every source location that had a zone, one per line, in the form in which tt-metal keeps
 * what its compiler said.  It grows over runs; here nothing reads it, tools around tt-metal do.
 * new_zone_src_locations.log has those of this process alone.
 */
#ifndef TTP_HOST_LOGS_ZONE_LOG_H
#define TTP_HOST_LOGS_ZONE_LOG_H

#include "base/err.h"
#include "device/loader.h"

/* Adds the locations of an image that are not there yet. */
enum ttp_rc zone_log_add(const char *folder, const struct elf_image *const *images, size_t n,
			 struct ttp_err *e) TTP_CHECKED;

#endif /* TTP_HOST_LOGS_ZONE_LOG_H */
