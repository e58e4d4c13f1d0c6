// SPDX-License-Identifier: Apache-2.0
/*
 * Whole commands on a folder of logs.  The input: a byte whose bits choose among commands and options, then the four
 * files (messages, zones, the runtime's report, the device log), parted by lines "%%"; an empty one is not there.
 * They may refuse, but neither crash, leak nor end the process.
 */
#include <fcntl.h>
#include <stdint.h>
#include <sys/stat.h>

#include "cmd/cmd.h"
#include "memory_file.h"

enum { MARKERS = 4, JSON = 8, STRICT = 16, NPE = 32, DEVICE = 64 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *const names[] = { "tracy_ops_data.csv", "tracy_ops_times.csv",
				     "cpp_device_perf_report.csv", "profile_log_device.csv" };

static void write_part(const char *folder, int i, struct str text)
{
	char path[128];
	int fd;

	snprintf(path, sizeof(path), "%s/%s", folder, names[i]);
	unlink(path);
	if (!text.len)
		return;
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	if (fd < 0 || write(fd, text.at, text.len) != (ssize_t)text.len)
		abort();
	close(fd);
}

static void remove_report(const char *folder)
{
	static const char *const made[] = { "out.csv", "per_core_op_to_op_times.csv" };
	char path[128];

	for (int i = 0; i < 2; i++) {
		snprintf(path, sizeof(path), "%s/%s", folder, made[i]);
		unlink(path);
	}
	rmdir(folder);
}

static void run(uint8_t flags, char *folder)
{
	static int nowhere = -1;
	char report[128], log[128];
	const char *argv[12];
	int argc = 0, status;

	if (nowhere < 0)
		nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
	snprintf(report, sizeof(report), "%s/out.csv", folder);
	snprintf(log, sizeof(log), "%s/%s", folder, names[3]);
	unlink(report);
	argv[argc++] = "ttprof";
	argv[argc++] = flags & DEVICE ? "device" : "ops";
	argv[argc++] = flags & DEVICE ? log : folder;
	if (!(flags & DEVICE)) {
		argv[argc++] = "--report";
		argv[argc++] = report;
		if (flags & MARKERS)
			argv[argc++] = "--device-log";
		if (flags & STRICT)
			argv[argc++] = "--strict";
		if (flags & NPE)
			argv[argc++] = "--analyze-noc-traces";
	}
	if (flags & JSON)
		argv[argc++] = "--json";
	argv[argc] = NULL;
	out_init(cmd_stdout(), nowhere, "stdout");
	status = cmd_dispatch(argc, (char **)(uintptr_t)argv);
	if (status < 0 || status > 2 || out_finish(cmd_stdout(), NULL))
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char folder[] = "/tmp/ttprof-fuzz-XXXXXX";
	struct str rest;

	if (size < 1 || size > 200000)
		return 0;
	if (!mkdtemp(folder))
		abort();
	rest = str_n((const char *)data + 1, size - 1);
	for (int i = 0; i < 4; i++) {
		size_t cut = str_find(rest, STR("%%\n"));

		write_part(folder, i, str_head(rest, cut));
		rest = cut == STR_NONE ? str_n("", 0) : str_from(rest, cut + 3);
	}
	run(data[0], folder);
	for (int i = 0; i < 4; i++)
		write_part(folder, i, str_n("", 0));
	remove_report(folder);
	return 0;
}
