// SPDX-License-Identifier: Apache-2.0
#include "report/listing.h"

#include "base/number.h"

static const enum field usual[] = {
	FIELD_ID,           FIELD_OP,    FIELD_DEVICE,       FIELD_CALLS, FIELD_TOTAL, FIELD_BOUND,
	FIELD_ROOF,         FIELD_TIME,  FIELD_MEAN,         FIELD_GAP,   FIELD_CORES, FIELD_DRAM,
	FIELD_DRAM_PERCENT, FIELD_FLOPS, FIELD_FLOP_PERCENT, FIELD_TYPES,
};

/* Columns that say nothing in this table. */
static bool is_idle(const struct report *r, enum field f)
{
	if (f == FIELD_DEVICE)
		return !r->o->calls.keep_devices_apart || r->calls.devices < 2;
	if (f == FIELD_CALLS || f == FIELD_MEAN)
		return r->lines == r->calls.all.at || r->chosen_lines == r->chosen;
	return false;
}

static enum colour field_colour(const struct report *r, const struct call *call, enum field f)
{
	const char *bound = call_bound(&r->calls, call);

	switch (f) {
	case FIELD_BOUND:
	case FIELD_ROOF:
		if (call->flags & CALL_HOST)
			return COLOUR_RED;
		if (!*bound || !strcmp(bound, "?"))
			return COLOUR_NONE;
		return strcmp(bound, "SLOW") ? COLOUR_GREEN : COLOUR_YELLOW;
	case FIELD_GAP:
		if (call_builds(call) || call_gap_is_aside(call))
			return COLOUR_GREY;
		return call->gap_ns > LONG_GAP_NS ? COLOUR_RED : COLOUR_NONE;
	case FIELD_CORES: {
		double cores = call_kind(&r->calls, call)->roof.cores;

		if (cores * 4 < r->calls.on.workers)
			return COLOUR_RED;
		return cores >= r->calls.on.workers ? COLOUR_GREEN : COLOUR_NONE;
	}
	case FIELD_OP:
		return call->flags & CALL_HOST ? COLOUR_RED : COLOUR_NONE;
	default:
		return COLOUR_NONE;
	}
}

static void list_cell(void *ctx, size_t row, size_t column, struct buf *b, enum colour *colour)
{
	const struct listing *l = ctx;
	const struct report *r = l->r;
	const struct call *call = &r->lines[r->shown.at[row]];
	enum field f = l->fields[column];
	int decimals = field_info[f].decimals;
	double v = 0;

	*colour = field_colour(r, call, f);
	if (!report_field(r, call, f, b, &v)) {
		if (f == FIELD_TIME)
			buf_text(b, call->flags & CALL_CAPTURED ? "-" : "?"); /* lost, not zero */
		return;
	}
	if (decimals != FIELD_TEXT)
		number_fixed(b, v, decimals == FIELD_WHOLE ? 0 : decimals, 0);
	if (f == FIELD_GAP && call_builds(call))
		buf_char(b, 'b');
	else if (f == FIELD_GAP && call_gap_is_aside(call))
		buf_char(b, 'x');
}

static struct table_column column_of(const struct report *r, enum field f)
{
	const struct field_info *info = &field_info[f];

	return (struct table_column){
		.head = info->head,
		.unit = *info->unit ? (strcmp(info->unit, "us") ? info->unit : "µs") : NULL,
		.align = info->decimals == FIELD_TEXT ? WIDTH_LEFT : WIDTH_RIGHT,
		.min = f == FIELD_OP ? 16 : 0,
		/* what was asked for stays */
		.drop = r->o->columns || f == r->o->sort ? 0 : info->drop,
		.flexible = info->decimals == FIELD_TEXT && f != FIELD_BOUND,
		.firm = f == FIELD_CALLS || f == FIELD_TOTAL || f == FIELD_CORES || f == FIELD_ROOF,
		.is_name = f == FIELD_OP,
		.enough = f == FIELD_OP ? TABLE_NAME : 0,
		.known_by = 24,
	};
}

static size_t list_columns(const struct report *r, enum field *fields, struct table_column *columns)
{
	const enum field *from = r->o->columns ? r->o->columns : usual;
	size_t count = r->o->columns ? r->o->column_count : sizeof(usual) / sizeof(usual[0]), n = 0;
	bool sort_shown = r->o->columns || r->o->sort == FIELDS;

	for (size_t i = 0; i < count; i++) {
		if (!r->o->columns && is_idle(r, from[i]))
			continue;
		fields[n] = from[i];
		columns[n++] = column_of(r, from[i]);
		sort_shown |= from[i] == r->o->sort;
	}
	if (!sort_shown) { /* by what the lines are ordered is to be seen */
		fields[n] = r->o->sort;
		columns[n++] = column_of(r, r->o->sort);
	}
	return n;
}

void listing_make(struct listing *l, const struct report *r)
{
	*l = (struct listing){ .r = r };
	l->table = (struct table){
		.columns = l->columns,
		.n = list_columns(r, l->fields, l->columns),
		.rows = r->shown.len,
		.cell = list_cell,
		.ctx = l,
		/* columns that were named one by one for a file or a pipe are all given */
		.width = r->o->columns && !r->o->term.is_tty && !r->o->width_given
				 ? 0
				 : (size_t)r->o->term.width,
		.colour = r->o->term.colour,
		.utf8 = r->o->term.utf8,
		.rule = true,
	};
}

uint32_t listing_id(const struct listing *l, size_t row)
{
	return l->r->lines[l->r->shown.at[row]].id;
}

void listing_release(struct listing *l)
{
	table_release(&l->table);
}
