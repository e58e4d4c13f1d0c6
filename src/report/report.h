// SPDX-License-Identifier: Apache-2.0
/*
 * `ttprof report`: from an ops table to a verdict, tables, CSV and JSON.
 *
 *	report_make()   calls, findings, and which of the calls are shown in which order
 *	report_text()   the screen                report_one()    one op in full (--id)
 *	report_groups() grouped table             report_json()   everything, for programs
 *	report_csv()    the shown calls
 */
#ifndef TTP_REPORT_REPORT_H
#define TTP_REPORT_REPORT_H

#include <regex.h>

#include "base/out.h"
#include "base/term.h"
#include "report/calls.h"
#include "report/findings.h"

enum field {
#define FIELD(id, key, head, unit, decimals, drop, says) FIELD_##id,
#include "report/fields.def"
#undef FIELD
	FIELDS
};

enum { FIELD_TEXT = -1, FIELD_WHOLE = -2 }; /* decimals of fields that are no reals */

struct field_info {
	const char *key, *head, *unit;
	int decimals;
	unsigned drop;
	const char *says;
};

extern const struct field_info field_info[FIELDS];
/* FIELDS when there is none of this key. */
enum field field_find(struct str key);

enum group_by { GROUP_NONE, GROUP_OP, GROUP_SHAPE, GROUP_CATEGORY, GROUP_MEMORY, GROUP_SIGNPOST };

struct report_options {
	struct call_options calls;
	uint32_t id_from, id_to; /* 0: no limit */
	double min_percent;      /* calls below are not shown */
	const regex_t *filter;   /* on op name and shape; NULL: all */
	bool no_host_ops;
	bool no_markers; /* of the profiler */
	enum field sort; /* FIELDS: by share of time */
	bool ascending;
	size_t top; /* 0: all */
	bool each;  /* a line per call, else like calls are folded into one */
	enum group_by group;
	const enum field *columns; /* NULL: the usual ones */
	size_t column_count;
	bool no_findings;
	const char *clock_note; /* what the device's times are, if not a card's own; NULL */
	bool width_given;       /* by COLUMNS: kept to in files, too */
	struct term term;
};

struct report {
	const struct report_options *o;
	const struct ops_table *table;
	struct calls calls;
	struct findings findings;
	double total_ns;          /* what 100 % is */
	const struct call *lines; /* of the table: the calls themselves, or `folded` */
	VEC(struct call) folded;
	VEC(uint32_t) shown;   /* numbers of lines, in the order of the table */
	uint64_t chosen;       /* calls that options leave, before `top` and min_percent */
	uint64_t chosen_lines; /* lines that they make */
	uint64_t hidden_small; /* of them below min_percent */
	double chosen_ns, chosen_gap_ns, shown_ns;
};

void report_make(struct report *r, const struct ops_table *t, const struct report_options *o);
void report_release(struct report *r);

/*
 * A field of a call.  False: nothing to say.  Words are appended to `text`; numbers are stored, in the
 * field's unit.
 */
bool report_field(const struct report *r, const struct call *call, enum field f, struct buf *text,
		  double *number);
/* Share of device time and gaps, in percent. */
double report_share(const struct report *r, const struct call *call);
/* The gap of one call as it counts for shares (call_own_gap()); of a folded line the mean of its calls. */
double report_gap(const struct call *call);

/* Ops of the part, without those of the profiler. */
static inline size_t report_ops(const struct report *r)
{
	return r->calls.all.len - r->calls.markers;
}

void report_text(const struct report *r, struct out *out);
/* Which part of the run it is, each piece after " · "; nothing for all of a run without signposts. */
void report_part_text(const struct report *r, struct buf *b);
/* False when there is no such op. */
bool report_one(const struct report *r, uint32_t id, struct out *out);
void report_groups(const struct report *r, struct out *out);
void report_groups_csv(const struct report *r, struct out *out);
/* `host`: a verdict of the host (ttprof.host/1), or empty */
void report_json(const struct report *r, struct str host, struct out *out);
/* The same object without its "ops", in one line. */
void report_json_head(const struct report *r, struct buf *to);
/* Appends the key by which JSON has a field: "time" is "time_us". */
void report_json_key(enum field field, struct buf *to);
void report_csv(const struct report *r, struct out *out);

#endif /* TTP_REPORT_REPORT_H */
