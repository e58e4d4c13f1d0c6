// SPDX-License-Identifier: Apache-2.0
/*
 * A file of --analyses, then a line "%%", then a device log.  Lines of what was understood are understood again alike,
 * statistics are in order, and the log has as many markers whatever is looked for.
 */
#include <fcntl.h>
#include <stdint.h>

#include "base/arena.h"
#include "markers/analyses/device_export.h"
#include "markers/analyses/marker_log.h"
#include "markers/log/device_log.h"
#include "memory_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { ANALYSES_MAX = 64 };

static void must(bool truth)
{
	if (!truth)
		abort();
}

static void write_side(struct buf *b, const char *key, const struct analysis_side *s)
{
	if (!s->risc)
		return;
	buf_printf(b, "%s = %s", key, s->risc);
	for (int i = 0; i < ANALYSIS_ZONES_MAX && s->zones[i]; i++)
		buf_printf(b, " %s", s->zones[i]);
	buf_printf(b, "%s%s\n", s->phase ? " " : "", s->phase ? s->phase : "");
}

static void check_side(const struct analysis_side *a, const struct analysis_side *b)
{
	must(!a->risc == !b->risc && !a->phase == !b->phase);
	must(!a->risc || !strcmp(a->risc, b->risc));
	must(!a->phase || !strcmp(a->phase, b->phase));
	for (int i = 0; i < ANALYSIS_ZONES_MAX; i++) {
		must(!a->zones[i] == !b->zones[i]);
		must(!a->zones[i] || !strcmp(a->zones[i], b->zones[i]));
	}
}

/* What a file says is what it says when it is written out again. */
static void check_again(const analysis_vec *list)
{
	struct arena texts = { 0 };
	analysis_vec again = { 0 };
	struct buf b = { 0 };

	vec_each (a, list) {
		buf_printf(&b, "[%s]\nacross = %s\ntype = %s\n", a->name, across_name(a->across),
			   analysis_type_name(a->type));
		write_side(&b, "start", &a->start);
		write_side(&b, "end", &a->end);
	}
	must(!analyses_read(buf_view(&b), "again", &again, &texts, NULL) && again.len == list->len);
	for (size_t i = 0; i < list->len; i++) {
		const struct analysis *a = &list->at[i], *k = &again.at[i];

		must(!strcmp(a->name, k->name) && a->across == k->across && a->type == k->type);
		check_side(&a->start, &k->start);
		check_side(&a->end, &k->end);
	}
	vec_release(&again);
	arena_release(&texts);
	buf_release(&b);
}

static void analyse(struct device_log *log, const analysis_vec *list, bool detect, uint64_t *rows)
{
	static int fd = -1;
	struct buf text = { 0 };
	struct marker_log m;
	struct out nowhere;

	if (fd < 0)
		fd = open("/dev/null", O_WRONLY | O_CLOEXEC);
	out_init(&nowhere, fd, "nowhere");
	device_log_rewind(log);
	marker_log_read(&m, log, detect);
	must(*rows == UINT64_MAX || *rows == m.all.len);
	*rows = m.all.len;
	marker_log_analyse(&m, list->at, list->len);
	vec_each (d, &m.devices)
		for (uint32_t i = 0; i < list->len; i++) {
			struct entry_stats s;

			if (device_stats(d, i, &s))
				must(s.count && s.min <= s.max);
		}
	device_stats_print(&m, list->at, list->len, &text);
	device_export_json(&m, list->at, list->len, &text);
	device_export_chrome(&m, &nowhere);
	must(!out_finish(&nowhere, NULL));
	marker_log_release(&m);
	buf_release(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str text = str_n((const char *)data, size), rest;
	size_t cut = str_find(text, STR("%%\n"));
	struct arena texts = { 0 };
	analysis_vec list = { 0 };
	uint64_t rows = UINT64_MAX;
	struct memory_file file;
	struct device_log log;
	struct ttp_err e;

	if (size > 50000 || memchr(data, 0, size))
		return 0;
	rest = cut == STR_NONE ? str_n("", 0) : str_from(text, cut + 3);
	if (!analyses_read(str_head(text, cut), "analyses", &list, &texts, &e)) {
		if (!str_starts(str_trim(text), STR("{"))) /* JSON says more than lines can */
			check_again(&list);
		memory_file_open(&file, rest);
		if (list.len <= ANALYSES_MAX && !device_log_open(&log, file.path, NULL)) {
			analyse(&log, &list, true, &rows);
			analyse(&log, &list, false, &rows);
			device_log_close(&log);
		}
		memory_file_close(&file);
	} else {
		must(e.msg[0]);
	}
	vec_release(&list);
	arena_release(&texts);
	return 0;
}
