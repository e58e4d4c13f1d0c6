// SPDX-License-Identifier: Apache-2.0
/* Which launch of a device a row of the ops table is of: what joins the table with a device log. */
#ifndef TTP_OPS_TABLE_OPS_LAUNCH_H
#define TTP_OPS_TABLE_OPS_LAUNCH_H

#include "markers/launch_index.h"
#include "ops/table/ops_table.h"

/* False: it names no device or no program, as ops of the host do. */
bool ops_row_launch(const struct ops_table *t, size_t row, struct launch_key *key);
/* All rows by their launches; to be released. */
void ops_launch_rows(const struct ops_table *t, struct launch_rows *rows);

#endif /* TTP_OPS_TABLE_OPS_LAUNCH_H */
