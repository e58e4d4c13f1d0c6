// SPDX-License-Identifier: Apache-2.0
/*
 * Why a row of a report lacks something.  `ttprof ops` says so in the row itself (DATA STATE) and, of what no row is about,
 * in the account beside the report (ops/account_json.h); a report of another tool has neither, and is judged by its times.
 */
#ifndef TTP_REPORT_ROW_CAUSE_H
#define TTP_REPORT_ROW_CAUSE_H

#include "report/calls.h"

/* Before the first row: reads the accounts beside the files, and looks whether anything was timed. */
void row_causes_begin(struct calls *c);
/* Was captured into a trace and replayed: other rows are what ran. */
bool row_is_captured(const struct calls *c, size_t row);
/* What the row counts as; ACCOUNT_TIMED if nothing is missing. */
enum account_what row_cause(const struct calls *c, size_t row, uint16_t flags);

#endif /* TTP_REPORT_ROW_CAUSE_H */
