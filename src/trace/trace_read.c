// SPDX-License-Identifier: Apache-2.0
#include "trace/trace.h"

#include <sys/mman.h>

#include "trace/trace_readers.h"
#include "wire/self_report.h"
#include "wire/spool.h"

const char *trace_skip_text(enum trace_skip skip)
{
	static const char *const texts[] = { TRACE_SKIP_LIST(LIST_2ND) };

	return skip < TRACE_SKIPS ? texts[skip] : "?";
}

bool trace_accepts(struct str head)
{
	return str_starts(head, STR("TTPR")) || str_starts(head, STR("tlZ\4")) ||
	       str_starts(head, STR("tZst")) || str_starts(head, STR("tr\xFDP")) ||
	       str_starts(head, STR("\x1f\x8b")) || str_starts(head, STR("\x28\xb5\x2f\xfd"));
}

enum ttp_rc trace_open(struct trace *t, const char *path, struct ttp_err *e)
{
	struct input in;
	enum ttp_rc rc = input_open_if(&in, path, trace_accepts, e);

	if (rc) {
		memset(t, 0, sizeof(*t));
		return rc;
	}
	rc = trace_open_input(t, in, e);
	t->path = path;
	return rc;
}

enum ttp_rc trace_open_input(struct trace *t, struct input in, struct ttp_err *e)
{
	enum ttp_rc rc;

	memset(t, 0, sizeof(*t));
	t->path = in.name;
	t->in = in;
	if (t->in.data.len >= SPOOL_MAGIC_BYTES && !memcmp(t->in.data.at, SPOOL_MAGIC, 4)) {
		t->kind = TRACE_SPOOL;
		rc = spool_events_open(t, e);
	} else {
		t->kind = TRACE_TRACY;
		rc = tracy_file_open(t, e);
	}
	if (rc) {
		(void)ttp_wrap(e, rc, "%s", t->in.name);
		trace_close(t);
	}
	return rc;
}

enum ttp_rc trace_names(struct trace *t, struct ttp_err *e)
{
	static const struct trace_sink nobody = { 0 };

	(void)e;
	if (t->kind == TRACE_SPOOL && !t->names_known)
		spool_events_read(t, &nobody);
	t->names_known = true;
	return TTP_OK;
}

static void release_tables(struct trace *t)
{
#define X(kind, type, name) kind##_release(&t->name);
	TRACE_OWNS(X)
#undef X
}

/*
 * Numbers are given in the order of first sight, so a second pass gives the same ones: it fills tables of its own,
 * while `t` keeps those of the first pass, in which all names are known.
 */
static void read_again(struct trace *t, const struct trace_sink *sink)
{
	struct trace pass = { .kind = t->kind, .in = t->in, .path = t->path, .spool = t->spool };

	vec_append(&pass.processes, t->processes.at, t->processes.len);
	spool_events_read(&pass, sink);
	release_tables(&pass);
	vec_release(&pass.processes);
}

enum ttp_rc trace_read(struct trace *t, const struct trace_sink *sink, struct ttp_err *e)
{
	if (t->kind == TRACE_TRACY)
		return tracy_file_read(t, sink, e);
	if (t->names_known)
		read_again(t, sink);
	else
		spool_events_read(t, sink);
	t->names_known = true;
	return TTP_OK;
}

void trace_close(struct trace *t)
{
	spool_events_free(t);
	tracy_file_free(t);
	release_tables(t);
	vec_release(&t->processes);
	input_close(&t->in);
}

struct str trace_loc_name(const struct trace *t, uint32_t loc)
{
	const struct trace_loc *l;

	if (loc >= t->locs.len)
		return STR("???");
	l = &t->locs.at[loc];
	return trace_str(t, l->name != TRACE_NONE ? l->name : l->function);
}

void trace_prefix(const struct trace *t, uint32_t process, struct buf *to)
{
	if (t->processes.len < 2 || process >= t->processes.len)
		return;
	buf_str(to, t->processes.at[process].program);
	buf_printf(to, "[%llu] ", (unsigned long long)t->processes.at[process].pid);
}

void trace_context_name(const struct trace *t, uint32_t context, struct buf *to)
{
	if (context >= t->contexts.len)
		return;
	trace_prefix(t, t->contexts.at[context].process, to);
	buf_str(to, trace_str(t, t->contexts.at[context].name));
}

void trace_track_name(const struct trace *t, uint32_t track, struct buf *to)
{
	const struct trace_track *k;

	if (track >= t->tracks.len)
		return;
	k = &t->tracks.at[track];
	trace_prefix(t, k->process, to);
	if (k->name != TRACE_NONE)
		buf_str(to, trace_str(t, k->name));
	else
		buf_printf(to, "%llu", (unsigned long long)k->tid);
}

struct str trace_keep(struct trace *t, struct str s)
{
	return str_n(arena_dup(&t->texts, s.at ? s.at : "", s.len), s.len);
}

uint32_t trace_string(struct trace *t, struct str s)
{
	*vec_push(&t->strings) = trace_keep(t, s);
	return (uint32_t)t->strings.len - 1;
}

uint32_t trace_shared_string(struct trace *t, struct str s)
{
	uint32_t before = intern_count(&t->shared_ids);
	uint32_t id = intern_copy(&t->shared_ids, str_n(s.at ? s.at : "", s.len));

	if (id == before) {
		*vec_push(&t->shared) = (uint32_t)t->strings.len;
		*vec_push(&t->strings) = intern_get(&t->shared_ids, id);
	}
	return t->shared.at[id];
}

bool trace_only_tracy(const struct trace *t, unsigned n, const char **text, uint64_t *count)
{
	const struct {
		const char *text;
		uint64_t count;
	} all[] = {
		{ "lock events", t->lock_events },
		{ "call stacks", t->stacks.len },
		{ "samples", t->samples },
		{ "samples of hardware counters", t->hw_samples },
		{ "context switches", t->runs },
		{ "frame images", t->images },
		{ "symbols", t->symbols.len },
		{ "source files", t->sources },
		{ "sections of the run", t->sections },
		{ "notes on device zones", t->notes },
	};

	if (n >= sizeof(all) / sizeof(*all))
		return false;
	*text = all[n].text;
	*count = all[n].count;
	return true;
}

_Static_assert((int)TRACE_DROPS == (int)SELF_REPORT_DROPS, "clients count what traces keep");

bool trace_take_drops(struct trace *t, uint32_t process, int64_t time_ns, struct str text)
{
	struct trace_process *p;
	struct self_report r;

	if (!self_report_get(text, &r) || !self_report_counts_drops(&r))
		return false;
	p = &t->processes.at[process < t->processes.len ? process : 0];
	for (unsigned i = 0; i < TRACE_DROPS; i++)
		p->dropped[i] = r.values[i];
	p->knows_when_dropped = r.values[SELF_REPORT_DROPS] &&
				r.values[SELF_REPORT_DROPS] < INT64_MAX / 1000 &&
				r.values[SELF_REPORT_DROPS + 1] <= r.values[SELF_REPORT_DROPS];
	if (p->knows_when_dropped) {
		p->first_drop_ns = time_ns - (int64_t)r.values[SELF_REPORT_DROPS] * 1000;
		p->last_drop_ns = time_ns - (int64_t)r.values[SELF_REPORT_DROPS + 1] * 1000;
	}
	return true;
}

enum { DROP_STEP = 4 << 20 };

struct drop_pages drop_pages_of(const struct input *in)
{
	return (struct drop_pages){ .at = in->mapped_bytes ? in->data.at : NULL };
}

void drop_pages_until(struct drop_pages *d, size_t offset)
{
	while (d->at && offset - d->done >= DROP_STEP) {
		/* A mapping starts at a page, and the step is whole pages.  Failing costs memory, nothing else. */
		(void)madvise((void *)(uintptr_t)(d->at + d->done), DROP_STEP, MADV_DONTNEED);
		d->done += DROP_STEP;
	}
}
