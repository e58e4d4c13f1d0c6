// SPDX-License-Identifier: Apache-2.0
#include "report/slow_stretch.h"

#include "base/table.h"
#include "report/label.h"

enum {
	STRETCH_OPS = 6,       /* fewer are single ops, which have findings of their own */
	STRETCH_PART = 3,      /* at most a third of the run: else the rest is the exception */
	STRETCH_OF_TOTAL = 10, /* it costs at least a tenth of the run */
	MOST_OF = 60,          /* percent of its ops are slower; else it is one kind of them */
};
/* As long as like ops elsewhere: all of it together, and an op that counts as slower. */
#define STRETCH_TIMES 1.5
#define OP_TIMES      1.25

struct like_sum {
	double time_ns, gap_ns, mean_ns;
	uint32_t n;
};

#define NOT_COUNTED UINT32_MAX

struct stretch {
	const struct calls *c;
	struct like_sum *all, *inside; /* per number of call_like() */
	uint32_t *like;                /* per call: that number, NOT_COUNTED */
	double *took_ns;               /* per call, with the gap before it */
	size_t from, to;               /* of the calls */
	double more_time_ns, more_gap_ns, usual_ns;
	uint32_t ops, slower;
};

/* Ops that are the model's own. */
static bool counts(const struct call *call)
{
	return !(call->flags & (CALL_HOST | CALL_MARKER | CALL_UNTIMED | CALL_PAUSE));
}

static void add(struct like_sum *s, const struct call *call, double took_ns)
{
	s->time_ns += call->time_ns;
	s->gap_ns += took_ns - call->time_ns;
	s->n++;
}

/* The stretch in which calls exceed the mean of their like by most (Kadane). */
static void find(struct stretch *s)
{
	double sum = 0, best = 0;
	size_t from = 0;

	for (size_t i = 0; i < s->c->all.len; i++) {
		if (s->like[i] == NOT_COUNTED)
			continue;
		if (sum <= 0) {
			sum = 0;
			from = i;
		}
		sum += s->took_ns[i] - s->all[s->like[i]].mean_ns;
		if (sum > best) {
			best = sum;
			s->from = from;
			s->to = i + 1;
		}
	}
}

/* What like calls outside take is what these would. */
static void weigh(struct stretch *s)
{
	const struct calls *c = s->c;

	for (size_t i = s->from; i < s->to; i++)
		if (s->like[i] != NOT_COUNTED)
			add(&s->inside[s->like[i]], &c->all.at[i], s->took_ns[i]);
	for (size_t i = s->from; i < s->to; i++) {
		const struct call *call = &c->all.at[i];
		const struct like_sum *in, *all;
		double n, time, gap;

		if (s->like[i] == NOT_COUNTED)
			continue;
		all = &s->all[s->like[i]];
		in = &s->inside[s->like[i]];
		s->ops++;
		if (all->n == in->n)
			continue;
		n = all->n - in->n;
		time = (all->time_ns - in->time_ns) / n;
		gap = (all->gap_ns - in->gap_ns) / n;
		s->more_time_ns += call->time_ns - time;
		s->more_gap_ns += call_own_gap(call) - gap;
		s->usual_ns += time + gap;
		s->slower += call->time_ns + call_own_gap(call) >= OP_TIMES * (time + gap);
	}
}

static void describe(struct findings *f, const struct stretch *s)
{
	const struct calls *c = s->c;
	double more = s->more_time_ns + s->more_gap_ns;
	bool busy = s->more_time_ns >= s->more_gap_ns, last = s->to == c->all.len;
	uint32_t section = c->all.at[s->from].section;
	struct buf b = { 0 }, advice = { 0 };

	buf_printf(&b, "%s%u ops (%u to %u)", last ? "the last " : "", s->ops,
		   c->all.at[s->from].id, c->all.at[s->to - 1].id);
	if (section && section == c->all.at[s->to - 1].section &&
	    c->sections.at[section].name.len) {
		buf_text(&b, " after \"");
		width_clean(&b, c->sections.at[section].name);
		buf_text(&b, "\"");
	}
	buf_printf(&b, " take %.1f times as long as like ops %s, most of it %s",
		   (s->usual_ns + more) / s->usual_ns, last ? "before" : "in the rest of the run",
		   busy ? "in the ops themselves" : "between them");
	buf_text(
		&advice,
		busy ? "compare one of them with a like one (--id): cores, inputs, clock; or other work ran at that time"
		     : "look at what the host did then: ttprof timeline, ttprof top --gaps");
	*vec_push(&f->all) = (struct finding){ .what = FINDING_STRETCH,
					       .saves_ns = more,
					       .calls = s->ops,
					       .time_ns = s->usual_ns + more,
					       .id = c->all.at[s->from].id,
					       .text = b.at,
					       .advice = advice.at };
}

static void add_stretch(struct findings *f, const struct calls *c)
{
	SCOPED(mem) struct like_sum *all = mem_zero(2 * (size_t)c->alikes + 2, sizeof(*all));
	SCOPED(mem) struct like_sum *inside = mem_zero(2 * (size_t)c->alikes + 2, sizeof(*inside));
	SCOPED(mem) uint32_t *like = mem_alloc(c->all.len, sizeof(*like));
	SCOPED(mem) double *took_ns = mem_alloc(c->all.len, sizeof(*took_ns));
	struct stretch s = {
		.c = c, .all = all, .inside = inside, .like = like, .took_ns = took_ns
	};
	double total = f->totals.device_ns + totals_gap(&f->totals), more;
	uint32_t ops = 0;

	for (size_t i = 0; i < c->all.len; i++) {
		const struct call *call = &c->all.at[i];

		like[i] = NOT_COUNTED;
		if (!counts(call))
			continue;
		like[i] = call_like(c, call);
		took_ns[i] = call->time_ns + call_own_gap(call);
		add(&all[like[i]], call, took_ns[i]);
		ops++;
	}
	for (size_t i = 0; i < 2 * (size_t)c->alikes + 2; i++)
		all[i].mean_ns = all[i].n ? (all[i].time_ns + all[i].gap_ns) / all[i].n : 0;
	find(&s);
	/* what begins the run is its warm-up */
	if (!s.from || s.to - s.from < STRETCH_OPS)
		return;
	weigh(&s);
	more = s.more_time_ns + s.more_gap_ns;
	if (s.ops < STRETCH_OPS || s.ops * STRETCH_PART > ops || more * STRETCH_OF_TOTAL < total ||
	    s.usual_ns <= 0 || s.usual_ns + more < STRETCH_TIMES * s.usual_ns ||
	    s.slower * 100 < s.ops * MOST_OF)
		return;
	describe(f, &s);
}

void other_part_add(struct findings *f, const struct calls *c)
{
	struct buf b = { 0 }, advice = { 0 };

	if (!c->other.rows || c->other.gap_ns <= f->totals.device_ns + totals_gap(&f->totals))
		return;
	buf_text(&b, "not in this part: the same ops after \"");
	width_clean(&b, c->other.name);
	buf_text(&b, "\" waited ");
	label_ns(&b, c->other.gap_ns);
	buf_text(&advice,
		 "--group-by signpost shows all parts; --signpost and --end-signpost choose one");
	*vec_push(&f->all) = (struct finding){ .what = FINDING_OTHER_PART,
					       .time_ns = c->other.gap_ns,
					       .calls = c->other.rows,
					       .text = b.at,
					       .advice = advice.at };
}

void slow_stretch_add(struct findings *f, const struct calls *c)
{
	if (c->all.len)
		add_stretch(f, c);
}
