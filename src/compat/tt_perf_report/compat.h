// SPDX-License-Identifier: Apache-2.0
/*
 * tt-perf-report, to the byte: what it prints, writes and exits with, from the same command line.  Its
 * releases differ by the rules in version.c.  The exceptions are in docs/reference/compat.md.  This code is frozen: a number that is wrong here stays
 * wrong here; `ttprof report` is where things are better.
 *
 * The way of the data: args → load (files, format, order, signposts) → merge (devices) → analyse
 * (a struct op per row) → table, advice, csv_out, stacked.
 */
#ifndef TTP_COMPAT_TT_PERF_REPORT_COMPAT_H
#define TTP_COMPAT_TT_PERF_REPORT_COMPAT_H

#include "base/out.h"
#include "base/str.h"
#include "compat/tt_perf_report/version.h"

/* argv[0] is the name of the tool.  Output goes to `out`, what stderr should get to `errors`.
 * Returns the exit status. */
int compat_report(const struct compat_version *v, int argc, char **argv, bool is_tty,
		  struct out *out, struct buf *errors);

#endif /* TTP_COMPAT_TT_PERF_REPORT_COMPAT_H */
