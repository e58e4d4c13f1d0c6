// SPDX-License-Identifier: Apache-2.0
/* Options of `ttprof run` as variables of the program, and what can't go together. */
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>
#include <unistd.h>

#include "record/run_engine.h"
#include "record/run_job.h"
#include "wire/run_names.h"

enum {
	ALL_GROUPS = 1 << 0 | 1 << 1 | 1 << 2 | 1 << 3 | 1 << 5,
	BLACKHOLE_GROUPS = 1 << 6 | 1 << 7 | 1 << 8 | 1 << 9
};

/* The groups of counters, and their bits in TT_METAL_PROFILE_PERF_COUNTERS. */
static const struct {
	const char *name;
	unsigned bits;
	bool shown; /* its name, not another's */
} counter_groups[] = {
	{ "fpu", 1 << 0, true },
	{ "pack", 1 << 1, true },
	{ "unpack", 1 << 2, true },
	{ "l1", 1 << 3, false },
	{ "l1_0", 1 << 3, true },
	{ "l1_1", 1 << 4, true },
	{ "instrn", 1 << 5, true },
	{ "l1_2", 1 << 6, true },
	{ "l1_3", 1 << 7, true },
	{ "l1_4", 1 << 8, true },
	{ "l1_5", 1 << 9, true },
	/* The other banks of L1 need runs of their own. */
	{ "all", ALL_GROUPS, false },
};

#define COUNTER_GROUPS "fpu, pack, unpack, l1 (= l1_0), l1_0 to l1_5, instrn, all"

static unsigned group_bits(struct str word)
{
	for (size_t i = 0; i < sizeof(counter_groups) / sizeof(*counter_groups); i++)
		if (word.len == strlen(counter_groups[i].name) &&
		    !strncasecmp(word.at, counter_groups[i].name, word.len))
			return counter_groups[i].bits;
	return 0;
}

void run_warn_counters(const struct run_request *q)
{
	struct str rest = str_of(q->counters ? q->counters : ""), word;

	while (q->counters && str_split(&rest, ',', &word))
		if (!group_bits(word))
			console_warn(
				q->console,
				"--profiler-capture-perf-counters: no group \"%.*s\", so it is not "
				"recorded; there are " COUNTER_GROUPS,
				(int)word.len, word.at);
}

void run_counter_names(unsigned bits, struct buf *to)
{
	const char *before = "";

	for (size_t i = 0; i < sizeof(counter_groups) / sizeof(*counter_groups); i++)
		if ((counter_groups[i].bits & bits) == counter_groups[i].bits &&
		    counter_groups[i].shown) {
			buf_printf(to, "%s%s", before, counter_groups[i].name);
			before = ", ";
		}
}

static enum ttp_rc counters_of(const struct run_request *q, unsigned *bits, struct ttp_err *e)
{
	struct str rest = str_of(q->counters), word;

	*bits = 0;
	while (str_split(&rest, ',', &word)) {
		unsigned found = group_bits(word);

		if (!found && q->skips_counters)
			continue; /* run_warn_counters() */
		if (!found)
			return ttp_fail(
				e, TTP_USAGE,
				"--profiler-capture-perf-counters: no group \"%.*s\"; there are " COUNTER_GROUPS,
				(int)word.len, word.at);
		*bits |= found;
	}
	return TTP_OK;
}

/* Variables that name the chip to the runtime. */
static const char *declared_chip(void)
{
	static const char *const variables[] = { "TT_METAL_DEVICE_ARCH", "TT_ARCH_NAME",
						 "ARCH_NAME" };
	const char *chip = NULL;

	for (size_t i = 0; i < sizeof(variables) / sizeof(*variables) && (!chip || !*chip); i++)
		chip = getenv(variables[i]); // NOLINT(concurrency-mt-unsafe)
	return chip && *chip ? chip : NULL;
}

enum ttp_rc run_counter_bits(const struct run_request *q, unsigned *bits, struct ttp_err *e)
{
	const char *chip = declared_chip();

	*bits = 0;
	if (q->counter_bits || !q->counters) {
		*bits = q->counter_bits;
		return TTP_OK;
	}
	TTP_TRY(counters_of(q, bits, e));
	/* with several runs, all is all that the chip has */
	if (q->multipass && (*bits & ALL_GROUPS) == ALL_GROUPS)
		*bits |= 1 << 4 |
			 (chip && !strcasecmp(chip, "blackhole") ? (unsigned)BLACKHOLE_GROUPS : 0);
	return TTP_OK;
}

static enum ttp_rc check_counters(const struct run_request *q, unsigned *bits, struct ttp_err *e)
{
	const char *chip = declared_chip();

	TTP_TRY(counters_of(q, bits, e));
	if ((*bits & BLACKHOLE_GROUPS) && chip && strcasecmp(chip, "blackhole") != 0)
		return ttp_fail(
			e, TTP_USAGE,
			"--profiler-capture-perf-counters: l1_2 to l1_5 are of Blackhole alone, and "
			"the chip is %s",
			chip);
	return TTP_OK;
}

enum { NAME_LEN_MAX = 150 };

enum ttp_rc run_check(const struct run_request *q, struct ttp_err *e)
{
	unsigned bits;

	if (q->lines && !q->partial)
		return ttp_fail(
			e, TTP_USAGE,
			"-l needs -p: every line of a whole program is more than can be recorded; "
			"enable a Profiler around the part that matters");
	if (q->report && q->accumulate)
		return ttp_fail(
			e, TTP_USAGE,
			"-r and --enable-accumulate-profiling: a report needs the single calls, "
			"which accumulating does not keep");
	if (q->mid_run && q->trace_profiler)
		return ttp_fail(
			e, TTP_USAGE,
			"--dump-device-data-mid-run and --device-trace-profiler: the trace profiler "
			"keeps its data on the device until the end");
	if (q->mid_run && q->dispatch)
		return ttp_fail(
			e, TTP_USAGE,
			"--dump-device-data-mid-run and --profile-dispatch-cores: dispatch cores "
			"can't be read while they run");
	if (q->name && (strchr(q->name, '/') || !*q->name || q->name[0] == '.' ||
			strlen(q->name) > NAME_LEN_MAX))
		return ttp_fail(
			e, TTP_USAGE,
			"-n: a name is part of a file's: no \"/\", no \".\" in front, at most %d bytes",
			NAME_LEN_MAX);
	if (q->logs_only && q->n_words)
		return ttp_fail(
			e, TTP_USAGE,
			"--process-logs-only makes a report of logs that are there, and runs "
			"nothing: leave \"%s\" out",
			q->words[0]);
	if (!q->logs_only && !q->n_words)
		return ttp_fail(e, TTP_USAGE,
				q->module ? "-m needs the name of a module"
					  : "a program to run is needed");
	if (q->every && q->record > q->every)
		return ttp_fail(e, TTP_USAGE,
				"--record %lld of every %lld steps: that is more than there are",
				(long long)q->record, (long long)q->every);
	if (q->step_signpost && !(q->warmup || q->record || q->every))
		return ttp_fail(
			e, TTP_USAGE,
			"--step-signpost says what a step is; --warmup, --record or --every which "
			"of them are recorded");
	if (q->duration != 0 && !(q->duration > 0 && q->duration <= 1e7))
		return ttp_fail(e, TTP_USAGE,
				"--duration: seconds, more than 0 and up to 10,000,000");
	if (q->duration == 0 && q->duration_asked)
		return ttp_fail(
			e, TTP_USAGE,
			"--duration 0 would record nothing: leave it out to record all, or --paused waits for SIGUSR2");
	if ((q->start_signpost && !*q->start_signpost) || (q->end_signpost && !*q->end_signpost) ||
	    (q->step_signpost && !*q->step_signpost))
		return ttp_fail(e, TTP_USAGE,
				"%s: the name of a signpost is wanted, or \"*\" for any",
				q->start_signpost && !*q->start_signpost ? "--start-signpost"
				: q->end_signpost && !*q->end_signpost   ? "--end-signpost"
									 : "--step-signpost");
	if (!q->report && !q->keeps_trace && (q->duration > 0 || q->two_runs))
		return ttp_fail(e, TTP_USAGE, "%s needs -r: without it nothing is recorded here",
				q->two_runs ? "--two-runs" : "--duration");
	if (q->two_runs && q->no_device)
		return ttp_fail(
			e, TTP_USAGE,
			"--two-runs and --no-device: the second run is there for the devices");
	if (q->multipass && (!q->counters || q->two_runs || !q->report || q->no_device))
		return ttp_fail(
			e, TTP_USAGE,
			"--perf-counter-multipass is for a report with --profiler-capture-perf-counters, "
			"and devices: not with --two-runs");
	return q->counters ? check_counters(q, &bits, e) : TTP_OK;
}

static void set(const char *name, const char *value)
{
	setenv(name, value, 1); // NOLINT(concurrency-mt-unsafe)
}

static void python_environment(const struct run_request *q)
{
	const char *before = getenv("PYTHONPATH");      // NOLINT(concurrency-mt-unsafe)
	const char *plugins = getenv("PYTEST_PLUGINS"); // NOLINT(concurrency-mt-unsafe)
	SCOPED(buf) struct buf path = { 0 }, all = { 0 };

	set("TTPROF_PYTHON", q->lines ? "lines" : q->partial ? "part" : "all");
	/* Who has it in his environment decided already. */
	if (q->no_children)
		set("TTPROF_CHILDREN", "0");
	else if (q->verbose)
		setenv("TTPROF_CHILDREN", "told", 0); // NOLINT(concurrency-mt-unsafe)
	if (run_package_folder(&path)) {
		buf_text(&all, path.at);
		if (before && *before)
			buf_printf(&all, ":%s", before);
		set("PYTHONPATH", all.at);
		if (!plugins || !strstr(plugins, "ttprof.pytest_plugin")) {
			buf_set(&all, "%s%sttprof.pytest_plugin", plugins ? plugins : "",
				plugins && *plugins ? "," : "");
			set("PYTEST_PLUGINS", all.at);
		}
	}
}

enum ttp_rc run_environment(const struct run_request *q, const char *folder, struct ttp_err *e)
{
	bool recorded = q->report || q->keeps_trace, devices = recorded && !q->no_device;
	const struct {
		bool on;
		const char *variable;
	} switches[] = {
		{ q->no_op_info_cache, "TT_METAL_PROFILER_NO_CACHE_OP_INFO" },
		{ q->dispatch, "TT_METAL_DEVICE_PROFILER_DISPATCH" },
		{ q->sum, "TT_METAL_PROFILER_SUM" },
		{ q->accumulate, "TT_METAL_PROFILER_ACCUMULATE" },
		{ q->mid_run, "TT_METAL_PROFILER_MID_RUN_DUMP" },
		{ q->no_files, "TT_METAL_PROFILER_DISABLE_DUMP_TO_FILES" },
		{ q->no_push, "TT_METAL_PROFILER_DISABLE_PUSH_TO_TRACY" },
		{ q->sync, "TT_METAL_PROFILER_SYNC" },
		{ q->trace_profiler, "TT_METAL_TRACE_PROFILER" },
		{ q->noc, "TT_METAL_DEVICE_PROFILER_NOC_EVENTS" },
		{ q->memory, "TT_METAL_MEM_PROFILER" },
		{ q->report, "TTNN_OP_PROFILER" },
		{ q->report && !q->no_device, "TT_METAL_PROFILER_TRACE_TRACKING" },
		{ devices, "TT_METAL_DEVICE_PROFILER" },
		{ !(q->no_runtime_analysis || q->sum || q->dispatch || q->counters) && devices,
		  "TT_METAL_PROFILER_CPP_POST_PROCESS" },
	};
	SCOPED(buf) struct buf text = { 0 };
	unsigned bits = 0;

	for (size_t i = 0; i < sizeof(switches) / sizeof(*switches); i++)
		if (switches[i].on)
			set(switches[i].variable, "1");
	if (recorded)
		run_manifest_id();
	if (q->no_device)
		unsetenv("TT_METAL_DEVICE_PROFILER"); // NOLINT(concurrency-mt-unsafe)
	if (q->counters) {
		enum ttp_rc rc = run_counter_bits(q, &bits, e);

		if (rc)
			return rc;
		buf_printf(&text, "%u", bits);
		if (bits)
			set("TT_METAL_PROFILE_PERF_COUNTERS", text.at);
	}
	if (q->op_support) {
		buf_set(&text, "%lld", (long long)q->op_support);
		set("TT_METAL_PROFILER_PROGRAM_SUPPORT_COUNT", text.at);
	}
	if (q->noc) {
		buf_set(&text, "%s/" RUN_LOGS_FOLDER, folder);
		set("TT_METAL_DEVICE_PROFILER_NOC_EVENTS_RPT_PATH", text.at);
	}
	/* Wherever the program changes to, its logs are where we look for them. */
	if (recorded || q->folder)
		set("TT_METAL_PROFILER_DIR", folder);
	python_environment(q);
	return TTP_OK;
}
