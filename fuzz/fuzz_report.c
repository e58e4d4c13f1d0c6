// SPDX-License-Identifier: Apache-2.0
/*
 * Whole commands in this process.  The input:
 *
 *	u8  command	even: ttprof report, odd: tt-perf-report
 *	u8  n		options, at most 7
 *	u8  option[n]	indexes of the lists below
 *	…		the ops report; a line "%%" starts a second one
 *
 * They may refuse, but neither crash, leak, end the process nor leave a half-written line.
 */
#include <fcntl.h>
#include <stdint.h>

#include "cmd/cmd.h"
#include "memory_file.h"

enum { OPTIONS_MAX = 7, WORDS = 3, ARGV_MAX = 2 + OPTIONS_MAX * WORDS + 2 };

/* Words of an option, the rest NULL.  Nothing here may name a file but /dev/null. */
static const char *const ours[][WORDS] = {
	{ "--each" },
	{ "--json" },
	{ "--csv", "/dev/null" },
	{ "--color" },
	{ "--top", "3" },
	{ "--top", "0" },
	{ "--sort", "id" },
	{ "--sort", "gap" },
	{ "--sort", "roof" },
	{ "--ascending" },
	{ "--group-by", "op" },
	{ "--group-by", "shape" },
	{ "--group-by", "category" },
	{ "--group-by", "memory" },
	{ "--group-by", "signpost" },
	{ "--id", "2" },
	{ "--id-range", "2-5" },
	{ "--id-range=-3" },
	{ "--filter", "[Mm]atmul|x" },
	{ "--ignore-signposts" },
	{ "--signpost", "start" },
	{ "--end-signpost", "stop" },
	{ "--no-host-ops" },
	{ "--no-merge-devices" },
	{ "--no-advice" },
	{ "--min-percentage", "1.5" },
	{ "--order", "host" },
	{ "--order", "file" },
	{ "--chip", "p150" },
	{ "--columns", "id,op,gap,roof,save" },
	{ "--columns", "help" },
	{ "--help" },
};

static const char *const theirs[][WORDS] = {
	{ "--csv", "/dev/null",
	  "--no-summary" }, /* without the latter it writes beside the former */
	{ "--color" },
	{ "--no-color" },
	{ "--no-advice" },
	{ "--no-summary" },
	{ "--no-stacked-report" },
	{ "--group-by", "op" },
	{ "--group-by", "category" },
	{ "--group-by", "memory" },
	{ "--id-range", "2-5" },
	{ "--id-range", "-3" },
	{ "--id-range", "4-" },
	{ "--ignore-signposts" },
	{ "--print-signposts" },
	{ "--start-signpost", "start" },
	{ "--end-signpost", "stop" },
	{ "--no-host-ops" },
	{ "--no-merge-devices" },
	{ "--tracing-mode" },
	{ "--raw-op-codes" },
	{ "--min-percentage", "1.5" },
	{ "--min-percentage", "nan" },
	{ "--arch", "blackhole" },
	{ "--classic-colors" },
	{ "--no-stack-by-in0" },
	{ "--help" },
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void add(char **argv, int *argc, const char *word)
{
	argv[(*argc)++] = (char *)(uintptr_t)word;
}

static void run(int argc, char **argv)
{
	static int nowhere = -1;
	int status;

	if (nowhere < 0)
		nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
	out_init(cmd_stdout(), nowhere, "stdout");
	status = cmd_dispatch(argc, argv);
	if (status < 0 || status > 2 || out_finish(cmd_stdout(), NULL))
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct memory_file files[2];
	char *argv[ARGV_MAX + 1];
	struct str rest;
	bool compat;
	size_t count = 1, cut, n;
	int argc = 0;

	if (size < 2 || size > 200000)
		return 0;
	compat = data[0] & 1;
	n = data[1] % (OPTIONS_MAX + 1);
	if (size < 2 + n)
		return 0;
	if (compat) {
		add(argv, &argc, "/usr/bin/tt-perf-report");
	} else {
		add(argv, &argc, "ttprof");
		add(argv, &argc, "report");
	}
	for (size_t i = 0; i < n; i++) {
		const char *const *words =
			compat ? theirs[data[2 + i] % (sizeof(theirs) / sizeof(theirs[0]))]
			       : ours[data[2 + i] % (sizeof(ours) / sizeof(ours[0]))];

		for (int w = 0; w < WORDS && words[w]; w++)
			add(argv, &argc, words[w]);
	}
	rest = str_n((const char *)data + 2 + n, size - 2 - n);
	cut = compat ? STR_NONE : str_find(rest, STR("\n%%\n"));
	if (cut != STR_NONE) {
		count = 2;
		memory_file_open(&files[1], str_from(rest, cut + 4));
		rest = str_head(rest, cut + 1);
	}
	memory_file_open(&files[0], rest);
	for (size_t i = 0; i < count; i++)
		add(argv, &argc, files[i].path);
	argv[argc] = NULL;
	run(argc, argv);
	for (size_t i = 0; i < count; i++)
		memory_file_close(&files[i]);
	return 0;
}
