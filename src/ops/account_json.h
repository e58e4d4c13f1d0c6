// SPDX-License-Identifier: Apache-2.0
/*
 * An account as JSON, for programs and for `ttprof report`, which finds the one of a report beside it:
 *
 *	ops_perf_results.csv
 *	ops_perf_results.account.json	{"schema": "ttprof.account/1", "csv_bytes": 123, "account": {...}}
 */
#ifndef TTP_OPS_ACCOUNT_JSON_H
#define TTP_OPS_ACCOUNT_JSON_H

#include "base/account.h"
#include "base/json.h"

/* Keys of the object that is open: "device", "core": [x, y], "risc", as far as they are known. */
void account_json_place(struct json_writer *w, const struct account_place *p);
/* The account's object; sorts it. */
void account_json_write(struct json_writer *w, struct account *a);

/* Where the account of a report is: the path of the CSV with another ending. */
void account_json_path(const char *csv, struct buf *path);
/* All of the file, about a CSV of so many bytes. */
void account_json_file(struct account *a, uint64_t csv_bytes, struct buf *to);
/* Adds what a file says; false, and nothing added, if it is none, or about a CSV of another size. */
bool account_json_read(struct str text, uint64_t csv_bytes, struct account *a);

#endif /* TTP_OPS_ACCOUNT_JSON_H */
