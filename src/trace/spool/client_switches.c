// SPDX-License-Identifier: Apache-2.0
/*
 * Which thread ran on which processor.  The kernel tells when a processor goes from one thread to another, and when a
 * thread was woken; a run is reported when it ends.
 */
#include "trace/spool/client_events.h"

enum { REASON_NONE = -1, REASON_WOKEN = -2 };

static struct switch_thread *thread_of(struct client_events *c, uint32_t tid)
{
	bool added;
	uint32_t n = u64map_get_or_put(&c->switches_by_tid, tid, (uint32_t)c->switches.len, &added);

	if (added)
		*vec_push(&c->switches) = (struct switch_thread){
			.run = { .process = c->process, .tid = tid },
		};
	return &c->switches.at[n];
}

/* Several clients of one machine see the same processors: the first one reports them. */
static bool reports_machine(struct client_events *c)
{
	if (c->t->machine_reported_by == 0)
		c->t->machine_reported_by = c->process + 1;
	return c->t->machine_reported_by == c->process + 1;
}

static void tell(struct client_events *c, const struct trace_sink *sink, struct switch_thread *th)
{
	uint32_t unused;

	/* With several programs, each one's threads are reported by its own client. */
	if (c->t->processes.len > 1 && !u64map_get(&c->threads_by_tid, th->run.tid, &unused))
		return;
	c->t->runs++;
	if (sink->run)
		sink->run(sink->ctx, &th->run);
}

static void tell_cpu(struct client_events *c, const struct trace_sink *sink, unsigned cpu,
		     int64_t end_ns)
{
	struct cpu_now *now = &c->cpus[cpu];
	struct trace_cpu_run r = { .process = c->process,
				   .tid = now->tid,
				   .start_ns = now->start_ns,
				   .end_ns = end_ns,
				   .cpu = (uint8_t)cpu };

	if (now->tid && reports_machine(c) && sink->cpu_run)
		sink->cpu_run(sink->ctx, &r);
	now->tid = 0;
}

static void ends(struct client_events *c, const struct trace_sink *sink, struct switch_thread *th,
		 int64_t ns, int8_t reason, int8_t state)
{
	th->run.end_ns = ns;
	th->run.reason = reason;
	th->run.state = state;
	th->running = false;
	th->time.running_ns = ns_plus(th->time.running_ns, ns_minus(ns, th->run.start_ns));
	th->time.runs++;
	th->ran = true;
	tell(c, sink, th);
}

static void begins(struct switch_thread *th, int64_t ns, uint8_t cpu)
{
	int64_t woken_before = th->run.wakeup_ns;
	uint8_t cpu_before = th->run.cpu;

	if (!th->woken) {
		th->run.wakeup_ns = ns;
		th->run.wakeup_cpu = cpu;
		/* It may be woken before it has left its processor. */
		if (th->early_ns && th->ran && woken_before <= th->early_ns && th->early_ns <= ns) {
			th->run.wakeup_ns = th->early_ns;
			th->run.wakeup_cpu = th->early_cpu;
			th->early_ns = 0;
		}
	}
	th->woken = false;
	th->running = true;
	th->run.start_ns = ns;
	th->run.end_ns = TRACE_OPEN;
	th->run.cpu = cpu;
	th->time.migrations += th->ran && cpu_before != cpu;
}

static void wakes(struct client_events *c, const struct wire_thread_wakeup *v, int64_t ns)
{
	struct switch_thread *th = thread_of(c, v->thread);

	if (th->running || th->woken) {
		th->early_ns = ns;
		th->early_cpu = v->cpu;
	} else {
		th->woken = true;
		th->run.wakeup_ns = ns;
		th->run.wakeup_cpu = v->cpu;
	}
}

void client_switch(struct client_events *c, const struct trace_sink *sink, enum wire_item item,
		   const uint8_t *at)
{
	struct wire_context_switch v;
	struct wire_thread_wakeup w = wire_get_thread_wakeup(&c->proto, at); /* begin alike */
	int64_t ns = client_ns(c, client_step(&c->ref_ctx, w.time));
	struct switch_thread *th;

	client_seen(c, ns);
	if (item == WIRE_ThreadWakeup) {
		wakes(c, &w, ns);
		return;
	}
	v = wire_get_context_switch(&c->proto, at);
	if (v.oldThread) {
		th = thread_of(c, v.oldThread);
		if (th->running)
			ends(c, sink, th, ns, (int8_t)v.reason, (int8_t)v.state);
	}
	tell_cpu(c, sink, v.cpu, ns);
	if (v.newThread) {
		th = thread_of(c, v.newThread);
		if (th->running) /* its end was lost */
			ends(c, sink, th, ns, REASON_NONE, REASON_NONE);
		begins(th, ns, v.cpu);
		c->cpus[v.cpu] = (struct cpu_now){ .tid = v.newThread, .start_ns = ns };
	}
}

void client_external_name(struct client_events *c, uint64_t tid, struct str name, bool of_thread)
{
	struct trace_external *x;
	bool added;
	uint32_t n;

	if (!reports_machine(c))
		return;
	n = u64map_get_or_put(&c->externals_by_tid, tid, (uint32_t)c->t->externals.len, &added);
	if (added)
		*vec_push(&c->t->externals) = (struct trace_external){ .tid = tid,
								       .program = TRACE_NONE,
								       .thread = TRACE_NONE };
	x = &c->t->externals.at[n];
	if (of_thread)
		x->thread = trace_shared_string(c->t, name);
	else
		x->program = trace_shared_string(c->t, name);
}

void client_program_of(struct client_events *c, uint64_t tid, uint64_t pid)
{
	if (reports_machine(c))
		*vec_push(&c->t->programs_of) =
			(struct u64map_entry){ .key = tid, .value = (uint32_t)pid };
}

void client_switches_end(struct client_events *c, const struct trace_sink *sink)
{
	vec_each (th, &c->switches) {
		if (th->running || th->woken) {
			th->run.end_ns = TRACE_OPEN;
			th->run.reason = th->running ? REASON_NONE : REASON_WOKEN;
			th->run.state = REASON_NONE;
			if (!th->running)
				th->run.start_ns = th->run.wakeup_ns;
			tell(c, sink, th);
		}
		if (reports_machine(c) && th->time.runs) {
			th->time.tid = th->run.tid;
			*vec_push(&c->t->thread_times) = th->time;
		}
	}
	for (unsigned i = 0; i < 256; i++)
		tell_cpu(c, sink, i, TRACE_OPEN);
	vec_clear(&c->switches);
}

void client_switches_free(struct client_events *c)
{
	vec_release(&c->switches);
	u64map_release(&c->switches_by_tid);
	u64map_release(&c->externals_by_tid);
}
