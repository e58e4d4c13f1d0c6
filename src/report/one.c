// SPDX-License-Identifier: Apache-2.0
/* One op on one screen: what it is, how near it comes to which limit, what it waits for, what to do. */
#include "base/number.h"
#include "base/opt.h"
#include "base/table.h"
#include "report/align.h"
#include "report/label.h"
#include "report/report.h"
#include "report/steps.h"

struct page {
	const struct report *r;
	const struct call *call;
	struct buf *b;
	struct buf scratch;
};

/* A cell of the op's row as it stands in the report. */
static struct str source(struct page *p, enum ops_col col)
{
	return ops_source_text(p->r->table, p->call->row, ops_col_info[col].name, &p->scratch);
}

static bool source_number(struct page *p, enum ops_col col, double *v)
{
	return number_double(source(p, col), v);
}

static void add_ns(struct page *p, double ns)
{
	SCOPED(buf) struct buf t = { 0 };

	label_ns(&t, ns);
	width_pad(p->b, buf_view(&t), 9, WIDTH_RIGHT);
}

/* Moves text from a report to the page: what it says can't steer the terminal. */
static void add_clean(struct page *p, struct buf *text)
{
	width_clean(p->b, buf_view(text));
	buf_clear(text);
}

static void title(struct page *p)
{
	const struct kind *k = call_kind(&p->r->calls, p->call);
	SCOPED(buf) struct buf t = { 0 };

	buf_printf(p->b, "op %u  ", p->call->id);
	label_call(&t, p->r->table, &p->r->calls, p->call);
	add_clean(p, &t);
	label_types(&t, p->r->table, k);
	if (t.len)
		buf_text(p->b, "  ");
	add_clean(p, &t);
	buf_text(p->b, "\n\n");
}

static void times(struct page *p)
{
	const struct call *call = p->call;

	buf_text(p->b, call->flags & CALL_HOST ? "  host time   " : "  device time ");
	if (call->flags & CALL_UNTIMED)
		buf_text(p->b, call->flags & CALL_CAPTURED
				       ? "none: captured into a trace, its replays have times"
				       : "not in the report");
	else
		add_ns(p, call->time_ns);
	if (!(call->flags & (CALL_UNTIMED | CALL_HOST | CALL_MARKER)))
		buf_printf(p->b, "   %.1f %% of all%s", report_share(p->r, call),
			   report_gap(call) > 0 ? ", with the gap before it" : "");
	buf_char(p->b, '\n');
	if (call->zones_ns > 0) {
		buf_text(p->b, "  less zones  ");
		add_ns(p, call->time_ns - (double)call->zones_ns);
		buf_text(p->b, "   without what the profiler's zones in it cost\n");
	}
	if (call->gap_ns < 0 || call->gap_ns > 0) {
		buf_text(p->b, "  gap before  ");
		add_ns(p, call->gap_ns);
		if (call->flags & CALL_CACHE_MISS)
			buf_text(p->b, "   program-cache miss: the program was built");
		else if (call->flags & CALL_BUILT)
			buf_text(
				p->b,
				call->flags & CALL_OPENS
					? "   first call of its program, which was built"
					: "   the host took long for this call: the program was built");
		else if (call->flags & CALL_MARKER && call_own_gap(call) <= 0)
			buf_text(p->b, "   of the profiler: not counted");
		else if (call->flags & CALL_PAUSE)
			buf_text(p->b, "   a pause apart from all other gaps: not counted");
		buf_char(p->b, '\n');
	}
	if (call->devices > 1) {
		buf_printf(p->b, "  devices     %9u   slowest less fastest ", call->devices);
		label_ns(p->b, (double)call->skew_ns);
		buf_char(p->b, '\n');
	}
}

static size_t bar_width(const struct page *p)
{
	return p->r->o->term.width < 100 ? 12 : 24;
}

static void add_work(struct page *p, const struct roofline *k)
{
	buf_printf(p->b, "%.2f GFLOP on %.0f core%s, ", k->shape.flop / 1e9, k->matrix_cores,
		   k->matrix_cores > 1 ? "s" : "");
	if (k->passes)
		buf_printf(p->b, "%d pass%s", k->passes, k->passes == 1 ? "" : "es");
	else
		buf_text(p->b, "as LoFi");
}

static void roofs(struct page *p)
{
	const struct roofline *k = &call_kind(&p->r->calls, p->call)->roof;

	if (!k->shape.tensors || p->call->flags & (CALL_HOST | CALL_UNTIMED))
		return;
	buf_text(p->b, "\nLimits\n");
	for (int i = 0; i < ROOFS; i++) {
		double percent = call_percent_of(&p->r->calls, p->call, (enum roof)i);

		if (k->ns[i] <= 0)
			continue;
		buf_printf(p->b, "  %-5s", roof_name((enum roof)i));
		add_ns(p, k->ns[i]);
		buf_text(p->b, "  ");
		bar_add(p->b, percent / 100, bar_width(p), p->r->o->term.utf8);
		buf_printf(p->b, " %3.0f %%  ", percent);
		if (i == ROOF_DRAM)
			buf_printf(p->b, "%.2f MB of tensors at %.0f GB/s",
				   k->shape.dram_bytes / 1e6, p->r->calls.on.chip->dram_gbps);
		else if (i == ROOF_FLOP)
			add_work(p, k);
		else if (i == ROOF_L1)
			buf_printf(p->b, "%.2f MB in, %.2f MB out, through %.0f core%s",
				   (k->shape.window_bytes > k->shape.in_bytes
					    ? k->shape.window_bytes
					    : k->shape.in_bytes) /
					   1e6,
				   k->shape.out_bytes / 1e6, k->cores, k->cores > 1 ? "s" : "");
		else
			buf_text(p->b, "its ethernet links, both ways round the ring");
		buf_char(p->b, '\n');
	}
	if (k->ideal_ns <= 0) {
		buf_text(p->b, "  none that applies is known\n");
		return;
	}
	buf_text(p->b, "  At best it takes ");
	label_ns(p->b, k->ideal_ns);
	if (call_roof_percent(&p->r->calls, p->call) > ROOF_BELIEVED_PERCENT)
		buf_text(p->b, " here, but it took less: these may be another call's tensors.\n");
	else if (p->call->time_ns > 0)
		buf_printf(p->b, " here; it took %.1f times as long.\n",
			   p->call->time_ns / k->ideal_ns);
	else
		buf_text(p->b, " here.\n");
}

static void tensors(struct page *p)
{
	const struct ops_table *t = p->r->table;
	SCOPED(buf) struct buf text = { 0 };
	bool any = false;

	for (size_t i = 0; i < t->tensor_slots.len; i++) {
		const struct tensor *x = ops_tensor(t, i, p->call->row);

		if (!x)
			continue;
		if (!any)
			buf_text(p->b, "\nTensors\n");
		any = true;
		buf_printf(p->b, "  %-6s %u  ", t->tensor_slots.at[i].output ? "output" : "input",
			   t->tensor_slots.at[i].index);
		label_tensor(&text, t, x);
		add_clean(p, &text);
		buf_char(p->b, '\n');
	}
}

/* The five processors of a core run side by side: the longest sets the time. */
static void processors(struct page *p)
{
	static const struct {
		enum ops_col col;
		const char *name;
	} riscs[] = {
		{ OPS_BRISC, "BRISC   writer" },  { OPS_NCRISC, "NCRISC  reader" },
		{ OPS_TRISC0, "TRISC0  unpack" }, { OPS_TRISC1, "TRISC1  math" },
		{ OPS_TRISC2, "TRISC2  pack" },   { OPS_ERISC, "ERISC   ethernet" },
	};
	bool any = false;

	for (size_t i = 0; i < sizeof(riscs) / sizeof(riscs[0]); i++) {
		double ns;

		if (!source_number(p, riscs[i].col, &ns) || ns <= 0)
			continue;
		if (!any)
			buf_text(p->b, "\nKernels by processor\n");
		any = true;
		buf_printf(p->b, "  %-17s", riscs[i].name);
		add_ns(p, ns);
		buf_text(p->b, "  ");
		bar_add(p->b, p->call->time_ns > 0 ? ns / p->call->time_ns : 0, 24,
			p->r->o->term.utf8);
		buf_char(p->b, '\n');
	}
}

static void cores(struct page *p)
{
	double least, most, mean, first_to_last;

	if (source_number(p, OPS_CORE_MIN, &least) && source_number(p, OPS_CORE_MAX, &most) &&
	    source_number(p, OPS_CORE_AVG, &mean) && mean > 0) {
		buf_text(p->b, "\nCores\n  fastest ");
		label_ns(p->b, least);
		buf_text(p->b, ", mean ");
		label_ns(p->b, mean);
		buf_text(p->b, ", slowest ");
		label_ns(p->b, most);
		buf_printf(p->b, ": imbalance %.0f %%\n", 100 * (most / mean - 1));
		if (source_number(p, OPS_FIRST_TO_LAST, &first_to_last)) {
			buf_text(p->b, "  first to last start ");
			label_ns(p->b, first_to_last);
			buf_char(p->b, '\n');
		}
	}
}

static bool is_like(const struct page *p, const struct call *call)
{
	return call_like(&p->r->calls, call) == call_like(&p->r->calls, p->call);
}

/* Like calls over the run, oldest first, as bars from the fastest to the slowest. */
static void history(struct page *p)
{
	enum { SHOWN = 60 };
	static const char *const steps[] = { "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█" };
	const struct calls *c = &p->r->calls;
	double least = p->call->time_ns, most = least, sum = 0;
	uint32_t n = 0, done = 0;

	vec_each (call, &c->all) {
		if (!is_like(p, call))
			continue;
		least = call->time_ns < least ? call->time_ns : least;
		most = call->time_ns > most ? call->time_ns : most;
		sum += call->time_ns;
		n++;
	}
	if (n < 2 || p->call->flags & CALL_UNTIMED)
		return;
	buf_printf(p->b, "\nAll %u calls like it\n  ", n);
	vec_each (call, &c->all) {
		double part = most > least ? (call->time_ns - least) / (most - least) : 0;
		int step = (int)(part * 7.99);

		if (!is_like(p, call) || done++ >= SHOWN)
			continue;
		if (p->r->o->term.utf8)
			buf_text(p->b, steps[step]);
		else
			buf_char(p->b, ".:-=+*#@"[step]);
	}
	buf_text(p->b, n > SHOWN ? "…\n  " : "\n  ");
	buf_text(p->b, "fastest ");
	label_ns(p->b, least);
	buf_text(p->b, ", mean ");
	label_ns(p->b, sum / n);
	buf_text(p->b, ", slowest ");
	label_ns(p->b, most);
	buf_char(p->b, '\n');
}

static void neighbours(struct page *p)
{
	const struct calls *c = &p->r->calls;
	size_t at = (size_t)(p->call - c->all.at);
	size_t from = at < 2 ? 0 : at - 2, to = at + 3 < c->all.len ? at + 3 : c->all.len;
	SCOPED(buf) struct buf t = { 0 };

	buf_text(p->b, "\nAround it\n");
	for (size_t i = from; i < to; i++) {
		const struct call *call = &c->all.at[i];

		buf_printf(p->b, "  %s%5u  ", i == at ? ">" : " ", call->id);
		if (call->flags & CALL_UNTIMED)
			width_pad(p->b, STR("?"), 9, WIDTH_RIGHT);
		else
			add_ns(p, call->time_ns);
		buf_text(p->b, "  ");
		label_call(&t, p->r->table, c, call);
		add_clean(p, &t);
		buf_char(p->b, '\n');
	}
}

static void kernels(struct page *p)
{
	static const enum ops_col cols[] = { OPS_COMPUTE_SOURCE, OPS_DM_SOURCE };

	for (size_t i = 0; i < 2; i++) {
		struct str rest = source(p, cols[i]), piece;

		if (str_starts(rest, STR("[")) && str_ends(rest, STR("]")))
			rest = str_n(rest.at + 1, rest.len - 2);
		if (!rest.len)
			continue;
		buf_text(p->b, i ? "\nData movement kernels\n" : "\nCompute kernels\n");
		while (str_split(&rest, ';', &piece)) {
			piece = str_trim(piece);
			if (piece.len > 1 && piece.at[0] == '\'')
				piece = str_n(piece.at + 1, piece.len - 2);
			buf_text(p->b, "  ");
			width_clean(p->b, piece);
			buf_char(p->b, '\n');
		}
	}
}

static void advice(struct page *p)
{
	SCOPED(buf) struct buf a = { 0 };

	advise_op(&a, &p->r->calls, p->call, "\n  - ");
	if (a.len) {
		buf_text(p->b, "\nWhat to do\n  - ");
		buf_str(p->b, buf_view(&a));
		buf_char(p->b, '\n');
	}
}

bool report_one(const struct report *r, uint32_t id, struct out *out)
{
	SCOPED(buf) struct buf b = { 0 }, fitted = { 0 }, plain = { 0 };
	struct page p = { .r = r, .b = &b };
	struct str marker;

	vec_each (call, &r->calls.all)
		if (call->id == id)
			p.call = call;
	if (!p.call)
		return false;
	title(&p);
	if (row_is_marker(r->table, p.call->row, &marker))
		buf_text(&b, "  a marker: it parts the run, and does nothing itself\n");
	times(&p);
	roofs(&p);
	processors(&p);
	cores(&p);
	advice(&p);
	history(&p);
	neighbours(&p);
	tensors(&p);
	kernels(&p);
	opt_wrap_lines(&fitted, buf_view(&b), 4, r->o->term.width);
	if (r->o->term.utf8) {
		out_buf(out, &fitted);
	} else {
		width_ascii(&plain, buf_view(&fitted));
		out_buf(out, &plain);
	}
	buf_release(&p.scratch);
	return true;
}
