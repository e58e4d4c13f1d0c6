// SPDX-License-Identifier: Apache-2.0
/* The screen: what the report covers, the verdict, what to fix first, the ops. */

#include "base/number.h"
#include "base/opt.h"
#include "base/table.h"
#include "report/chip_fit.h"
#include "report/headline.h"
#include "report/label.h"
#include "report/listing.h"
#include "report/processes.h"
#include "report/report.h"
#include "report/steps.h"

/* Text that was built with Unicode goes to the screen as the screen can show it. */
static void put(const struct report *r, struct out *out, struct buf *b)
{
	struct buf plain = { 0 };

	if (r->o->term.utf8) {
		out_buf(out, b);
		return;
	}
	width_ascii(&plain, buf_view(b));
	out_buf(out, &plain);
	buf_release(&plain);
	buf_clear(b);
}

static void put_line(const struct report *r, struct out *out, struct buf *b)
{
	put(r, out, b);
	out_char(out, '\n');
}

/* ---- head ---- */

static void describe_source(const struct report *r, struct buf *b)
{
	const struct ops_file *f = r->table->files.at;
	struct str name = str_of(f->in.name);
	size_t slash = str_rfind_char(name, '/');

	width_clean(b, slash == STR_NONE ? name : str_from(name, slash + 1));
	if (r->table->files.len > 1)
		buf_printf(b, " and %zu more", r->table->files.len - 1);
}

static void describe_chip(const struct report *r, struct buf *b)
{
	const struct roof_chip *on = &r->calls.on;

	if (!r->calls.chip_figures) {
		width_clean(b, r->calls.arch);
		if (!r->calls.arch.len)
			buf_text(b, "unknown chip");
	} else if (r->calls.chip_named) {
		buf_text(b, on->chip->name);
	} else {
		buf_str(b, str_of(on->chip->arch));
		if (!r->calls.chip_sure)
			buf_printf(b, " (as %s)", on->chip->id);
	}
	if (on->workers > 0)
		buf_printf(b, ", %.0f cores", on->workers);
}

void report_part_text(const struct report *r, struct buf *b)
{
	const struct calls *c = &r->calls;

	if (c->own_starts) {
		buf_text(b, " · after the last signpost of each process");
	} else if (c->start.len) {
		buf_text(b, " · after \"");
		width_clean(b, c->start);
		buf_text(b, c->by_process ? "\" of each process" : "\"");
	}
	if (c->end.len) {
		buf_text(b, c->start.len ? " until \"" : " · until \"");
		width_clean(b, c->end);
		buf_text(b, "\"");
	}
	if (c->is_steady && c->steady.repeats)
		buf_printf(b, " · steady part: %u repeat%s of %u ops", c->steady.repeats,
			   c->steady.repeats == 1 ? "" : "s", c->steady.period);
	else if (c->is_steady)
		buf_text(b, " · replays of traces");
	if (c->left_out_rows)
		buf_printf(b, " (%llu of %llu device ops)", (unsigned long long)c->device_rows,
			   (unsigned long long)(c->device_rows + c->left_out_rows));
	if (!c->start.len && !c->end.len && !c->is_steady && c->signpost_rows)
		buf_text(b, " · whole file");
}

static void add_head(const struct report *r, struct buf *b)
{
	SCOPED(buf) struct buf account = { 0 }, t = { 0 };
	uint32_t steps = steps_count(&r->calls);
	size_t left, right;

	describe_source(r, &t);
	if (r->calls.devices) {
		buf_text(&t, " · ");
		describe_chip(r, &t);
		buf_printf(&t, " · %u device%s", r->calls.devices,
			   r->calls.devices == 1 ? "" : "s");
		if (r->calls.programs_apart)
			buf_printf(&t, " of %u programs", r->calls.programs_apart);
		if (r->o->clock_note)
			buf_printf(&t, " · %s", r->o->clock_note);
	}
	if (steps)
		buf_printf(&t, " · %u step%s", steps, steps == 1 ? "" : "s");
	report_part_text(r, &t);
	/* an op has a row on each device */
	account_summary(&r->calls.account,
			r->calls.devices > 1 ? STR("rows (one per op and device)") : STR("ops"),
			&account);
	if (r->calls.markers)
		buf_printf(&account, " · %u of the profiler's markers", r->calls.markers);
	left = width_text(buf_view(&t));
	right = width_text(buf_view(&account));
	if (left + right + 3 <= (size_t)r->o->term.width) {
		buf_str(b, buf_view(&t));
		buf_fill(b, ' ', (size_t)r->o->term.width - left - right);
	} else {
		opt_wrap(b, t.at, 0, 0, r->o->term.width);
	}
	opt_wrap_lines(b, buf_view(&account), 0, r->o->term.width);
	if (b->len && b->at[b->len - 1] == '\n')
		b->at[--b->len] = 0;
}

/* ---- verdict ---- */

enum { PARTS_SHOWN = 10, PROGRAMS_SHOWN = 8 };

/* What stands beside the bar: name, time, percent; and what may follow, "and 90.3 ms building programs" */
enum { BESIDE_BAR = 27, AFTER_BAR = 33, BAR_MIN = 8, BAR_MAX = 44 };

static void add_bar_line(const struct report *r, struct buf *b, const char *name, double ns,
			 double of, const char *more)
{
	int room = r->o->term.width - BESIDE_BAR - AFTER_BAR;
	int bar = room < BAR_MIN ? BAR_MIN : room > BAR_MAX ? BAR_MAX : room;
	SCOPED(buf) struct buf time = { 0 };

	label_ns(&time, ns);
	buf_printf(b, "  %-7s", name);
	width_pad(b, buf_view(&time), 9, WIDTH_RIGHT);
	buf_text(b, "   ");
	bar_add(b, of > 0 ? ns / of : 0, (size_t)bar, r->o->term.utf8);
	buf_printf(b, " %3.0f %%", of > 0 ? 100 * ns / of : 0);
	if (*more)
		buf_printf(b, "%s%s", room < BAR_MIN ? "\n  " : "   ", more);
	buf_char(b, '\n');
}

static void add_verdict(const struct report *r, struct buf *b)
{
	const struct totals *t = &r->findings.totals;
	double gaps = totals_gap(t), of = t->device_ns + gaps;
	struct buf more = { 0 }, line = { 0 }, aside = { 0 };
	struct str rest, piece;

	headline_add(&more, r);
	opt_wrap(&line, more.at, 0, 0, r->o->term.width);
	rest = buf_view(&line);
	while (str_split(&rest, '\n', &piece) && piece.len) {
		colour_text(b, piece, COLOUR_BOLD, r->o->term.colour);
		buf_char(b, '\n');
	}
	buf_release(&line);
	buf_clear(&more);
	add_bar_line(r, b, "device", t->device_ns, of, "");
	headline_aside(&aside, t);
	if (r->calls.is_steady) {
		buf_text(&aside, aside.len ? ", " : "");
		label_ns(&aside, r->calls.steady.warm_up_ns);
		buf_text(&aside, " of warm-up before this part (all of it: --ignore-signposts)");
	}
	if (t->build_gaps) {
		buf_text(&more, "and ");
		label_ns(&more, t->build_gap_ns);
		buf_text(&more, " building programs");
	} else if (aside.len && width_text(buf_view(&aside)) + 7 <= AFTER_BAR) {
		buf_printf(&more, "and %s", aside.at);
		buf_clear(&aside);
	}
	add_bar_line(r, b, "gaps", gaps, of, more.at ? more.at : "");
	if (aside.len) {
		buf_text(b, "  aside  ");
		opt_wrap(b, aside.at, 9, 9, r->o->term.width);
	}
	buf_release(&aside);
	buf_release(&more);
}

/* Names are as long as people make them; what is said of them has to fit beside what it saves. */
static void add_words(struct buf *b, const char *text, size_t width)
{
	enum { LONGEST_WORD = 60, BESIDE = 16 };
	size_t most = width - BESIDE < LONGEST_WORD ? width - BESIDE : LONGEST_WORD;
	SCOPED(buf) struct buf clean = { 0 };

	width_clean(&clean, str_of(text));
	width_cut_words(b, buf_view(&clean), most, true);
}

/* A finding's sentence in lines of at most `width` columns, what it saves at the end of the first. */
static void add_sentence(struct buf *b, const struct finding *f, size_t n, size_t width)
{
	SCOPED(buf) struct buf text = { 0 }, lines = { 0 }, saves = { 0 };
	struct str rest, line;
	bool first = true;

	add_words(&text, f->text, width);
	if (f->saves_ns > 0 || f->what == FINDING_FALLBACK) {
		buf_text(&saves, "~");
		label_ns(&saves, f->saves_ns);
	}
	opt_wrap(&lines, text.at, 5, 5, (int)width - 11);
	buf_printf(b, "  %zu  ", n);
	rest = buf_view(&lines);
	while (str_split(&rest, '\n', &line) && (line.len || first)) {
		if (first) {
			width_pad(b, line, saves.len ? width - 15 : 0, WIDTH_LEFT);
			if (saves.len)
				width_pad(b, buf_view(&saves), 10, WIDTH_RIGHT);
		} else {
			buf_str(b, line);
		}
		buf_char(b, '\n');
		first = false;
	}
}

static void add_advice(const struct report *r, struct buf *b, const struct finding *f, size_t width)
{
	SCOPED(buf) struct buf text = { 0 }, lines = { 0 };
	struct str rest, line;

	add_words(&text, f->advice, width);
	if (f->id && f->what != FINDING_GONE && f->what != FINDING_CALL)
		buf_printf(&text, f->what == FINDING_OP ? " (e.g. op %u)" : " (most: op %u)",
			   f->id);
	buf_text(&lines, "     → ");
	opt_wrap(&lines, text.at, 7, 7, (int)width);
	rest = buf_view(&lines);
	while (str_split(&rest, '\n', &line) && line.len) {
		colour_text(b, line, COLOUR_CYAN, r->o->term.colour);
		buf_char(b, '\n');
	}
}

static void add_findings(const struct report *r, struct buf *b)
{
	size_t width = (size_t)r->o->term.width < 130 ? (size_t)r->o->term.width : 130;
	bool all = r->chosen >= report_ops(r);
	size_t n = 0;

	if (width < 40)
		width = 40;
	width_pad(b, all ? STR("What to fix first") : STR("What to fix first, of all ops"),
		  width - 10, WIDTH_LEFT);
	buf_text(b, "could save\n");
	vec_each (f, &r->findings.all) {
		if (n == 3)
			break;
		add_sentence(b, f, ++n, width);
		if (f->advice)
			add_advice(r, b, f, width);
	}
	if (!n)
		buf_text(b, "  nothing that these numbers show\n");
}

/* ---- the table ---- */

static void list_ops(const struct report *r, struct out *out)
{
	struct listing l;

	listing_make(&l, r);
	table_print(&l.table, out);
	listing_release(&l);
}

static void wrap(const struct report *r, struct buf *b, const char *text)
{
	opt_wrap(b, text, 0, 0, r->o->term.width);
}

static bool shows(const struct report *r, enum field f)
{
	for (size_t i = 0; r->o->columns && i < r->o->column_count; i++)
		if (r->o->columns[i] == f)
			return true;
	return !r->o->columns;
}

static void add_foot(const struct report *r, struct buf *b)
{
	bool folded = r->chosen_lines < r->chosen;
	size_t ops = report_ops(r);
	SCOPED(buf) struct buf t = { 0 };

	buf_char(b, '\n');
	buf_printf(&t, "%llu op%s", (unsigned long long)r->chosen, r->chosen == 1 ? "" : "s");
	if (r->chosen < ops)
		buf_printf(&t, " of %zu", ops);
	if (folded)
		buf_printf(&t, " in %llu line%s", (unsigned long long)r->chosen_lines,
			   r->chosen_lines == 1 ? "" : "s");
	buf_text(&t, ", device ");
	label_ns(&t, r->chosen_ns);
	buf_text(&t, ", gaps ");
	label_ns(&t, r->chosen_gap_ns);
	if (r->shown.len < r->chosen_lines)
		buf_printf(&t, "; shown: %zu line%s with %.0f %% of the device time", r->shown.len,
			   r->shown.len == 1 ? "" : "s",
			   r->chosen_ns > 0 ? 100 * r->shown_ns / r->chosen_ns : 0);
	if (r->hidden_small)
		buf_printf(&t, "; hidden: %llu below %g %%", (unsigned long long)r->hidden_small,
			   r->o->min_percent);
	if (r->chosen_gap_ns > 0 && shows(r, FIELD_TOTAL))
		buf_text(&t, "; total % counts gaps, device is kernel time");
	wrap(r, b, t.at);
	buf_clear(&t);
	if (folded)
		buf_text(&t, "every op in order: --each · ");
	else if (r->shown.len + r->hidden_small < r->chosen_lines)
		buf_text(&t, "all lines: --top 0 · ");
	buf_text(&t, "one op in full: --id N · sums: --group-by category · for programs: --json");
	wrap(r, b, t.at);
}

/* ---- what the reader must know to trust the figures ---- */

static void add_note(const struct report *r, struct buf *b, struct buf *text)
{
	if (!text->len)
		return;
	buf_char(b, '\n');
	wrap(r, b, text->at);
	buf_clear(text);
}

/* Who sets signposts inside a step gets a small part by default, and should know. */
static void note_part(const struct report *r, struct buf *t)
{
	uint64_t in = r->calls.device_rows, all = in + r->calls.left_out_rows;

	if (r->calls.common_start)
		buf_text(
			t,
			"note: the ranks' last signposts differ, so this is what follows the last one that all have set; "
			"all of it: --ignore-signposts");
	else if (r->calls.small_last && r->calls.by_process)
		return;
	else if (r->calls.small_last)
		buf_printf(
			t,
			"note: the part after the last signpost has less than a tenth of the device time, so "
			"this is %s; --signpost NAME chooses a part",
			r->calls.is_steady ? "what repeats; the whole file: --ignore-signposts"
			: r->calls.start.len
				? "all after the first; the whole file: --ignore-signposts"
				: "the whole file");
	else if (r->calls.is_steady)
		return;
	else if (in * 2 < all && !r->o->calls.start_signpost && !r->o->calls.end_signpost)
		buf_text(
			t,
			"note: the part after the last signpost is less than half of the run; all of it: "
			"--ignore-signposts, each part: --group-by signpost");
}

/* The sums are of more time than passed. */
static void note_apart(const struct report *r, struct buf *t)
{
	if (r->o->calls.keep_devices_apart && r->calls.devices > 1)
		buf_printf(t,
			   "note: times are summed over %u devices, which may have run at the same "
			   "time; without --no-merge-devices they are those of one",
			   r->calls.devices);
}

static void note_chip(const struct report *r, struct buf *t)
{
	if (!r->calls.devices)
		return;
	if (!r->calls.chip_figures) {
		buf_text(t, "note: no figures are known for ");
		if (r->calls.arch.len)
			width_clean(t, r->calls.arch);
		else
			buf_text(t, r->calls.on.chip->name);
		buf_text(t, ", so ops have no roof; --chip NAME takes those of another chip");
	} else if (!r->calls.chip_sure)
		buf_printf(t,
			   "note: the report doesn't say which %s it was: figures are for %s, "
			   "--chip NAME gives another",
			   r->calls.arch.len ? "card" : "chip or card", r->calls.on.chip->name);
}

static void note_over_roof(const struct report *r, struct buf *t)
{
	uint64_t n = r->findings.totals.over_roof, over;
	const struct chip *fits = n ? chip_that_fits(&r->calls, &over) : NULL;

	vec_each (f, &r->findings.all)
		if (f->what == FINDING_CHIP && !r->o->no_findings)
			return; /* there already */
	if (fits)
		buf_printf(
			t,
			"note: %llu op%s faster than %s allows (bound \"?\"), on %s %llu would be: it was "
			"probably another card, --chip %s takes that one",
			(unsigned long long)n, n == 1 ? " is" : "s are", r->calls.on.chip->name,
			fits->name, (unsigned long long)over, fits->id);
	else if (n)
		buf_printf(
			t,
			"note: %llu op%s faster than %s allows (bound \"?\"): the report may show the "
			"tensors of another call of the same program, as tt-metal keeps them with it; or "
			"it was another card (--chip NAME)",
			(unsigned long long)n, n == 1 ? " is" : "s are", r->calls.on.chip->name);
}

/* Zones inside of kernels cost time themselves. */
static void note_zones(const struct report *r, struct buf *t)
{
	double zones = 0, all = r->findings.totals.device_ns;

	vec_each (call, &r->calls.all)
		zones += call->flags & CALL_HOST ? 0 : (double)call->zones_ns;
	if (all > 0 && zones > 0.02 * all)
		buf_printf(
			t,
			"note: %.0f %% of the device time are the zones that were recorded in kernels; "
			"--columns id,op,time,compensated shows times without",
			100 * zones / all);
}

static void add_notes(const struct report *r, struct buf *b)
{
	SCOPED(buf) struct buf t = { 0 };

	note_zones(r, &t);
	add_note(r, b, &t);
	note_part(r, &t);
	add_note(r, b, &t);
	note_apart(r, &t);
	add_note(r, b, &t);
	note_chip(r, &t);
	add_note(r, b, &t);
	note_over_roof(r, &t);
	add_note(r, b, &t);
	/* the account sorts itself to be printed; it says the same afterwards */
	account_details((struct account *)(uintptr_t)&r->calls.account, &t);
	if (t.len)
		buf_char(b, '\n');
	opt_wrap_lines(b, buf_view(&t), 0, r->o->term.width);
}

/* What follows the last signpost is next to nothing: which part is meant, the reader must choose. */
static void add_parts(const struct report *r, struct out *out)
{
	struct report_options o = *r->o;
	struct report parts;

	o.group = GROUP_SIGNPOST;
	o.calls.whole_file = true;
	o.sort = FIELD_TIME;
	o.top = PARTS_SHOWN;
	o.filter = NULL;
	o.id_from = o.id_to = 0;
	report_make(&parts, r->table, &o);
	report_groups(&parts, out);
	out_char(out, '\n');
	report_release(&parts);
}

static void add_program(void *ctx, const struct report_process *p)
{
	struct buf *b = ctx;
	SCOPED(buf) struct buf t = { 0 };

	width_clean(&t, p->program.len ? p->program : STR("process"));
	buf_printf(&t, " (--process %lld): ", (long long)p->pid);
	headline_add(&t, p->report);
	buf_printf(&t, "; %zu op%s, device ", p->report->calls.all.len,
		   p->report->calls.all.len == 1 ? "" : "s");
	label_ns(&t, p->report->findings.totals.device_ns);
	wrap(p->report, b, t.at);
}

/* Programs that one command started: each has its own answer. */
static void add_programs(const struct report *r, struct out *out)
{
	SCOPED(buf) struct buf b = { 0 };

	processes_each(r, PROGRAMS_SHOWN, add_program, &b);
	put(r, out, &b);
	out_char(out, '\n');
}

void report_text(const struct report *r, struct out *out)
{
	SCOPED(buf) struct buf b = { 0 };

	add_head(r, &b);
	put_line(r, out, &b);
	out_char(out, '\n');
	if (!r->calls.all.len) {
		buf_text(&b, r->table->rows ? "no ops in this part of the report\n"
					    : "the report has a head and no rows\n");
		add_notes(r, &b);
		put(r, out, &b);
		return;
	}
	if (r->calls.small_last && r->o->group == GROUP_NONE)
		add_parts(r, out);
	if (r->calls.programs_apart && r->o->group == GROUP_NONE)
		add_programs(r, out);
	add_verdict(r, &b);
	put_line(r, out, &b);
	if (!r->o->no_findings && r->chosen) {
		add_findings(r, &b);
		put_line(r, out, &b);
	}
	if (r->o->group != GROUP_NONE)
		report_groups(r, out);
	else if (r->shown.len)
		list_ops(r, out);
	else
		buf_text(&b, "no op is left by the options that choose them\n");
	if (r->o->group == GROUP_NONE)
		add_foot(r, &b);
	add_notes(r, &b);
	put(r, out, &b);
}
