// SPDX-License-Identifier: Apache-2.0
/*
 * manifest.json beside an ops report, as tt-metal's wrapper writes it: the id of the run, by which a viewer finds the
 * memory report of the same run, and the names of the files.  The id is the program's, too: TT_METAL_RUN_ID.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include "base/json.h"
#include "base/out.h"
#include "record/run_job.h"
#include "wire/run_names.h"

static const char variable[] = "TT_METAL_RUN_ID";

static struct str run_id(void)
{
	struct str s = str_of(getenv(variable)); // NOLINT(concurrency-mt-unsafe)

	while (s.len && (s.at[0] == ' ' || s.at[0] == '\t'))
		s = str_from(s, 1);
	while (s.len && (s.at[s.len - 1] == ' ' || s.at[s.len - 1] == '\t'))
		s.len--;
	return s;
}

/* A random UUID (version 4), unless whoever started us gave one. */
void run_manifest_id(void)
{
	unsigned char b[16];
	char text[40];

	if (run_id().len || getrandom(b, sizeof(b), 0) != (ssize_t)sizeof(b))
		return;
	b[6] = (unsigned char)((b[6] & 0x0F) | 0x40);
	b[8] = (unsigned char)((b[8] & 0x3F) | 0x80);
	(void)snprintf(text, sizeof(text),
		       "%02x%02x%02x%02x-%02x%02x-%02x%02x-%02x%02x-%02x%02x%02x%02x%02x%02x", b[0],
		       b[1], b[2], b[3], b[4], b[5], b[6], b[7], b[8], b[9], b[10], b[11], b[12],
		       b[13], b[14], b[15]);
	setenv(variable, text, 1); // NOLINT(concurrency-mt-unsafe)
}

static void put_time(struct json_writer *w)
{
	SCOPED(buf) struct buf text = { 0 };
	struct timespec now;
	struct tm tm;
	char date[32];

	(void)clock_gettime(CLOCK_REALTIME, &now);
	gmtime_r(&now.tv_sec, &tm);
	(void)strftime(date, sizeof(date), "%Y-%m-%dT%H:%M:%S", &tm);
	buf_printf(&text, "%s.%06ld+00:00", date, now.tv_nsec / 1000);
	json_put_text(w, "created_at", buf_view(&text));
}

static void put_file(struct json_writer *w, const char *dir, const char *key, const char *name)
{
	SCOPED(buf) struct buf path = { 0 };

	buf_printf(&path, "%s/%s", dir, name);
	if (!access(path.at, F_OK))
		json_put_text(w, key, str_of(name));
}

void run_manifest_write(const struct console *console, const char *dir, const char *report)
{
	const char *slash = strrchr(report, '/');
	struct json_writer w = { .pretty = true };
	SCOPED(buf) struct buf text = { 0 }, path = { 0 };
	struct out_file file;
	struct ttp_err e;
	enum ttp_rc rc;

	if (!run_id().len)
		return;
	w.to = &text;
	json_open_object(&w);
	json_put_text(&w, "run_id", run_id());
	json_put_text(&w, "artifact", STR("performance"));
	json_put_text(&w, "report_dir", STR("."));
	put_time(&w);
	json_put_text(&w, "ops_csv", str_of(slash ? slash + 1 : report));
	put_file(&w, dir, "tracy_file", RUN_TRACE);
	put_file(&w, dir, "device_log", RUN_DEVICE_LOG);
	json_close_object(&w);
	buf_char(&text, '\n');
	buf_printf(&path, "%s/" RUN_MANIFEST, dir);
	rc = out_file_open_here(&file, path.at, &e);
	if (!rc) {
		out_buf(&file.out, &text);
		rc = out_file_commit(&file, &e);
	}
	if (rc)
		console_warn(console, "%s", e.msg);
}
