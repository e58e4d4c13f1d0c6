// SPDX-License-Identifier: Apache-2.0
#include "host/api/device_settings.h"

#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "host/api/variables.h"
#include "wire/run_names.h"

enum { TIMEOUT_CYCLES = 1000000000, PROGRAMS_MAX = 1000000 };

static enum ttp_rc copy(char *to, size_t size, const char *variable, const char *from,
			const char *behind, struct ttp_err *e)
{
	int n = snprintf(to, size, "%s%s", from, behind);

	return n >= 0 && (size_t)n < size
		       ? TTP_OK
		       : ttp_fail(e, TTP_LIMIT, "%s: longer than %zu bytes", variable, size - 1);
}

/* A variable that is a path, if it is given. */
static enum ttp_rc path(char *to, size_t size, const char *variable, struct ttp_err *e)
{
	const char *v = variable_text(variable);

	return v ? copy(to, size, variable, v, "", e) : TTP_OK;
}

static enum ttp_rc number(const char *variable, uint64_t most, uint64_t *to, struct ttp_err *e)
{
	const char *v = variable_text(variable);

	if (v && (!number_u64(str_of(v), to) || !*to || *to > most))
		return ttp_fail(e, TTP_USAGE, "%s=%.40s: a number from 1 to %llu is wanted",
				variable, v, (unsigned long long)most);
	return TTP_OK;
}

static enum ttp_rc read_folders(struct host_settings *s, struct ttp_err *e)
{
	const char *dir = variable_text("TT_METAL_PROFILER_DIR"),
		   *home = variable_text("TT_METAL_HOME");
	enum ttp_rc rc;

	if (dir)
		rc = copy(s->folder, sizeof(s->folder), "TT_METAL_PROFILER_DIR", dir,
			  "/" RUN_LOGS_FOLDER, e);
	else if (home)
		rc = copy(s->folder, sizeof(s->folder), "TT_METAL_HOME", home,
			  "/" RUN_DEFAULT_FOLDER "/" RUN_LOGS_FOLDER, e);
	else
		rc = copy(s->folder, sizeof(s->folder), "", RUN_DEFAULT_FOLDER "/" RUN_LOGS_FOLDER,
			  "", e);
	memcpy(s->noc_folder, s->folder, sizeof(s->folder));
	return rc ? rc
		  : path(s->noc_folder, sizeof(s->noc_folder),
			 "TT_METAL_DEVICE_PROFILER_NOC_EVENTS_RPT_PATH", e);
}

static enum ttp_rc read_delays(struct host_settings *s, struct ttp_err *e)
{
	static const char *const prefix[DELAYED_KINDS] = {
		"TT_METAL_READ_DEBUG_DELAY",
		"TT_METAL_WRITE_DEBUG_DELAY",
		"TT_METAL_ATOMIC_DEBUG_DELAY",
	};
	const char *text = variable_text("TT_METAL_WATCHER_DEBUG_DELAY");
	enum ttp_rc rc = delay_read("TT_METAL_WATCHER_DEBUG_DELAY", text ? text : "",
				    &s->delay_cycles, &s->delay_ms, e);

	for (int i = 0; !rc && i < DELAYED_KINDS; i++)
		rc = choice_read(&s->delay[i], prefix[i], NULL, e);
	s->delay_outline = variable_on("TT_METAL_WATCHER_NOINLINE");
	return rc;
}

static void read_switches(struct host_settings *s)
{
	s->profiler = variable_on("TT_METAL_DEVICE_PROFILER") ||
		      variable_on("TT_METAL_DEVICE_PROFILER_NOC_EVENTS") || s->counters;
#define X(name, variable, of_profiler) \
	s->name = (!(of_profiler) || s->profiler) && variable_on("TT_METAL_" #variable);
	HOST_SWITCHES(X)
#undef X
	s->auto_read = variable_on("TTP_AUTO_READ") && !s->accumulate;
	if (s->accumulate)
		s->sum = s->perf_report = false; /* nothing says which program they are of */
}

enum ttp_rc settings_read(struct host_settings *s, struct ttp_err *e)
{
	const char *log = variable_text("TTP_DEVICE_LOG");
	const char *counters = variable_text("TT_METAL_PROFILE_PERF_COUNTERS");
	uint64_t programs = 0, timeout = TIMEOUT_CYCLES;
	enum ttp_rc rc;

	memset(s, 0, sizeof(*s));
	TTP_TRY(variables_check(e));
	TTP_TRY(counters_read("TT_METAL_PROFILE_PERF_COUNTERS", counters ? counters : "",
			      &s->counters, e));
	read_switches(s);
	s->log_columns = !log || !strcmp(log, "15") ? 15
			 : !strcmp(log, "12")       ? 12
			 : !strcmp(log, "6")        ? 6
						    : 0;
	if (!s->log_columns)
		return ttp_fail(e, TTP_USAGE, "TTP_DEVICE_LOG=%.40s: 6, 12 or 15 is wanted", log);
	rc = number("TT_METAL_PROFILER_PROGRAM_SUPPORT_COUNT", PROGRAMS_MAX, &programs, e);
	rc = rc ? rc : number("TTP_DEVICE_TIMEOUT", UINT64_MAX, &timeout, e);
	rc = rc ? rc : read_folders(s, e);
	rc = rc ? rc : read_delays(s, e);
	rc = rc ? rc : choice_read(&s->record, "TTP_PROFILER", "all", e);
	rc = rc ? rc : choice_read(&s->print, "TT_METAL_DPRINT", NULL, e);
	rc = rc ? rc : path(s->print_file, sizeof(s->print_file), "TT_METAL_DPRINT_FILE", e);
	rc = rc ? rc : path(s->hash_file, sizeof(s->hash_file), "TTP_DEVICE_HASH", e);
	s->programs = (uint32_t)programs;
	s->timeout_cycles = timeout;
	return rc;
}
