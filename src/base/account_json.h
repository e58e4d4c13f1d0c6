// SPDX-License-Identifier: Apache-2.0
/* An account as JSON: its totals, and each cause with its place and hint. */
#ifndef TTP_BASE_ACCOUNT_JSON_H
#define TTP_BASE_ACCOUNT_JSON_H

#include "base/account.h"
#include "base/json.h"

/* Sorts the account first. */
void account_json(struct account *a, struct json_writer *w);

#endif /* TTP_BASE_ACCOUNT_JSON_H */
