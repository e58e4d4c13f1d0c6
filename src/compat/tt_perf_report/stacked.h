// SPDX-License-Identifier: Apache-2.0
/* The stacked report: ops grouped by name, memory or category. */
#ifndef TTP_COMPAT_TT_PERF_REPORT_STACKED_H
#define TTP_COMPAT_TT_PERF_REPORT_STACKED_H

#include "compat/tt_perf_report/steps_of_run.h"

/* In the order of the picture. */
#define COMPAT_CATEGORY_LIST(X) \
	X(COMPUTE, "Compute")   \
	X(CCL, "CCL")           \
	X(TM, "TM")             \
	X(DM, "DM")             \
	X(HOST, "Host")         \
	X(OTHER, "Other")

enum category {
#define X(id, name) CATEGORY_##id,
	COMPAT_CATEGORY_LIST(X)
#undef X
		CATEGORIES
};

extern const char *const compat_category_names[CATEGORIES];
/* The category of an OP Code whose first word is `word`. */
enum category compat_category(const struct compat_version *v, struct str text, struct str word);
enum colour compat_op_colour(struct str s);

/* A group of ops, and its line in the report. */
struct stack {
	struct str key;
	int64_t device;
	enum category category; /* of its first op */
	uint64_t count;
	double time_us, time_lost; /* Kahan's sum */
	double pct;
	/* FLOPs % of those that have it */
	uint64_t rated;
	double min, max, mean, mean_sum, mean_lost, welford_mean, welford_m2;
	double weighted, weight;   /* sums over all devices */
	double std, weighted_mean; /* these and the three above: NAN without */
	size_t first_of_key;       /* the group of the same key that holds the weighted sums */
};

struct stacked {
	VEC(struct stack) all; /* by time, longest first */
	struct arena keys;
	bool by_device;  /* --no-merge-devices */
	bool rates;      /* not by category: category and FLOPs columns */
	bool whole_time; /* all times are the integer 0 */
	double total_us;
};

/* Puts `order`, numbers of keys, so that the keys ascend; equal ones stand as NumPy leaves them.
 * Returns how many keys stood in the pieces that were split, which is most of the work. */
uint64_t numpy_argsort(const double *key, uint32_t *order, size_t n);

/* BASE.png; false with the reason on stderr. */
bool compat_write_png(struct compat_run *r, const struct stacked *s, const char *path);

#endif /* TTP_COMPAT_TT_PERF_REPORT_STACKED_H */
