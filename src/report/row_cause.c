// SPDX-License-Identifier: Apache-2.0
#include "report/row_cause.h"

#include "ops/join/join.h"

/* Why rows have no device data at all. */
static const enum account_what untimed[] = { ACCOUNT_OP_UNTIMED,        ACCOUNT_OP_UNTIMED_CUT,
					     ACCOUNT_OP_NOT_PROFILED,   ACCOUNT_OP_LOG_UNREAD,
					     ACCOUNT_OP_UNTIMED_KILLED, ACCOUNT_OP_TRACED };
enum { UNTIMED = sizeof(untimed) / sizeof(*untimed) };

/* What rows say themselves; the account beside a report has the same in sums. */
static bool is_of_rows(enum account_what what)
{
	for (size_t i = 0; i < UNTIMED; i++)
		if (untimed[i] == what)
			return true;
	for (int s = 0; s < ROW_STATES; s++)
		if (row_state_cause((enum row_state)s) == what)
			return true;
	return what == ACCOUNT_NO_DEVICE_TIME;
}

/* What the makers of the files counted, but for what rows say themselves. */
static void take_accounts(struct calls *c)
{
	vec_each (f, &c->table->files) {
		for (size_t i = 0; i < UNTIMED; i++)
			if (account_count(&f->account, untimed[i]))
				c->lost = untimed[i];
		vec_each (entry, &f->account.entries) {
			if (entry->what < ACCOUNT_FIRST_CAUSE || is_of_rows(entry->what))
				continue;
			account_add(&c->account, entry->what, entry->place, entry->count);
			/* ops that ran and have no row */
			if (entry->what == ACCOUNT_OP_LOST || entry->what == ACCOUNT_OP_SAME_NUMBER)
				account_add(&c->account, ACCOUNT_SEEN, entry->place, entry->count);
		}
	}
}

void row_causes_begin(struct calls *c)
{
	double ns;

	c->lost = ACCOUNT_OP_UNTIMED;
	take_accounts(c);
	for (size_t i = 0; i < c->table->rows && !c->any_timed; i++)
		c->any_timed = ops_real(c->table, OPS_DURATION, i, &ns) ||
			       ops_real(c->table, OPS_TRACE_DURATION, i, &ns) ||
			       ops_real(c->table, OPS_FW_DURATION, i, &ns);
}

static bool state_is(const struct calls *c, size_t row, enum row_state s)
{
	return str_eq(ops_text(c->table, OPS_DATA_STATE, row), str_of(row_state_text(s)));
}

bool row_is_captured(const struct calls *c, size_t row)
{
	return state_is(c, row, ROW_CAPTURED);
}

enum account_what row_cause(const struct calls *c, size_t row, uint16_t flags)
{
	bool is_untimed = flags & CALL_UNTIMED;

	/* without a single time, nothing was recorded */
	if (is_untimed && !c->any_timed && c->lost == ACCOUNT_OP_UNTIMED &&
	    !state_is(c, row, ROW_NEVER_REPLAYED))
		return ACCOUNT_NO_DEVICE_TIME;
	if (is_untimed && state_is(c, row, ROW_NO_DEVICE_DATA))
		return c->lost;
	if (ops_text(c->table, OPS_DATA_STATE, row).len)
		for (enum row_state s = 0; s < ROW_STATES; s++)
			if (s != ROW_NO_DEVICE_DATA && s != ROW_LOST_REPLAY_MESSAGE &&
			    row_state_cause(s) != ACCOUNT_TIMED && state_is(c, row, s))
				return row_state_cause(s);
	if (is_untimed)
		return ACCOUNT_NO_TIME_HERE;
	if (flags & CALL_PARTIAL)
		return ACCOUNT_FIRMWARE_TIME;
	return flags & CALL_FEWER_CORES ? ACCOUNT_OP_FEWER_CORES : ACCOUNT_TIMED;
}
