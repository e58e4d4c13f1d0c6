// SPDX-License-Identifier: Apache-2.0
#include "host/settings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"

#define LOG_AREA "device"
#include "base/log.h"

enum { TIMEOUT_CYCLES = 1000000000, PROGRAMS_MAX = 1000000 };

const struct settings_variable settings_variables[] = {
	{ "TTP_DEVICE", "which device: sim, or ttsim:/path/libttsim_wh.so" },
	{ "TTP_DEVICE_LOG", "columns of the device log: 6, 12 or 15" },
	{ "TTP_DEVICE_TIMEOUT", "cycles after which waiting for a program gives up" },
	{ "TTP_DEVICE_HASH", "a file that gets hashes of memory and markers at close" },
	{ "TTP_SIM_HARVEST", "rows of the embedded chip that are switched off" },
	{ "TTP_SIM_THREADS", "threads of the embedded chip" },
	{ "TTP_SIM_PARK", "0: polling loops are interpreted to the last round" },
	{ "TTP_SIM_IDLE", "0: the chip's clock stands still while only the host works" },
	{ "TTP_SIM_WINDOW", "cycles between exchanges of the tiles" },
	{ "TTP_SIM_CLOCK", "what the chip's clock says at the start" },
	{ "TTP_RISCV_CC", "the compiler for kernels" },
	{ "TTP_CACHE", "the folder that compiled kernels are kept in" },
	{ "TTP_TTSIM", "the libttsim that the tests compare with" },
	{ "TTP_CLOCK", "scripted: host time is a function of calls, for tests" },
	{ "TTP_LOG", "which lines are logged: debug, device:info, ..." },
	{ "TTP_FILE", "libttp writes a spool there" },
	{ "TTP_BUFFER", "bytes that libttp keeps until somebody reads" },
	{ "TTP_FULL", "what libttp does when they are used up: drop, block" },
	{ "TTP_LISTEN", "the address that libttp listens at" },
	{ "TTP_LISTEN_FD", "a socket that is listening already" },
	{ "TTP_SESSION", "a socket that libttp announces itself at" },
	{ "TTP_PROTOCOL", "the only protocol that libttp speaks" },
	{ "TTP_ON_DEMAND", "libttp records only while a server is there" },
	{ "TTP_EXIT_WAIT", "how long libttp waits at exit, in ms" },
	{ "TTP_OFF", "libttp does nothing" },
	{ "TRACY_PORT", "the port that libttp listens at" },
	{ "TRACY_NO_EXIT", "libttp waits for a server at exit" },
	{ "TRACY_NO_BROADCAST", "libttp does not announce itself in the network" },
	{ "TRACY_ONLY_LOCALHOST", "libttp listens at the loopback only" },
	{ "TTNN_OP_PROFILER", NULL },
	{ "TT_METAL_HOME", "logs are in $TT_METAL_HOME/generated/profiler/.logs" },
	{ "TT_METAL_PROFILER_DIR", "logs are in $TT_METAL_PROFILER_DIR/.logs" },
	{ "TT_METAL_DEVICE_PROFILER", "1: kernels and firmware record what they do" },
	{ "TT_METAL_PROFILER_PROGRAM_SUPPORT_COUNT", "programs that fit between two reads" },
	{ "TT_METAL_PROFILER_SUM", "1: sum zones" },
	{ "TT_METAL_PROFILER_DISABLE_DUMP_TO_FILES", "1: no log" },
	{ "TT_METAL_DEVICE_PROFILER_NOC_EVENTS", "1: requests to the NoC are markers, too" },
	{ "TT_METAL_SLOW_DISPATCH_MODE", "set: the profiler is read after every program" },
	{ "TT_METAL_DPRINT_CORES", "cores whose kernels print: all, x,y, (x,y)-(x,y)" },
	{ "TT_METAL_DPRINT_FILE", "where they print; stdout otherwise" },
	{ "TT_METAL_DEVICE_PROFILER_DISPATCH", NULL },
	{ "TT_METAL_DEVICE_PROFILER_NOC_EVENTS_RPT_PATH", NULL },
	{ "TT_METAL_PROFILE_PERF_COUNTERS", NULL },
	{ "TT_METAL_PROFILER_SYNC", NULL },
	{ "TT_METAL_PROFILER_TRACE_TRACKING", NULL },
	{ "TT_METAL_PROFILER_MID_RUN_DUMP", NULL },
	{ "TT_METAL_PROFILER_CPP_POST_PROCESS", NULL },
	{ "TT_METAL_PROFILER_ACCUMULATE", NULL },
	{ "TT_METAL_PROFILER_DISABLE_PUSH_TO_TRACY", NULL },
	{ "TT_METAL_PROFILER_NO_CACHE_OP_INFO", NULL },
	{ "TT_METAL_TRACE_PROFILER", NULL },
	{ "TT_METAL_MEM_PROFILER", NULL },
	{ "TT_METAL_TRACY_MID_RUN_PUSH", NULL },
	{ "TT_METAL_NOC_DEBUG_DUMP", NULL },
	{ "TT_METAL_WATCHER", NULL },
	{ "TT_METAL_WATCHER_NOINLINE", NULL },
	{ "TT_METAL_WATCHER_DEBUG_DELAY", NULL },
	{ "TT_METAL_WATCHER_DISABLE_NOC_SANITIZE", NULL },
	{ "TT_METAL_READ_DEBUG_DELAY_CORES", NULL },
	{ "TT_METAL_WRITE_DEBUG_DELAY_CORES", NULL },
	{ "TT_METAL_ATOMIC_DEBUG_DELAY_CORES", NULL },
	{ "TT_METAL_READ_DEBUG_DELAY_RISCVS", NULL },
	{ "TT_METAL_WRITE_DEBUG_DELAY_RISCVS", NULL },
	{ "TT_METAL_ATOMIC_DEBUG_DELAY_RISCVS", NULL },
	{ "TT_METAL_RECORD_NOC_TRANSFER_DATA", NULL },
	{ "TT_METAL_LOGGER_LEVEL", NULL },
	{ NULL, NULL },
};

bool settings_on(const char *variable)
{
	const char *v = getenv(variable);

	return v && v[0] == '1';
}

static const char *given(const char *variable)
{
	const char *v = getenv(variable);

	return v && *v ? v : NULL;
}

static enum ttp_rc copy(char *to, size_t size, const char *variable, const char *from,
			const char *behind, struct ttp_err *e)
{
	int n = snprintf(to, size, "%s%s", from, behind);

	return n >= 0 && (size_t)n < size
		       ? TTP_OK
		       : ttp_fail(e, TTP_LIMIT, "%s: longer than %zu bytes", variable, size - 1);
}

static enum ttp_rc number(const char *variable, uint64_t most, uint64_t *to, struct ttp_err *e)
{
	const char *v = given(variable);

	if (v && (!number_u64(str_of(v), to) || !*to || *to > most))
		return ttp_fail(e, TTP_USAGE, "%s=%.40s: a number from 1 to %llu is wanted",
				variable, v, (unsigned long long)most);
	return TTP_OK;
}

static enum ttp_rc read_folder(struct host_settings *s, struct ttp_err *e)
{
	const char *dir = given("TT_METAL_PROFILER_DIR"), *home = given("TT_METAL_HOME");

	if (dir)
		return copy(s->folder, sizeof(s->folder), "TT_METAL_PROFILER_DIR", dir, "/.logs",
			    e);
	if (home)
		return copy(s->folder, sizeof(s->folder), "TT_METAL_HOME", home,
			    "/generated/profiler/.logs", e);
	return copy(s->folder, sizeof(s->folder), "", "generated/profiler/.logs", "", e);
}

enum ttp_rc settings_read(struct host_settings *s, struct ttp_err *e)
{
	const char *cores = given("TT_METAL_DPRINT_CORES"), *file = given("TT_METAL_DPRINT_FILE");
	const char *hash = given("TTP_DEVICE_HASH"), *log = given("TTP_DEVICE_LOG");
	uint64_t programs = 0, timeout = TIMEOUT_CYCLES;
	enum ttp_rc rc;

	memset(s, 0, sizeof(*s));
	s->noc_events = settings_on("TT_METAL_DEVICE_PROFILER_NOC_EVENTS");
	s->profiler = settings_on("TT_METAL_DEVICE_PROFILER") || s->noc_events;
	s->sum = s->profiler && settings_on("TT_METAL_PROFILER_SUM");
	s->slow_dispatch = getenv("TT_METAL_SLOW_DISPATCH_MODE") != NULL;
	s->no_files = settings_on("TT_METAL_PROFILER_DISABLE_DUMP_TO_FILES");
	s->print = cores != NULL;
	if (s->print && s->profiler)
		return ttp_fail(
			e, TTP_USAGE,
			"Cannot enable both debug printing and profiling: they use the same "
			"memory; unset TT_METAL_DPRINT_CORES or TT_METAL_DEVICE_PROFILER");
	s->log_columns = !log || !strcmp(log, "15") ? 15
			 : !strcmp(log, "12")       ? 12
			 : !strcmp(log, "6")        ? 6
						    : 0;
	if (!s->log_columns)
		return ttp_fail(e, TTP_USAGE, "TTP_DEVICE_LOG=%.40s: 6, 12 or 15 is wanted", log);
	rc = number("TT_METAL_PROFILER_PROGRAM_SUPPORT_COUNT", PROGRAMS_MAX, &programs, e);
	rc = rc ? rc : number("TTP_DEVICE_TIMEOUT", UINT64_MAX, &timeout, e);
	rc = rc ? rc : read_folder(s, e);
	if (!rc && cores)
		rc = copy(s->print_cores, sizeof(s->print_cores), "TT_METAL_DPRINT_CORES", cores,
			  "", e);
	if (!rc && file)
		rc = copy(s->print_file, sizeof(s->print_file), "TT_METAL_DPRINT_FILE", file, "",
			  e);
	if (!rc && hash)
		rc = copy(s->hash_file, sizeof(s->hash_file), "TTP_DEVICE_HASH", hash, "", e);
	s->programs = (uint32_t)programs;
	s->timeout_cycles = timeout;
	return rc;
}
