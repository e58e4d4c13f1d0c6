// SPDX-License-Identifier: Apache-2.0
/* Frozen: the files that process_device_log.py makes, of today and of 2023 (tt-metal d6ef7b5c340), and what they share. */
#ifndef TTP_COMPAT_PROCESS_DEVICE_LOG_DEVICE_FILES_H
#define TTP_COMPAT_PROCESS_DEVICE_LOG_DEVICE_FILES_H

#include "base/json.h"
#include "compat/process_device_log/device_stats_2023.h"
#include "markers/analyses/device_tool.h"

/* device_analysis_data.json: every marker in every series it is in, as the text of a Python tuple.  Fifteen times the log; for those who read it. */
device_write_fn device_json_write;
/* The same, and device_chrome_tracing.json, of logs of six columns. */
device_write_fn device_json_2023_write, device_chrome_2023_write;

/* What tracy.process_device_log of our Python package makes its dictionaries of: every marker once, series as numbers of markers. */
device_write_fn device_data_write;
/* The setups themselves, for tracy.device_post_proc_config, and the columns of an ops report. */
void device_setups_write(struct out *to);

/* ---- parts of both forms of JSON ---- */

/* The value of one in "timerAnalysis". */
void json_write_analysis(struct json_writer *w, const struct analysis *a);
/* displayStats, outputFolder, riscTypes and riscs, which all setups have. */
void json_put_setup_lists(struct json_writer *w, const char *output_folder);

struct core_name {
	char text[32];
};
struct core_name core_name(const struct core_log *c);
/* Numbers of cores by their names, and of devices by their ids; for the caller to free. */
uint32_t *cores_by_name(const struct device_markers *d);
uint32_t *devices_by_id(const struct marker_log *m);

struct named_risc {
	struct str name;
	const struct risc_log *log; /* NULL: all of them, called TENSIX */
};
typedef VEC(struct named_risc) risc_names;
/* RISCs of a core or a device by name; for the caller to release. */
risc_names riscs_by_name(const struct marker_log *m, const struct core_log *c);

void json_put_texts(struct json_writer *w, const char *key, const char *const *texts, size_t n);
/* Sums up as "stats"; those of a whole device have no first. */
void json_put_stats(struct json_writer *w, const struct entry_stats *s, bool first, bool sum);
/* Writes what waits, if it is much. */
void json_flush(struct json_writer *w, struct out *to);

/* ---- marks of 2023 in the order of time, with T0 in front of those of every RISC ---- */

/* The earliest mark of a device and of those before it: the first that has that time. */
struct t0_2023 {
	uint64_t cycles;
	const struct core_log *core;
	uint16_t risc;
};
/* Moves it on to this device. */
void t0_2023_find(const struct marker_log *m, const struct device_markers *d, struct t0_2023 *t0);

struct mark_2023 {
	uint64_t cycles;
	uint32_t order; /* of cores, RISCs and marks in the log */
	uint32_t id;    /* 0: T0, which belongs to the core that set it */
	const struct core_log *core;
	uint16_t risc;
};

typedef VEC(struct mark_2023) marks_2023;

/* Of `n` cores, of one RISC or (NULL) of all. */
void marks_2023_take(const struct marker_log *m, const struct core_log *cores, size_t n,
		     const struct risc_log *risc, const struct t0_2023 *t0, marks_2023 *out);

/* ---- times that were looked for in 2023 ---- */

enum time_kind_2023 { ADJACENT, PER_LAUNCH, SESSION };

struct time_2023 {
	const char *name;
	enum time_kind_2023 kind;
	int start_risc, end_risc; /* -1: any */
	uint32_t start, end;      /* marks; 0 is T0 */
	bool device;
};

/* Those of a setup: its own, then the eleven that all have. */
enum { TIMES_2023_MOST = 15 };
struct times_2023 {
	const struct time_2023 *at[TIMES_2023_MOST];
	size_t len;
};
void times_2023_of(const char *setup, struct times_2023 *out);

/* Of one series; false without any. */
bool times_2023_find(const struct marker_log *m, const marker_series *s, const struct time_2023 *t,
		     uint64_t t0, struct entry_stats *out);
/* Of all series of a device that a time is looked for in; by core in `cores`, where it is not NULL and all zeros. */
bool times_2023_sum(const struct marker_log *m, const struct device_markers *d,
		    const struct time_2023 *t, uint64_t t0, struct entry_stats *cores,
		    struct entry_stats *out);

#endif /* TTP_COMPAT_PROCESS_DEVICE_LOG_DEVICE_FILES_H */
