// SPDX-License-Identifier: Apache-2.0
/* What a user asked of `ttprof report`; options are read straight into it. */
#ifndef TTP_CMD_REPORT_ASK_H
#define TTP_CMD_REPORT_ASK_H

#include "report/report.h"

struct report_ask {
	const char *start, *end, *id_range, *filter, *columns, *sort, *chip, *csv;
	bool each, whole_file, apart, no_host_ops, no_findings, json, ascending;
	int group, order, colour;
	int64_t top, id;
	double min_percent;
};

/* From what the user wrote to what the report wants.  `regex` and `fields` are its storage. */
enum ttp_rc report_ask_translate(const struct report_ask *u, struct report_options *o,
				 regex_t *regex, enum field *fields, struct ttp_err *e) TTP_CHECKED;

#endif /* TTP_CMD_REPORT_ASK_H */
