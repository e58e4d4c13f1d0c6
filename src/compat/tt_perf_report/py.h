// SPDX-License-Identifier: Apache-2.0
/*
 * Python's rules of text and numbers, as far as the output of tt-perf-report shows them.
 */
#ifndef TTP_COMPAT_TT_PERF_REPORT_PY_H
#define TTP_COMPAT_TT_PERF_REPORT_PY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

/* str.strip() */
struct str py_strip(struct str s);
/* str.split(None, 1): the first word; `rest` is what follows the blanks behind it, else empty. */
struct str py_word(struct str s, struct str *rest);
/* len(str): code points. */
size_t py_len(struct str s);

/* float(str); false where Python raises ValueError. */
bool py_float(struct str s, double *out);
/* int(str).  Beyond 64 bits the value stops at the limit, `digits` (may be NULL) has them all. */
bool py_int(struct str s, int64_t *out, struct buf *digits);

/*
 * sum(): integers add up exactly until the first float, then floats are added with Neumaier's
 * compensation and later integers without (CPython 3.12 and newer).
 */
struct py_sum {
	double high, low;
	int64_t whole;
	bool real;
};

void py_sum_add(struct py_sum *s, double v);
void py_sum_add_int(struct py_sum *s, int64_t v);
double py_sum_value(const struct py_sum *s);

#endif /* TTP_COMPAT_TT_PERF_REPORT_PY_H */
