// SPDX-License-Identifier: Apache-2.0
/*
 * Whole commands on a folder of logs.  The input: a byte whose bits choose among commands and options, then the files of
 * `names`, parted by lines "%%"; an empty one is not there.  They may refuse, but neither crash, leak nor end the process.
 * What `ttprof ops` writes is read by `ttprof report`.
 */
#include <fcntl.h>
#include <ftw.h>
#include <stdint.h>
#include <sys/stat.h>

#include "cmd/cmd.h"
#include "memory_file.h"

enum {
	DEVICES_ONLY = 1,
	SECOND = 2,
	MARKERS = 4,
	JSON = 8,
	STRICT = 16,
	NPE = 32,
	DEVICE = 64,
	ORIGINAL = 128
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *const names[] = { "tracy_ops_data.csv",
				     "tracy_ops_times.csv",
				     "cpp_device_perf_report.csv",
				     "profile_log_device.csv",
				     "profile_log_device.csv.state",
				     "npe_results.csv",
				     "profiler_overhead.json",
				     "second.csv",
				     "analyses.txt" };
enum { PARTS = sizeof(names) / sizeof(*names), LOG = 3, SECOND_REPORT = 7, ANALYSES = 8 };

static void write_part(const char *folder, int i, struct str text)
{
	char path[128];
	int fd;

	if (!text.len)
		return;
	snprintf(path, sizeof(path), "%s/.logs/%s", folder, names[i]);
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	if (fd < 0 || write(fd, text.at, text.len) != (ssize_t)text.len)
		abort();
	close(fd);
}

static int remove_one(const char *path, const struct stat *st, int kind, struct FTW *at)
{
	(void)st;
	(void)kind;
	(void)at;
	return remove(path);
}

static int dispatch(int argc, const char **argv)
{
	static int nowhere = -1;
	int status;

	if (nowhere < 0)
		nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
	argv[argc] = NULL;
	out_init(cmd_stdout(), nowhere, "stdout");
	status = cmd_dispatch(argc, (char **)(uintptr_t)argv);
	if (status < 0 || status > 2 || out_finish(cmd_stdout(), NULL))
		abort();
	return status;
}

static void ops(uint8_t flags, const char *folder)
{
	const char *argv[16] = { "ttprof" };
	char second[128];
	int argc = 1;

	snprintf(second, sizeof(second), "%s/.logs/%s", folder, names[SECOND_REPORT]);
	argv[argc++] = flags & ORIGINAL ? "process_ops_logs" : "ops";
	argv[argc++] = "-o";
	argv[argc++] = folder;
	if (flags & MARKERS)
		argv[argc++] = "--force-legacy-device-logs";
	if (flags & NPE)
		argv[argc++] = "--analyze-noc-traces";
	if (flags & DEVICES_ONLY) {
		argv[argc++] = "--device-only";
		argv[argc++] = "-n";
		argv[argc++] = "name";
	}
	if (!(flags & ORIGINAL)) {
		if (flags & STRICT) {
			argv[argc++] = "--strict";
			argv[argc++] = "--copy-logs";
			argv[argc++] = "--date";
		}
		if (flags & JSON)
			argv[argc++] = "--json";
		if (flags & SECOND) {
			argv[argc++] = "--second-pass";
			argv[argc++] = second;
		}
	}
	if (dispatch(argc, argv) || flags & ORIGINAL)
		return;
	argc = 1;
	argv[argc++] = "report";
	argv[argc++] = folder;
	if (flags & JSON)
		argv[argc++] = "--json";
	(void)dispatch(argc, argv);
}

static void device(uint8_t flags, const char *folder)
{
	static const char *const setups[] = { "default_setup", "test_multi_op",
					      "test_dispatch_cores",
					      "test_matmul_multi_core_multi_dram" };
	const char *argv[16] = { "ttprof" };
	char log[128], out[128], analyses[128];
	int argc = 1;

	snprintf(log, sizeof(log), "%s/.logs/%s", folder, names[LOG]);
	snprintf(out, sizeof(out), "%s/out", folder);
	snprintf(analyses, sizeof(analyses), "%s/.logs/%s", folder, names[ANALYSES]);
	argv[argc++] = flags & ORIGINAL ? "process_device_log" : "device";
	if (flags & ORIGINAL) {
		argv[argc++] = "-d";
		argv[argc++] = log;
		argv[argc++] = "-s";
		argv[argc++] = setups[flags & 3];
	} else {
		argv[argc++] = log;
		if (flags & JSON)
			argv[argc++] = "--json";
		if (flags & STRICT) {
			argv[argc++] = "--setup";
			argv[argc++] = setups[flags & 3];
		}
		if (flags & NPE) {
			argv[argc++] = "--analyses";
			argv[argc++] = analyses;
		}
	}
	if (flags & MARKERS || flags & ORIGINAL) {
		argv[argc++] = "-o";
		argv[argc++] = out;
	}
	(void)dispatch(argc, argv);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char folder[] = "/tmp/ttprof-fuzz-XXXXXX", logs[128];
	struct str rest;

	if (size < 1 || size > 200000)
		return 0;
	if (!mkdtemp(folder))
		abort();
	snprintf(logs, sizeof(logs), "%s/.logs", folder);
	if (mkdir(logs, 0700))
		abort();
	rest = str_n((const char *)data + 1, size - 1);
	for (int i = 0; i < PARTS; i++) {
		size_t cut = str_find(rest, STR("%%\n"));

		write_part(folder, i, str_head(rest, cut));
		rest = cut == STR_NONE ? str_n("", 0) : str_from(rest, cut + 3);
	}
	if (data[0] & DEVICE)
		device(data[0], folder);
	else
		ops(data[0], folder);
	if (nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS))
		abort();
	return 0;
}
