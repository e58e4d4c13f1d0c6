// SPDX-License-Identifier: Apache-2.0
#include "report/row_cause.h"

#include "ops/join/join.h"

/* What rows say themselves; the account beside a report has the same in sums. */
static const struct {
	enum row_state state;
	enum account_what what;
} of_rows[] = {
	{ ROW_NEVER_REPLAYED, ACCOUNT_OP_NEVER_REPLAYED },
	{ ROW_PARTIAL, ACCOUNT_OP_PARTIAL },
	{ ROW_LOG_CUT, ACCOUNT_OP_LOG_CUT },
	{ ROW_FEWER_CORES, ACCOUNT_OP_FEWER_CORES },
	{ ROW_NO_COMPUTE, ACCOUNT_OP_NO_COMPUTE },
	{ ROW_NO_DEVICE_DATA, ACCOUNT_OP_UNTIMED },
	{ ROW_NO_DEVICE_DATA, ACCOUNT_OP_UNTIMED_CUT },
	{ ROW_NO_DEVICE_DATA, ACCOUNT_OP_NOT_PROFILED },
	{ ROW_NO_DEVICE_DATA, ACCOUNT_OP_LOG_UNREAD },
	{ ROW_LOST_REPLAY_MESSAGE, ACCOUNT_REPLAY_MESSAGE_LOST },
};

static bool is_of_rows(enum account_what what)
{
	for (size_t i = 0; i < sizeof(of_rows) / sizeof(*of_rows); i++)
		if (of_rows[i].what == what)
			return true;
	return what == ACCOUNT_NO_DEVICE_TIME;
}

/* What the makers of the files counted, but for what rows say themselves. */
static void take_accounts(struct calls *c)
{
	vec_each (f, &c->table->files) {
		for (size_t i = 0; i < sizeof(of_rows) / sizeof(*of_rows); i++)
			if (of_rows[i].state == ROW_NO_DEVICE_DATA &&
			    account_count(&f->account, of_rows[i].what))
				c->lost = of_rows[i].what;
		vec_each (entry, &f->account.entries)
			if (entry->what >= ACCOUNT_FIRST_CAUSE && !is_of_rows(entry->what))
				account_add(&c->account, entry->what, entry->place, entry->count);
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
	bool untimed = flags & CALL_UNTIMED;

	/* without a single time, nothing was recorded */
	if (untimed && !c->any_timed && c->lost == ACCOUNT_OP_UNTIMED &&
	    !state_is(c, row, ROW_NEVER_REPLAYED))
		return ACCOUNT_NO_DEVICE_TIME;
	if (untimed && state_is(c, row, ROW_NO_DEVICE_DATA))
		return c->lost;
	if (ops_text(c->table, OPS_DATA_STATE, row).len)
		for (size_t i = 0; i < sizeof(of_rows) / sizeof(*of_rows); i++)
			if (of_rows[i].state != ROW_NO_DEVICE_DATA &&
			    of_rows[i].state != ROW_LOST_REPLAY_MESSAGE &&
			    state_is(c, row, of_rows[i].state))
				return of_rows[i].what;
	if (untimed)
		return ACCOUNT_NO_TIME_HERE;
	return flags & CALL_PARTIAL ? ACCOUNT_FIRMWARE_TIME : ACCOUNT_TIMED;
}
