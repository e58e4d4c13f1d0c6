// SPDX-License-Identifier: Apache-2.0
#include "report/build_findings.h"

#include <stdlib.h>

#include "base/table.h"
#include "report/align.h"

enum {
	SHAPES_LEAST =
		3, /* shapes that come one by one inside of a run; fewer are the set-up of its next part */
	SHAPES_APART = 4, /* so many ops between them build nothing */
};

static const struct call *longest_build(const struct calls *c)
{
	const struct call *longest = NULL;

	vec_each (call, &c->all)
		if (call_builds(call) && call->gap_ns > (longest ? longest->gap_ns : 0))
			longest = call;
	return longest;
}

/*
 * Programs of ops that were there with other shapes, in a run that is on its way: most ops before each were called before, and several
 * between it and the last one that was built.
 */
static uint32_t new_shapes(const struct calls *c)
{
	SCOPED(mem) bool *known = mem_zero((size_t)c->alikes + 1, sizeof(*known));
	const uint32_t *codes = c->table->column[OPS_OP_CODE].text;
	struct u64map ops = { 0 };
	uint32_t n = 0, since = 0, again = 0, all = 0;

	vec_each (call, &c->all) {
		uint32_t alike = call_alike(c, call);
		bool is_new = !known[alike], new_op = true;

		if (call->flags & (CALL_HOST | CALL_MARKER | CALL_REPLAY) || !codes)
			continue;
		(void)u64map_get_or_put(&ops, codes[call->row], 0, &new_op);
		known[alike] = true;
		if (call->build_ns > 0 && is_new && !new_op && since >= SHAPES_APART &&
		    again * 2 >= all)
			n++;
		since = call->build_ns > 0 ? 0 : since + 1;
		again += !is_new;
		all++;
	}
	u64map_release(&ops);
	return n;
}

static void add_builds(struct findings *f, const struct calls *c)
{
	const struct totals *t = &f->totals;
	unsigned long long firsts = t->first_gaps, misses = t->build_gaps - firsts - t->again_gaps;
	const struct call *longest = longest_build(c);
	struct buf b = { 0 };
	uint32_t shapes;

	if (!(misses + firsts) || !longest)
		return;
	/* one number for misses everywhere; a first op has no gap before it */
	if (misses && misses < t->cache_misses)
		buf_printf(&b, "%llu program-cache misses, %llu of them after a gap",
			   (unsigned long long)t->cache_misses, misses);
	else if (misses)
		buf_printf(&b, "%llu program-cache miss%s", misses, misses == 1 ? "" : "es");
	if (misses && firsts)
		buf_text(&b, misses < t->cache_misses ? ", and " : " and ");
	if (firsts)
		buf_printf(&b,
			   firsts == 1 ? "%llu first call after a long gap"
				       : "%llu first calls after long gaps",
			   firsts);
	buf_text(&b, misses + firsts > 1 ? ": the host was building programs"
		     : misses            ? ": the host was building a program"
					 : ": the host was building its program");
	shapes = new_shapes(c);
	shapes = shapes >= SHAPES_LEAST && shapes * 2 >= misses + firsts ? shapes : 0;
	if (shapes)
		buf_printf(&b, "; %u of them for shapes that were new in the middle of the run",
			   shapes);
	*vec_push(&f->all) = (struct finding){
		.what = FINDING_BUILD,
		.saves_ns = t->build_gap_ns,
		.calls = (uint32_t)t->build_gaps,
		.time_ns = t->build_gap_ns,
		.id = longest->id,
		.text = b.at,
		.advice = mem_text(
			shapes ? "each new shape is a program of its own: pad inputs to a few sizes, and warm up with each of them"
			       : "warm up first, and set a signpost before the run that counts"),
	};
}

/* ---- programs that were built once more ---- */

/* Calls by their ops and programs: each device builds its own, where they are distinguished. */
struct program_calls {
	struct u64map ops, programs; /* to their numbers */
	uint32_t ops_n, programs_n;
};

static uint32_t number_of(struct u64map *map, uint32_t *n, uint64_t key)
{
	bool added;
	uint32_t number = u64map_get_or_put(map, key, *n, &added);

	*n += added;
	return number;
}

/* False: nothing tells its program.  *op, *program: numbers, the same for calls that are alike, and of one program. */
static bool number_program(struct program_calls *p, const struct calls *c, const struct call *call,
			   uint32_t *op, uint32_t *program)
{
	const uint32_t *hashes = c->table->column[OPS_PROGRAM_HASH].text;
	bool has_hash = hashes && ops_text(c->table, OPS_PROGRAM_HASH, call->row).len;
	int64_t device = -1;

	if (call->flags & CALL_HOST || (!has_hash && call->build_ns <= 0))
		return false;
	(void)row_device(c->table, call->row, &device);
	*op = number_of(&p->ops, &p->ops_n, (uint64_t)call_alike(c, call) << 32 | (uint32_t)device);
	*program = number_of(&p->programs, &p->programs_n,
			     (uint64_t)*op << 32 | (has_hash ? hashes[call->row] : UINT32_MAX));
	return true;
}

static void program_calls_release(struct program_calls *p)
{
	RELEASE(u64map, &p->ops, &p->programs);
}

typedef VEC(bool) flag_vec;

/* The attribute in which two texts of attributes begin to differ: "{'scalar': '1'; 'dim': '2'}".  Empty: they are the same, or no such texts. */
static struct str differing_attribute(struct str a, struct str b)
{
	size_t at = 0, from, to;

	while (at < a.len && at < b.len && a.at[at] == b.at[at])
		at++;
	if (at == a.len && at == b.len)
		return str_n("", 0);
	/* a key stands behind "{'" or "; '" */
	from = at < a.len ? at + 1 : at;
	while (from > 1 && !(a.at[from - 1] == '\'' &&
			     (a.at[from - 2] == '{' ||
			      (from > 2 && a.at[from - 2] == ' ' && a.at[from - 3] == ';'))))
		from--;
	to = from;
	while (to < a.len && a.at[to] != '\'')
		to++;
	return from > 1 && to < a.len ? str_n(a.at + from, to - from) : str_n("", 0);
}

/* What the caller chose for an op, such as the blocks of a product: each choice is a program, and was meant. */
static bool is_configuration(struct str attribute)
{
	return str_has_nocase(attribute, STR("config"));
}

/*
 * Programs that are called again after another one of the same op: a model that calls it with several in turn has them all, and
 * builds each of them once.
 */
static void find_returns(flag_vec *returns, const struct calls *c)
{
	struct program_calls p = { 0 };
	VEC(uint32_t) last = { 0 }; /* per op: its program + 1 */
	uint32_t op, program;

	vec_each (call, &c->all) {
		if (!number_program(&p, c, call, &op, &program))
			continue;
		vec_reach(&last, op, 0);
		if (program == returns->len)
			*vec_push(returns) = false;
		else if (last.at[op] != program + 1)
			returns->at[program] = true;
		last.at[op] = program + 1;
	}
	vec_release(&last);
	program_calls_release(&p);
}

/*
 * Programs that were built for ops that look like one that had a program already: another hash, and a gap that only building
 * explains.  If attributes differ, in a run that is on its way: where most calls before are first ones, they are built once each.  Or
 * the same one once more, by evidence of this call.
 */
static void add_rebuilds(struct findings *f, const struct calls *c)
{
	static const char *const changed =
		"make what changes from call to call an argument at run time: a new constant in a kernel "
		"is a new program";
	static const char *const gone =
		"keep the program cache: it is switched off, too small, or cleared between calls";
	struct finding n = { .what = FINDING_REBUILD };
	SCOPED(mem) bool *known_kind = mem_zero(c->kinds.len + 1, sizeof(*known_kind));
	struct program_calls p = { 0 };
	flag_vec returns = { 0 };
	struct buf b = { 0 };
	double most = 0;
	uint32_t same = 0, calls = 0, firsts = 0, alike = 0, op, program;
	SCOPED(vec) VEC(uint32_t) last_row = { 0 }; /* per op */
	struct str attribute = { 0 };               /* that differs */

	vec_each (call, &c->all) {
		uint32_t known_ops = p.ops_n, known = p.programs_n;
		struct str differs = { 0 };
		bool is_new, is_again;

		if (!number_program(&p, c, call, &op, &program))
			continue;
		is_new = program == known && ops_text(c->table, OPS_PROGRAM_HASH, call->row).len;
		vec_reach(&last_row, op, call->row);
		if (is_new)
			differs = differing_attribute(
				ops_text(c->table, OPS_ATTRIBUTES, last_row.at[op]),
				ops_text(c->table, OPS_ATTRIBUTES, call->row));
		last_row.at[op] = call->row;
		is_again = is_new ? op < known_ops && !is_configuration(differs) &&
					    (known_kind[call->kind] || firsts * 2 <= calls)
				  : !(call->flags & CALL_OPENS);
		known_kind[call->kind] = true;
		calls++;
		firsts += (call->flags & CALL_OPENS) != 0;
		if (!call_builds(call) || call->gap_ns < BUILD_GAP_NS || !is_again)
			continue;
		if (is_new && !returns.len)
			find_returns(&returns, c);
		if (is_new && returns.at[program])
			continue;
		same += !is_new;
		attribute = n.calls ? attribute : differs;
		alike += differs.len && str_eq(differs, attribute);
		n.calls++;
		n.saves_ns += call->gap_ns;
		if (call->gap_ns > most) {
			most = call->gap_ns;
			n.id = call->id;
		}
	}
	program_calls_release(&p);
	vec_release(&returns);
	if (!n.calls)
		return;
	buf_printf(&b, "%u recompilation%s: programs are built again %s", n.calls,
		   n.calls == 1 ? "" : "s",
		   same * 2 > n.calls ? "that were there before" : "for ops that had one");
	if (alike == n.calls) {
		buf_text(&b, ", each with another ");
		width_clean(&b, str_head(attribute, 60));
	}
	n.time_ns = n.saves_ns;
	n.text = b.at;
	n.advice = mem_text(same * 2 > n.calls ? gone : changed);
	*vec_push(&f->all) = n;
}

/* What is built again is reported by itself; where that is all, it is the only one. */
static void part_builds(struct findings *f)
{
	double again = 0;
	size_t kept = 0;

	vec_each (x, &f->all)
		if (x->what == FINDING_REBUILD)
			again += x->saves_ns;
	vec_each (x, &f->all) {
		if (x->what == FINDING_BUILD)
			x->saves_ns -= again < x->saves_ns ? again : x->saves_ns;
		if (x->what == FINDING_BUILD && x->saves_ns <= 0) {
			free(x->text);
			free(x->advice);
			continue;
		}
		f->all.at[kept++] = *x;
	}
	f->all.len = kept;
}

void build_findings_add(struct findings *f, const struct calls *c)
{
	if (!f->totals.build_gaps)
		return;
	add_builds(f, c);
	add_rebuilds(f, c);
	part_builds(f);
}
