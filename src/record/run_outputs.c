// SPDX-License-Identifier: Apache-2.0
/*
 * From the spool to everything else, in one pass: the trace, the two CSVs that tt-metal's scripts read, the host's ops, and what programs
 * reported of the part that is recorded.
 */
#include <stdio.h>

#include "export/csv_export.h"
#include "ops/host/host_trace.h"
#include "ops/ops_logs.h"
#include "record/run_job.h"
#include "trace/trace.h"
#include "trace/trace_warnings.h"
#include "trace/tracy/tracy_write.h"
#include "wire/run_names.h"

struct outputs {
	struct job *j;
	struct trace t;
	struct trace_tee tee;
	struct tracy_writer *trace;
	struct tracy_written written;
	uint32_t version;
	struct buf specials;
	struct export_request zones_asked, messages_asked;
	struct export_data *zones, *messages;
	struct host_trace host;
};

static struct trace_sink *next_sink(struct outputs *o)
{
	return &o->tee.to[o->tee.n++];
}

static void begin(struct outputs *o)
{
	struct job *j = o->j;
	const char *more = j->q->children ? j->q->children : "";

	buf_printf(&o->specials, "%s%s%s", SPECIAL_ZONES, *more ? "," : "", more);
	o->zones_asked = (struct export_request){ .style = j->q->csvexport,
						  .what = EXPORT_ZONES,
						  .separator = ",",
						  .specials = o->specials.at,
						  .parent = SPECIAL_ZONES_PARENT,
						  .own_texts = true };
	o->messages_asked = (struct export_request){ .style = j->q->csvexport,
						     .what = EXPORT_MESSAGES,
						     .separator = ";" };
	o->version = tracy_write_version(&o->t);
	o->trace = tracy_writer_new(&o->t, o->version, &o->written, next_sink(o));
	o->zones = export_new(&o->t, &o->zones_asked, next_sink(o));
	o->messages = export_new(&o->t, &o->messages_asked, next_sink(o));
	host_trace_sink(&o->host, &o->t, &j->host, str_of(more), next_sink(o));
	if (j->window.asked)
		*next_sink(o) = run_window_sink(j);
}

static enum ttp_rc write_trace(struct outputs *o, const char *path, struct ttp_err *e)
{
	struct out_file file;
	enum ttp_rc rc;

	TTP_TRY(out_file_open_here(&file, path, e));
	file.durable = true; /* the spool will be removed */
	rc = tracy_writer_write(o->trace, tracy_write_container(o->version), &file.out, e);
	if (rc) {
		out_file_abandon(&file);
		return rc;
	}
	return out_file_commit(&file, e);
}

static enum ttp_rc write_csv(struct outputs *o, struct export_data *d, const char *name,
			     struct ttp_err *e)
{
	SCOPED(buf) struct buf path = { 0 };
	struct out_file file;
	enum ttp_rc rc;

	buf_printf(&path, "%s/%s", o->j->logs.at, name);
	rc = out_file_open_here(&file, path.at, e);
	if (!rc) {
		rc = export_write(d, &file.out, e);
		if (rc)
			out_file_abandon(&file);
		else
			rc = out_file_commit(&file, e);
	}
	return rc;
}

static enum ttp_rc write_files(struct outputs *o, struct ttp_err *e)
{
	enum ttp_rc rc;

	TTP_TRY(write_trace(o, o->j->trace.at, e));
	trace_warn(o->j->q->console, &o->t);
	trace_warn_written(o->j->q->console, &o->t, &o->written);
	rc = write_csv(o, o->zones, RUN_HOST_ZONES, e);
	return rc ? rc : write_csv(o, o->messages, RUN_HOST_EVENTS, e);
}

static struct str last_name(struct str path)
{
	size_t slash = str_rfind_char(path, '/');

	return slash == STR_NONE ? path : str_from(path, slash + 1);
}

/* Workers of multiprocessing are one program: "SpawnProcess-3" is the third of them. */
static struct str without_number(struct str name)
{
	size_t n = name.len;

	while (n && name.at[n - 1] >= '0' && name.at[n - 1] <= '9')
		n--;
	return n > 1 && n < name.len && name.at[n - 1] == '-' ? str_head(name, n - 1) : name;
}

/* What a process is called: its script, where the program is an interpreter, whose first thread is named so. */
static struct str program_of(const struct trace *t, uint32_t process)
{
	struct str program = t->processes.at[process].program;

	if (str_starts(program, STR("python")))
		vec_each (k, &t->tracks)
			if (k->process == process && k->context == TRACE_NONE &&
			    k->name != TRACE_NONE)
				return without_number(last_name(trace_str(t, k->name)));
	return program;
}

/* Ops have numbers that say whose they are; signposts and messages of traces have none. */
static void name_processes(struct outputs *o)
{
	struct run_processes *to = &o->j->processes;

	for (uint32_t i = 0; i < o->t.processes.len; i++)
		run_processes_name(to, (int64_t)o->t.processes.at[i].pid, program_of(&o->t, i));
	vec_each (s, &o->j->host.signposts)
		if (s->pid)
			run_processes_moment(to, RUN_SIGNPOST, s->pid, s->time_ns);
	vec_each (m, &o->j->host.trace_messages)
		run_processes_moment(to, RUN_TRACE_MESSAGE, m->pid, m->time_ns);
	run_processes_named(to);
}

enum ttp_rc run_outputs(struct job *j, struct ttp_err *e)
{
	struct outputs o = { .j = j };
	struct trace_sink sink;
	enum ttp_rc rc;
	char mine[64];

	/* By descriptor: the program may have removed the name. */
	(void)snprintf(mine, sizeof(mine), "/proc/self/fd/%d", j->spool_fd);
	TTP_TRY(trace_open(&o.t, mine, e));
	o.t.in.name = j->spool.at;
	if (!o.t.processes.len) {
		trace_close(&o.t);
		return ttp_fail(e, TTP_FORMAT, "%s: no client's session is in it", j->spool.at);
	}
	begin(&o);
	trace_tee_sink(&o.tee, &sink);
	rc = trace_names(&o.t, e);
	if (!rc)
		rc = trace_read(&o.t, &sink, e);
	host_trace_finish(&o.host);
	j->has_host = !rc;
	if (!rc) {
		run_window_finish(j);
		name_processes(&o);
	}
	if (!rc)
		rc = write_files(&o, e);
	tracy_writer_free(o.trace);
	export_free(o.zones);
	export_free(o.messages);
	buf_release(&o.specials);
	trace_close(&o.t);
	return rc;
}
