// SPDX-License-Identifier: Apache-2.0
/* What the files of libttprof share. */
#ifndef TTP_LIBRARY_LIBRARY_H
#define TTP_LIBRARY_LIBRARY_H

#include <ttp/report.h>
#include <ttp/run.h>
#include <ttp/trace.h>

#include "base/arena.h"
#include "ops/table/ops_arrays.h"
#include "runs/run.h"
#include "runs/zone_sums.h"

typedef VEC(const char *) text_vec;

struct ttprof_run {
	struct run run;
	struct arena texts; /* of names and notes */
	bool arrays_asked;
	struct ops_arrays columns;
	struct intern strings; /* of columns */
	text_vec names;        /* of columns */
	text_vec notes;
	text_vec risc_names, zone_names; /* of the device log */
	bool cores_asked;
	VEC(struct ttprof_core) cores;
	bool zone_sums_asked;
	struct zone_sums sums; /* whose texts these have: */
	VEC(struct ttprof_zone_sum) zone_sums;
	bool account_asked;
	struct ttprof_report *report; /* whose account is the run's */
};

void library_error(struct ttprof_error *to, const struct ttp_err *from);
/* The ops, with all that a report and a timeline need; NULL without. */
const struct ops_table *library_ops(struct ttprof_run *run, struct ttp_err *e);
/* A log that is cut, or has rows that can't be read, is one of the notes. */
void library_note_damage(struct ttprof_run *run, const struct device_log *log);
struct account *library_report_account(struct ttprof_report *report);

#endif /* TTP_LIBRARY_LIBRARY_H */
