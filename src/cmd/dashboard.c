// SPDX-License-Identifier: Apache-2.0
#include "cmd/dashboard.h"

#include <stdio.h>

#include "cmd/cmd.h"

int dashboard_serve(const char *prog, const char *run, int64_t port)
{
	const struct cmd *view = cmd_find("view");
	char number[24], name[] = "view", serve[] = "--serve", option[] = "--port";
	struct buf path = { 0 };
	char *argv[8];
	int n = 0, status;

	if (!view) {
		cmd_warn(prog, "no dashboard is served: this program was built without `ttprof view`; "
			       "device_perf.html in the output folder is the page, open it in a browser");
		return 0;
	}
	buf_text(&path, run);
	argv[n++] = name;
	argv[n++] = serve;
	if (port >= 0) {
		snprintf(number, sizeof(number), "%lld", (long long)port);
		argv[n++] = option;
		argv[n++] = number;
	}
	argv[n++] = path.at;
	argv[n] = NULL;
	out_flush(cmd_stdout());
	status = view->run(n, argv);
	buf_release(&path);
	return status;
}
