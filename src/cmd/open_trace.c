// SPDX-License-Identifier: Apache-2.0
#include "cmd/open_trace.h"

#include "base/paths.h"
#include "cmd/cmd.h"
#include "runs/run.h"

enum ttp_rc open_trace(struct trace *t, const char *prog, const char *name, struct ttp_err *e)
{
	enum ttp_rc rc;
	struct run run;

	if (!path_is_folder(name))
		return trace_open(t, name, e);
	rc = run_open(&run, name, e);
	if (!rc && !run.parts.trace.len)
		rc = ttp_fail(e, TTP_USAGE, "%s: its latest run has no trace of the host", name);
	if (!rc)
		rc = trace_open(t, run.parts.trace.at, e);
	vec_each (note, &run.parts.left_out)
		run_note_print(note, cmd_console(prog));
	run_close(&run);
	return rc;
}
