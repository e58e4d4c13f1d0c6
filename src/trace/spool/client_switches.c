// SPDX-License-Identifier: Apache-2.0
/*
 * Which thread ran on which processor.  The kernel tells when a processor goes from one thread to another, and when a
 * thread was woken; a run is reported when it ends.
 */
#include "base/keyed.h"
#include "trace/spool/client_events.h"

enum {
	REASON_NONE = -1,
	REASON_WOKEN = -2,
	EARLY_SINCE =
		73, /* Tracy's captures of older protocols ignore who is woken before he sleeps */
};

static struct switch_thread *thread_of(struct client_events *c, uint32_t tid)
{
	return keyed_item(&c->switches_by_tid, tid, &c->switches,
			  (struct switch_thread){
				  .run = { .process = c->process, .tid = tid },
			  });
}

/* Several clients of one machine see the same processors: the first one reports them. */
static bool reports_machine(struct client_events *c)
{
	if (c->t->machine_reported_by == 0)
		c->t->machine_reported_by = c->process + 1;
	return c->t->machine_reported_by == c->process + 1;
}

static void tell(struct client_events *c, struct switch_thread *th)
{
	uint32_t unused;

	/* With several programs, each one's threads are reported by its own client. */
	if (c->t->processes.len > 1 && !u64map_get(&c->threads_by_tid, th->run.tid, &unused))
		return;
	c->t->runs++;
	TRACE_TELL(c->sink, run, &th->run);
}

static void tell_cpu(struct client_events *c, unsigned cpu, int64_t end_ns)
{
	struct cpu_now *now = &c->cpus[cpu];
	struct trace_cpu_run r = { .process = c->process,
				   .tid = now->tid,
				   .start_ns = now->start_ns,
				   .end_ns = end_ns,
				   .cpu = (uint8_t)cpu };

	if (now->tid && reports_machine(c))
		TRACE_TELL(c->sink, cpu_run, &r);
	now->tid = 0;
}

/* The next run of a thread; what the one before has got by now is what it was. */
static struct trace_run *next_run(struct client_events *c, struct switch_thread *th)
{
	if (th->has)
		tell(c, th);
	th->cpu_before = th->has ? th->run.cpu : -1;
	th->woken_before_ns = th->run.wakeup_ns;
	th->has = true;
	th->run.end_ns = TRACE_OPEN;
	th->run.state = REASON_NONE;
	return &th->run;
}

/*
 * The kernel takes a thread off its processor.  If it was only known as woken, its run is what was between: the switch
 * to it was before the recording, or is lost.
 */
static void ends(struct switch_thread *th, int64_t ns, int8_t reason, int8_t state)
{
	th->run.end_ns = ns;
	th->run.reason = reason;
	th->run.state = state;
	th->time.running_ns = ns_plus(th->time.running_ns, ns_minus(ns, th->run.start_ns));
	th->time.runs++;
}

static void begins(struct client_events *c, struct switch_thread *th, int64_t ns, uint8_t cpu)
{
	struct trace_run *run = &th->run;

	if (!th->has || run->reason != REASON_WOKEN) {
		run = next_run(c, th);
		run->wakeup_ns = ns;
		run->wakeup_cpu = cpu;
		/* It may be woken before it has left its processor. */
		if (th->early_ns && th->cpu_before >= 0 && th->woken_before_ns <= th->early_ns &&
		    th->early_ns <= ns) {
			run->wakeup_ns = th->early_ns;
			run->wakeup_cpu = th->early_cpu;
			th->early_ns = 0;
		}
	}
	run->start_ns = ns;
	run->end_ns = TRACE_OPEN;
	run->reason = run->state = REASON_NONE;
	run->cpu = cpu;
	th->time.migrations += th->cpu_before >= 0 && th->cpu_before != cpu;
}

/* When it was, by the time since the one before. */
static int64_t moment(struct client_events *c, int64_t step)
{
	int64_t ns = client_ns(c, client_step(&c->ref_ctx, step));

	client_seen(c, ns);
	return ns;
}

CLIENT_TAKE(wakeup)
{
	struct wire_thread_wakeup v = CLIENT_GET(thread_wakeup);
	struct switch_thread *th = thread_of(c, v.thread);
	int64_t ns = moment(c, v.time);
	struct trace_run *run;

	/* Times below 0, of a clock that does not work, are open ends for the real capture, too. */
	if (th->has && th->run.end_ns < 0) {
		if (c->proto.number >= EARLY_SINCE) {
			th->early_ns = ns;
			th->early_cpu = v.cpu;
		}
		return;
	}
	run = next_run(c, th);
	run->wakeup_ns = run->start_ns = ns;
	run->wakeup_cpu = v.cpu;
	run->cpu = 0;
	run->reason = REASON_WOKEN;
}

CLIENT_TAKE(switch)
{
	struct wire_context_switch v = CLIENT_GET(context_switch);
	int64_t ns = moment(c, v.time);
	struct switch_thread *th;

	if (v.oldThread) {
		th = thread_of(c, v.oldThread);
		if (th->has)
			ends(th, ns, (int8_t)v.reason, (int8_t)v.state);
	}
	tell_cpu(c, v.cpu, ns);
	if (v.newThread) {
		th = thread_of(c, v.newThread);
		if (th->has && th->run.end_ns == TRACE_OPEN && th->run.reason == REASON_NONE)
			th->run.end_ns = ns; /* its end was lost */
		begins(c, th, ns, v.cpu);
		c->cpus[v.cpu] = (struct cpu_now){ .tid = v.newThread, .start_ns = ns };
	}
}

CLIENT_TAKE(external_name)
{
	struct trace_external *x;
	uint32_t n, name;

	if (!reports_machine(c))
		return;
	n = keyed_at(&c->externals_by_tid, got->ptr, &c->t->externals,
		     (struct trace_external){
			     .tid = got->ptr, .program = TRACE_NONE, .thread = TRACE_NONE });
	name = trace_shared_string(c->t, got->text);
	x = &c->t->externals.at[n];
	*(got->item == WIRE_ExternalThreadName ? &x->thread : &x->program) = name;
}

CLIENT_TAKE(program_of)
{
	struct wire_tid_to_pid v = CLIENT_GET(tid_to_pid);

	if (reports_machine(c))
		*vec_push(&c->t->programs_of) =
			(struct u64map_entry){ .key = v.tid, .value = (uint32_t)v.pid };
}

void client_switches_end(struct client_events *c)
{
	vec_each (th, &c->switches) {
		if (th->has)
			tell(c, th);
		if (reports_machine(c) && (th->time.runs || th->time.migrations)) {
			th->time.tid = th->run.tid;
			*vec_push(&c->t->thread_times) = th->time;
		}
	}
	for (unsigned i = 0; i < 256; i++)
		tell_cpu(c, i, TRACE_OPEN);
	vec_clear(&c->switches);
}
