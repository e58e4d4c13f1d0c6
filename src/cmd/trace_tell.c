// SPDX-License-Identifier: Apache-2.0
#include "cmd/trace_tell.h"

#include "cmd/cmd.h"

void trace_tell(const char *prog, const struct trace *t)
{
	uint64_t dropped = 0;

	if (t->damaged)
		cmd_warn(prog, "%s: %s; everything before it is here%s", t->in.name, t->damage.msg,
			 t->resumed ? ", and what can be read behind it" : "");
	if (t->resumed)
		cmd_warn(prog, "%s: %llu bytes are lost", t->in.name,
			 (unsigned long long)t->lost_bytes);
	if (t->lost_frames)
		cmd_warn(prog, "%s: %llu frames behind it can't be understood without it",
			 t->in.name, (unsigned long long)t->lost_frames);
	if (t->unnamed)
		cmd_warn(prog, "%s: the names of %llu places never came; they are shown as numbers",
			 t->in.name, (unsigned long long)t->unnamed);
	if (t->odd)
		cmd_warn(
			prog,
			"%s: %llu events have times or places that can't be: the file is damaged, or was written so",
			t->in.name, (unsigned long long)t->odd);
	if (t->in.cut_short)
		cmd_warn(prog, "%s: the compressed file ends early", t->in.name);
	if (input_shrunk(&t->in))
		cmd_warn(prog, "%s: the file got shorter while it was read", t->in.name);
	if (t->kind == TRACE_TRACY && t->told_zones != t->zones)
		cmd_warn(prog, "%s: %llu zones can be read, where the file tells of %llu",
			 t->in.name, (unsigned long long)t->zones,
			 (unsigned long long)t->told_zones);
	vec_each (p, &t->processes)
		dropped += p->dropped[0];
	if (dropped)
		cmd_warn(prog, "%s: clients dropped %llu zones; their storage was full", t->in.name,
			 (unsigned long long)dropped);
}
