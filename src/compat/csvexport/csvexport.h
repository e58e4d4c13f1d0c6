// SPDX-License-Identifier: Apache-2.0
/* Tracy's csvexport by generation: its styles of export/csv_export.h. */
#ifndef TTP_COMPAT_CSVEXPORT_CSVEXPORT_H
#define TTP_COMPAT_CSVEXPORT_CSVEXPORT_H

#include "export/csv_export.h"

extern const struct export_style csvexport_tt_0_10, csvexport_tt_0_12, csvexport_upstream;
/* The one that belongs to a file. */
const struct export_style *csvexport_of(const struct trace *t);

#endif /* TTP_COMPAT_CSVEXPORT_CSVEXPORT_H */
