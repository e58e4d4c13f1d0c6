// SPDX-License-Identifier: Apache-2.0
#include "runs/zone_stacks.h"

#include "base/width.h"

/* What is deeper, or beyond so many stacks, counts with the zone that it is inside of. */
enum { DEPTH_MAX = 64, NODES_MAX = 1 << 20, NAME_BYTES = 120 };

struct stack_node {
	uint32_t parent, loc;
	uint64_t calls;
	double total_ns, inside_ns;
};

struct stack_open {
	uint32_t node; /* TRACE_NONE: not counted by itself */
	int64_t start_ns;
};

struct stack_thread {
	VEC(struct stack_open) open;
};

struct stack_reader {
	double from_ns, to_ns;
	VEC(struct stack_node) nodes;
	struct u64map children; /* parent and location to node */
	VEC(struct stack_thread) threads;
};

static uint32_t node_of(struct stack_reader *r, uint32_t parent, uint32_t loc)
{
	uint32_t next = (uint32_t)r->nodes.len, node;
	bool added;

	if (next >= NODES_MAX)
		return u64map_get(&r->children, (uint64_t)parent << 32 | loc, &node) ? node
										     : TRACE_NONE;
	node = u64map_get_or_put(&r->children, (uint64_t)parent << 32 | loc, next, &added);
	if (added)
		*vec_push(&r->nodes) = (struct stack_node){ .parent = parent, .loc = loc };
	return node;
}

static void begin(void *ctx, uint32_t track, int64_t ns, uint32_t loc)
{
	struct stack_reader *r = ctx;
	uint32_t parent = TRACE_NONE, node = TRACE_NONE;
	struct stack_thread *thread;

	vec_reach(&r->threads, track, (struct stack_thread){ 0 });
	thread = &r->threads.at[track];
	if (thread->open.len)
		parent = thread->open.at[thread->open.len - 1].node;
	if (thread->open.len < DEPTH_MAX && (!thread->open.len || parent != TRACE_NONE))
		node = node_of(r, parent, loc);
	*vec_push(&thread->open) = (struct stack_open){ node, ns };
}

static void end(void *ctx, uint32_t track, int64_t ns, const struct trace_extra *x)
{
	struct stack_reader *r = ctx;
	struct stack_thread *thread;
	struct stack_open o;
	struct stack_node *node;
	double from, to;

	(void)x;
	if (track >= r->threads.len || !r->threads.at[track].open.len)
		return;
	thread = &r->threads.at[track];
	o = thread->open.at[--thread->open.len];
	if (o.node == TRACE_NONE || ns == TRACE_OPEN)
		return;
	from = (double)o.start_ns > r->from_ns ? (double)o.start_ns : r->from_ns;
	to = (double)ns < r->to_ns ? (double)ns : r->to_ns;
	if (to < from)
		return;
	node = &r->nodes.at[o.node];
	node->calls++;
	node->total_ns += to - from;
	if (node->parent != TRACE_NONE)
		r->nodes.at[node->parent].inside_ns += to - from;
}

/* "read in forward in step" */
static void name_node(struct buf *b, const struct stack_reader *r, const struct trace *t,
		      uint32_t n)
{
	buf_clear(b);
	for (; n != TRACE_NONE; n = r->nodes.at[n].parent) {
		struct str name = trace_loc_name(t, r->nodes.at[n].loc);

		if (b->len)
			buf_text(b, " in ");
		width_clean(b, name.len ? str_head(name, NAME_BYTES) : STR("(no name)"));
	}
}

/* Threads that do the same, and source locations of one name, are one stack. */
static void take(struct zone_stacks *z, const struct stack_reader *r, const struct trace *t)
{
	SCOPED(buf) struct buf text = { 0 };

	for (uint32_t i = 0; i < r->nodes.len; i++) {
		const struct stack_node *n = &r->nodes.at[i];
		double self = n->total_ns - n->inside_ns;
		struct zone_stack *to;
		uint32_t id;

		if (!n->calls)
			continue;
		name_node(&text, r, t, i);
		id = intern_copy(&z->texts, buf_view(&text));
		vec_reach(&z->all, id, (struct zone_stack){ 0 });
		to = &z->all.at[id];
		to->text = id;
		to->calls += n->calls;
		to->total_ns += n->total_ns;
		to->self_ns += self > 0 ? self : 0;
	}
}

enum ttp_rc zone_stacks_read(struct zone_stacks *z, struct trace *t, double from_ns, double to_ns,
			     struct ttp_err *e)
{
	struct stack_reader r = { .from_ns = from_ns, .to_ns = to_ns };
	struct trace_sink sink = { .ctx = &r, .zone_begin = begin, .zone_end = end };
	enum ttp_rc rc = trace_read(t, &sink, e);

	*z = (struct zone_stacks){ 0 };
	if (!rc)
		take(z, &r, t);
	vec_release_with(&r.threads, open);
	vec_release(&r.nodes);
	u64map_release(&r.children);
	return rc;
}

void zone_stacks_release(struct zone_stacks *z)
{
	intern_release(&z->texts);
	vec_release(&z->all);
}
