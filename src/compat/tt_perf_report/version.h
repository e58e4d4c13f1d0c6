// SPDX-License-Identifier: Apache-2.0
/*
 * What the releases of tt-perf-report do differently.  A release is a line of data; the engine is one,
 * and asks these rules.
 */
#ifndef TTP_COMPAT_TT_PERF_REPORT_VERSION_H
#define TTP_COMPAT_TT_PERF_REPORT_VERSION_H

#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"

enum fidelity { FIDELITY_HIFI4, FIDELITY_HIFI3, FIDELITY_HIFI2, FIDELITY_LOFI, FIDELITY_UNKNOWN };

/* Releases that are known, oldest first. */
enum release { RELEASE_1_2_4, RELEASE_1_3, RELEASES };

/* Peaks of an architecture, as the original has them. */
struct arch {
	const char *name;
	int cores, sharded_cores; /* of the grid; of a DRAM-sharded matmul */
	double dram_gbps;
	double tflops[FIDELITY_UNKNOWN]; /* per core; 0: the release does not know this fidelity */
};

struct arch_alias {
	const char *alias, *name;
};

struct compat_version {
	enum release release;
	const char *name;
	const struct arch *archs; /* until one without a name; the first is the default */
	const struct arch_alias *aliases;

	bool arch_asked;     /* --arch counts, also where the file names another */
	bool own_budget;     /* each op has its cores: AVAILABLE WORKER CORE COUNT of its row */
	bool careful;        /* a cell that makes no sense is none; the older one dies of it */
	bool drops_controls; /* control characters are dropped from texts */
	bool marks_formulas; /* ' before a cell that a spreadsheet would calculate */
	bool sparse;         /* sparse matmuls are counted by what is not zero; --active-experts */
	bool whole_roofline; /* DRAM of the whole report, in the last row and beside --csv */
	bool tags_ops;       /* Op Category and Bound Analysis of each op */
	bool host_anywhere;  /* "(torch)" anywhere in a name makes it a host op's */
	bool says_tracing;   /* that rows are not sorted because of --tracing-mode */
	const char *gap_hint;
	const char *bfp4_too_high; /* BFP4 output computed with HiFi4 */
};

/* The version of this name; of NULL or "", the newest.  NULL when there is none. */
const struct compat_version *compat_version_named(const char *name);
/* "1.2.4, 1.3" */
void compat_version_list(struct buf *b);

const struct arch *compat_arch_named(const struct compat_version *v, struct str name);

#endif /* TTP_COMPAT_TT_PERF_REPORT_VERSION_H */
