// SPDX-License-Identifier: Apache-2.0
#include "cmd/trace_tell.h"

#include "cmd/cmd.h"

void trace_tell(const char *prog, const struct trace *t)
{
	uint64_t dropped = 0;

	if (t->damaged)
		cmd_warn(prog, "%s: %s; everything before it is here", t->in.name, t->damage.msg);
	if (t->in.cut_short)
		cmd_warn(prog, "%s: the compressed file ends early", t->in.name);
	if (input_shrunk(&t->in))
		cmd_warn(prog, "%s: the file got shorter while it was read", t->in.name);
	if (t->kind == TRACE_TRACY && t->told_zones > t->zones)
		cmd_warn(prog, "%s: %llu of %llu zones can be read", t->in.name,
			 (unsigned long long)t->zones, (unsigned long long)t->told_zones);
	vec_each (p, &t->processes)
		dropped += p->dropped[0];
	if (dropped)
		cmd_warn(prog, "%s: clients dropped %llu zones; their storage was full", t->in.name,
			 (unsigned long long)dropped);
}
