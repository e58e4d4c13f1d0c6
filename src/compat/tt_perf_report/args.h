// SPDX-License-Identifier: Apache-2.0
/*
 * The command line of tt-perf-report, by the conventions of Python's argparse (3.13): prefixes of
 * options, what may be a value, where positional arguments may stand, and the words of its errors.
 */
#ifndef TTP_COMPAT_TT_PERF_REPORT_ARGS_H
#define TTP_COMPAT_TT_PERF_REPORT_ARGS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"
#include "base/vec.h"
#include "compat/tt_perf_report/version.h"

enum compat_group { GROUP_OP, GROUP_MEMORY, GROUP_CATEGORY };

/* START-END; an end that is open has no text. */
struct id_bound {
	bool given;
	int64_t id;
	struct buf text; /* as Python prints the number */
};

struct compat_args {
	VEC(const char *) paths;
	const char *start_signpost, *end_signpost, *id_range, *arch, *csv, *summary_file,
		*stacked_csv;
	double min_percentage;
	int64_t active_experts;
	bool active_experts_given;
	bool ignore_signposts, print_signposts, color, no_color, no_advice, tracing_mode,
		raw_op_codes, no_host_ops, no_summary, classic_colors, no_stacked_report,
		no_stack_by_in0, no_merge_devices;
	enum compat_group group_by;
	struct id_bound first_id, last_id; /* of id_range */
	bool id_range_bad;
};

enum args_wish { ARGS_RUN, ARGS_HELP, ARGS_WRONG };

void compat_usage(const struct compat_version *v, struct buf *b);
void compat_help(const struct compat_version *v, struct buf *b);

/* ARGS_HELP: `text` is for stdout.  ARGS_WRONG: `text` is for stderr, exit status 2. */
enum args_wish compat_args_parse(struct compat_args *a, const struct compat_version *v, int argc,
				 char **argv, struct buf *text);
void compat_args_release(struct compat_args *a);

#endif /* TTP_COMPAT_TT_PERF_REPORT_ARGS_H */
