// SPDX-License-Identifier: Apache-2.0
#include "trace/trace_units.h"

void trace_print_size(struct buf *b, uint64_t bytes)
{
	static const char units[] = { 'K', 'M', 'G', 'T' };
	double v = (double)bytes / 1024;
	size_t unit = 0;

	if (bytes < 10000) {
		buf_printf(b, "%llu bytes", (unsigned long long)bytes);
		return;
	}
	for (; v >= 10000 && unit < 3; unit++)
		v /= 1024;
	buf_printf(b, "%.2f", v);
	while (b->at[b->len - 1] == '0')
		b->len--;
	if (b->at[b->len - 1] == '.')
		b->len--;
	buf_printf(b, " %cB", units[unit]);
}

/* Thousandths with up to two decimals; nearly whole numbers as whole ones. */
static void print_thousandths(struct buf *b, uint64_t v, const char *unit)
{
	uint64_t whole = v / 1000, rest = v % 1000, hundredths = (rest + 5) / 10;

	buf_printf(b, "%llu", (unsigned long long)whole + (rest >= 995));
	if (rest > 5 && rest < 995) {
		if (hundredths % 10)
			buf_printf(b, ".%02llu", (unsigned long long)hundredths);
		else
			buf_printf(b, ".%llu", (unsigned long long)hundredths / 10);
	}
	buf_text(b, unit);
}

void trace_print_time(struct buf *b, int64_t ns)
{
	uint64_t v = ns < 0 ? -(uint64_t)ns : (uint64_t)ns, s = v / 1000000000;

	if (ns < 0)
		buf_char(b, '-');
	if (v < 1000) {
		buf_printf(b, "%llu ns", (unsigned long long)v);
	} else if (v < 1000000) {
		print_thousandths(b, v, " \xCE\xBCs");
	} else if (v < 1000000000) {
		print_thousandths(b, v / 1000, " ms");
	} else if (s < 60) {
		print_thousandths(b, v / 1000000, " s");
	} else if (s < 3600) {
		uint64_t rest = v / 1000000 % 1000;

		buf_printf(b, "%llu:%02llu", (unsigned long long)s / 60,
			   (unsigned long long)s % 60 + (rest >= 950));
		if (rest > 50 && rest < 950)
			buf_printf(b, ".%llu", (unsigned long long)(rest + 50) / 100);
	} else {
		if (s >= 86400)
			buf_printf(b, "%llud%02llu:", (unsigned long long)s / 86400,
				   (unsigned long long)s / 3600 % 24);
		else
			buf_printf(b, "%llu:", (unsigned long long)s / 3600);
		buf_printf(b, "%02llu:%02llu", (unsigned long long)s / 60 % 60,
			   (unsigned long long)s % 60);
	}
}
