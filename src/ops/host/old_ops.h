// SPDX-License-Identifier: Apache-2.0
/*
 * The ops report of 2023 (tt-metal d6ef7b5c340): a folder per op and a folder per call of it.
 *
 *	OPS/<op>/profile_log_host.csv             a row per call: times, tensors, attributes
 *	OPS/<op>/<call>/profile_log_host.csv      what the call did on the host
 *	OPS_device/<op>/<call>/profile_log_device.csv   marks 1 to 4 of each RISC
 */
#ifndef TTP_OPS_HOST_OLD_OPS_H
#define TTP_OPS_HOST_OLD_OPS_H

#include "base/account.h"
#include "base/err.h"
#include "base/vec.h"
#include "ops/table/ops_rows.h"

struct old_ops;

/* The folder holds at least one op of this form. */
bool old_ops_are_here(const char *folder);
enum ttp_rc old_ops_read(struct old_ops **made, const char *folder, struct ttp_err *e) TTP_CHECKED;
void old_ops_rows(const struct old_ops *o, struct ops_rows *to);
void old_ops_free(struct old_ops *o);
/* What they cover. */
void old_ops_account(const struct old_ops *o, struct account *a);

#endif /* TTP_OPS_HOST_OLD_OPS_H */
