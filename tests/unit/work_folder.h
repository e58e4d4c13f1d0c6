// SPDX-License-Identifier: Apache-2.0
/* Files of a test in a folder of its own; included after cmocka.h.  `work` is that folder. */
#ifndef TTP_UNIT_WORK_FOLDER_H
#define TTP_UNIT_WORK_FOLDER_H

#include <stdio.h>
#include <stdlib.h>

static char work[256];

static const char *in_work(const char *name)
{
	static char path[8][512];
	static int turn;
	char *p = path[turn++ & 7];

	snprintf(p, sizeof(path[0]), "%s/%s", work, name);
	return p;
}

static void put(const char *name, const char *text)
{
	FILE *f = fopen(in_work(name), "w");

	assert_non_null(f);
	fputs(text, f);
	assert_int_equal(fclose(f), 0);
}

static void shell(const char *command)
{
	char line[1024];

	snprintf(line, sizeof(line), "cd '%s' && %s", work, command);
	assert_int_equal(system(line), 0);
}

#endif /* TTP_UNIT_WORK_FOLDER_H */
