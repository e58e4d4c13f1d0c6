// SPDX-License-Identifier: Apache-2.0
#include "trace/zone_cover.h"

#include <math.h>
#include <stdlib.h>

#include "base/keyed.h"
#include "base/number.h"
#include "base/order.h"
#include "trace/trace.h"

struct start {
	double from_ns;
	uint32_t stretch;
};

ORDER_BY(by_start, struct start, from_ns, stretch)

void zone_covers_init(struct zone_covers *c, struct zone_stretch *at, size_t n)
{
	SCOPED(mem) struct start *starts = mem_alloc(n + 1, sizeof(*starts));

	*c = (struct zone_covers){ .at = at,
				   .n = n,
				   .first_ns = INFINITY,
				   .last_ns = -INFINITY,
				   .shares = mem_zero(n + 1, sizeof(*c->shares)),
				   .order = mem_zero(n + 1, sizeof(*c->order)),
				   .ends = mem_zero(n + 1, sizeof(*c->ends)) };
	for (size_t i = 0; i < n; i++) {
		at[i].loc = TRACE_NONE;
		at[i].ns = 0;
		if (at[i].from_ns < at[i].to_ns)
			starts[c->asked++] = (struct start){ at[i].from_ns, (uint32_t)i };
	}
	if (c->asked)
		qsort(starts, c->asked, sizeof(*starts), by_start);
	for (size_t i = 0; i < c->asked; i++) {
		c->order[i] = starts[i].stretch;
		c->last_ns = number_max(c->last_ns, at[c->order[i]].to_ns);
		c->ends[i] = c->last_ns;
	}
	if (c->asked)
		c->first_ns = starts[0].from_ns;
}

static void add(struct zone_covers *c, double from_ns, double to_ns, uint32_t node)
{
	size_t low;

	if (to_ns <= c->first_ns || from_ns >= c->last_ns)
		return;
	/* those that start before its end, back to where none reaches its start */
	low = order_first(i, c->asked, c->at[c->order[i]].from_ns < to_ns);
	while (low-- && c->ends[low] > from_ns) {
		const struct zone_stretch *s = &c->at[c->order[low]];
		struct zone_shares *w = &c->shares[c->order[low]];
		double a = number_max(from_ns, s->from_ns), b = number_min(to_ns, s->to_ns);
		uint32_t k;

		if (!(a < b))
			continue;
		k = keyed_at(&w->index, node, &w->by_node, (struct zone_share){ .node = node });
		w->by_node.at[k].ns += b - a;
	}
}

static struct zone_thread *thread_of(struct zone_covers *c, uint32_t track)
{
	vec_reach(&c->threads, track, (struct zone_thread){ 0 });
	return &c->threads.at[track];
}

static void passes(struct zone_covers *c, struct zone_thread *k, int64_t ns)
{
	if (k->open.len && ns > k->since)
		add(c, (double)k->since, (double)ns, k->open.at[k->open.len - 1]);
	k->since = ns;
}

/* The same zone inside of the same zones of a thread is one node. */
static uint32_t node_of(struct zone_covers *c, uint32_t track, uint32_t parent, uint32_t loc)
{
	uint64_t above = parent == TRACE_NONE ? (uint64_t)track << 1 | 1 : (uint64_t)parent << 1;
	bool added;
	uint32_t n =
		u64map_get_or_put(&c->children, above << 32 ^ loc, (uint32_t)c->nodes.len, &added);

	if (added)
		*vec_push(&c->nodes) =
			(struct zone_node){ .parent = parent, .loc = loc, .track = track };
	return n;
}

void zone_covers_enter(struct zone_covers *c, uint32_t track, int64_t ns, uint32_t loc)
{
	struct zone_thread *k;
	uint32_t node;

	if (!c->asked)
		return;
	k = thread_of(c, track);
	passes(c, k, ns);
	node = node_of(c, track, k->open.len ? k->open.at[k->open.len - 1] : TRACE_NONE, loc);
	*vec_push(&k->open) = node;
}

void zone_covers_leave(struct zone_covers *c, uint32_t track, int64_t ns)
{
	struct zone_thread *k;

	if (!c->asked)
		return;
	k = thread_of(c, track);
	if (ns != TRACE_OPEN)
		passes(c, k, ns);
	k->open.len -= k->open.len > 0;
}

/* ---- what zones are ---- */

enum zone_work { WORK_OTHER, WORK_BUILD, WORK_PROFILER, WORK_OP };
enum zone_part { PART_NAME, PART_START, PART_FILE };

static enum zone_work work_of(const struct trace *t, uint32_t loc)
{
	static const struct {
		enum zone_work work;
		enum zone_part part;
		struct str text;
	} known[] = {
#define ZONE_WORK(kind, part, text) { WORK_##kind, PART_##part, STR_INIT(text) },
#include "trace/zone_work.def"
#undef ZONE_WORK
	};
	struct str name = trace_loc_name(t, loc);
	struct str file = trace_str(t, trace_loc_at(t, loc)->file);

	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (known[i].part == PART_NAME    ? str_eq(name, known[i].text)
		    : known[i].part == PART_START ? str_starts(name, known[i].text)
						  : str_has(file, known[i].text))
			return known[i].work;
	return WORK_OTHER;
}

/* What is known of nodes: a zone inside of the profiler's is the profiler's. */
struct node_facts {
	enum zone_work work;
	bool inside_op;
	bool calls_ops; /* a zone of an op is inside of it, in one of its calls */
};

struct finishing {
	struct zone_covers *c;
	const struct trace *t;
	struct node_facts *node;
	bool *op_thread; /* per track */
	bool any_op;
};

static void look_at_nodes(struct finishing *f)
{
	struct zone_covers *c = f->c;

	/* parents come before what is inside of them */
	for (uint32_t i = 0; i < c->nodes.len; i++) {
		const struct zone_node *n = &c->nodes.at[i];
		enum zone_work mine = f->t ? work_of(f->t, n->loc) : WORK_OTHER;
		const struct node_facts *above =
			n->parent == TRACE_NONE ? NULL : &f->node[n->parent];

		if (above && (above->work == WORK_BUILD || above->work == WORK_PROFILER))
			mine = above->work;
		f->node[i].work = mine;
		f->node[i].inside_op = above && (above->inside_op || above->work == WORK_OP);
		if (mine != WORK_OP)
			continue;
		f->any_op = f->op_thread[n->track] = true;
		for (uint32_t k = n->parent; k != TRACE_NONE && !f->node[k].calls_ops;
		     k = c->nodes.at[k].parent)
			f->node[k].calls_ops = true;
	}
}

/*
 * A function written in C has no source location to look at: what it takes is work of the Python function that calls it.  A module's body calls
 * anything, so that there its own name says more.
 */
static uint32_t whose(const struct finishing *f, uint32_t node)
{
	const struct zone_node *n = &f->c->nodes.at[node], *above;

	while (f->t && n->parent != TRACE_NONE && !trace_loc_at(f->t, n->loc)->line &&
	       str_starts(trace_loc_name(f->t, n->loc), STR("PY_FUNC_"))) {
		above = &f->c->nodes.at[n->parent];
		if (f->node[n->parent].work != WORK_OTHER ||
		    str_eq(trace_loc_name(f->t, above->loc), STR("PY_FUNC_<module>")))
			break;
		node = n->parent;
		n = above;
	}
	return node;
}

static double at_most(double ns, double most)
{
	return ns < most ? ns : most;
}

/* The zone with most of a kind; NULL: none has a tenth of `of`. */
static const struct zone_share *most_of(const struct finishing *f, const struct zone_share *at,
					size_t n, unsigned works, double of)
{
	const struct zone_share *most = NULL;

	for (size_t i = 0; i < n; i++)
		if (works >> f->node[at[i].node].work & 1 && (!most || at[i].ns > most->ns))
			most = &at[i];
	return most && most->ns * 10 >= of ? most : NULL;
}

/* A helper says less than who calls it, up to what calls ops, which is the program itself. */
static uint32_t works_for(const struct finishing *f, uint32_t node)
{
	uint32_t from = TRACE_NONE, mine = f->c->nodes.at[node].loc;

	for (uint32_t k = f->c->nodes.at[node].parent; k != TRACE_NONE && f->any_op;
	     k = f->c->nodes.at[k].parent) {
		if (f->node[k].calls_ops || f->node[k].work != WORK_OTHER)
			return from;
		if (f->c->nodes.at[k].loc != mine)
			from = f->c->nodes.at[k].loc;
	}
	/* nothing above it calls ops: it is another thread's, or the trace begins inside */
	return TRACE_NONE;
}

static void name_cover(const struct finishing *f, struct zone_stretch *s,
		       const struct zone_share *at, size_t n)
{
	double of = s->to_ns - s->from_ns, rest = of - at_most(s->build_ns + s->profiler_ns, of);
	const struct zone_share *most = most_of(f, at, n, ~(1U << WORK_OP), of);
	const struct zone_share *own = most_of(f, at, n, 1U << WORK_OTHER, rest);

	if (!most) { /* ops only where nothing else covers it */
		most = most_of(f, at, n, 1U << WORK_OP, of);
		s->is_op = most != NULL;
	}
	s->loc = most ? f->c->nodes.at[most->node].loc : TRACE_NONE;
	s->ns = most ? most->ns : 0;
	s->own_loc = own ? f->c->nodes.at[own->node].loc : TRACE_NONE;
	s->own_ns = own ? own->ns : 0;
	s->own_from = own ? works_for(f, own->node) : TRACE_NONE;
}

static bool is_of(const struct trace *t, uint32_t track, int64_t pid)
{
	return (int64_t)t->processes.at[t->tracks.at[track].process].pid == pid;
}

/* Whose zones count; 0: everybody's, as of a process that sent nothing. */
static int64_t only_of(const struct trace *t, int64_t pid)
{
	for (size_t i = 0; t && pid && i < t->processes.len; i++)
		if ((int64_t)t->processes.at[i].pid == pid)
			return pid;
	return 0;
}

static void finish_stretch(struct finishing *f, size_t i)
{
	struct zone_stretch *s = &f->c->at[i];
	struct zone_shares *w = &f->c->shares[i];
	struct u64map index = { 0 };
	VEC(struct zone_share) by_loc = { 0 }; /* node: of the location */
	double of = s->to_ns - s->from_ns;
	int64_t pid = only_of(f->t, s->pid);

	s->build_ns = s->profiler_ns = s->work_ns = 0;
	vec_each (p, &w->by_node) {
		const struct zone_node *n = &f->c->nodes.at[p->node];
		const struct node_facts *facts = &f->node[p->node];
		bool added;
		uint32_t k, node;

		if (pid && !is_of(f->t, n->track, pid))
			continue;
		if (facts->work == WORK_BUILD)
			s->build_ns += p->ns;
		else if (facts->work == WORK_PROFILER)
			s->profiler_ns += p->ns;
		else if (f->any_op && !f->op_thread[n->track])
			continue;
		else if (facts->work == WORK_OTHER && !facts->calls_ops && !facts->inside_op &&
			 f->any_op)
			s->work_ns += p->ns;
		node = facts->work == WORK_OTHER ? whose(f, p->node) : p->node;
		k = u64map_get_or_put(&index, f->c->nodes.at[node].loc, (uint32_t)by_loc.len,
				      &added);
		if (added)
			*vec_push(&by_loc) = (struct zone_share){ .node = node };
		by_loc.at[k].ns += p->ns;
	}
	name_cover(f, s, by_loc.at, by_loc.len);
	s->build_ns = at_most(s->build_ns, of);
	s->profiler_ns = at_most(s->profiler_ns, of);
	s->work_ns = at_most(s->work_ns, of);
	vec_release(&by_loc);
	u64map_release(&index);
}

void zone_covers_finish(struct zone_covers *c, const struct trace *t)
{
	struct finishing f = { .c = c, .t = t };

	f.node = mem_zero(c->nodes.len + 1, sizeof(*f.node));
	f.op_thread = mem_zero(c->threads.len + 1, sizeof(*f.op_thread));
	look_at_nodes(&f);
	for (size_t i = 0; i < c->n; i++) {
		finish_stretch(&f, i);
		vec_release(&c->shares[i].by_node);
		u64map_release(&c->shares[i].index);
	}
	vec_release_with(&c->threads, open);
	vec_release(&c->nodes);
	u64map_release(&c->children);
	RELEASE(mem, &c->shares, &c->order, &c->ends, &f.node, &f.op_thread);
	c->asked = c->n = 0;
}
