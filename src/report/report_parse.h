// SPDX-License-Identifier: Apache-2.0
/* What a user asks of a report, from text; messages name the options of `ttprof report`. */
#ifndef TTP_REPORT_REPORT_PARSE_H
#define TTP_REPORT_REPORT_PARSE_H

#include "report/report.h"

/* "5-10", "31-", "-12"; commas between thousands are fine. */
enum ttp_rc report_parse_id_range(const char *text, struct report_options *o,
				  struct ttp_err *e) TTP_CHECKED;
/* Names with commas between; `fields` has room for all, and is `o`'s from then on. */
enum ttp_rc report_parse_columns(const char *text, enum field *fields, struct report_options *o,
				 struct ttp_err *e) TTP_CHECKED;
enum ttp_rc report_parse_sort(const char *text, struct report_options *o,
			      struct ttp_err *e) TTP_CHECKED;
enum ttp_rc report_parse_chip(const char *name, struct report_options *o,
			      struct ttp_err *e) TTP_CHECKED;
/* An extended regular expression of modest size, for names of ops; the caller's to free. */
enum ttp_rc report_parse_regex(const char *text, regex_t *regex, struct ttp_err *e) TTP_CHECKED;
/* `regex` is `o`'s from then on, and the caller's to free if o->filter is set. */
enum ttp_rc report_parse_filter(const char *text, regex_t *regex, struct report_options *o,
				struct ttp_err *e) TTP_CHECKED;

bool report_has_op(const struct report *r, uint32_t id);
/* Fails with why there is none, and where it might be. */
enum ttp_rc report_no_such_op(const struct report *r, uint32_t id, struct ttp_err *e) TTP_CHECKED;

#endif /* TTP_REPORT_REPORT_PARSE_H */
