// SPDX-License-Identifier: Apache-2.0
/*
 * What was counted at the source of a run, as a file beside its logs (docs/formats/run-account.md):
 *
 *	cause,device,core_x,core_y,RISC,count
 *	marker_buffer_full,0,1,1,BRISC,37
 *	client_dropped,,,,,1200
 *
 * Whoever counts adds rows to its end, and rows of the same add up: so devices, reads and processes of a run write one file without
 * knowing of each other.  A file without rows says that nothing was lost.
 */
#ifndef TTP_BASE_ACCOUNT_CSV_H
#define TTP_BASE_ACCOUNT_CSV_H

#include "base/account.h"
#include "base/err.h"

/* Adds the causes of `a` to a file; with its header if it is new, also where there is nothing to add. */
enum ttp_rc account_csv_append(const char *path, struct account *a, struct ttp_err *e) TTP_CHECKED;

/*
 * Adds what a file says; how many rows can't be used: of causes that are not known, or count ops, without a count, or a last one
 * without its end; 1 for a file that is none.
 */
uint64_t account_csv_read(struct str text, struct account *a);

#endif /* TTP_BASE_ACCOUNT_CSV_H */
