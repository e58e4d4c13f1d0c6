// SPDX-License-Identifier: Apache-2.0
#include "tui/tui.h"

#include "base/harmless.h"
#include "base/opt.h"
#include "base/width.h"
#include "draw/heat_run.h"
#include "draw/host_verdict_text.h"
#include "report/report_parse.h"
#include "tui/fullscreen.h"
#include "tui/op_list.h"
#include "tui/text_page.h"

/* X(id, title) */
#define VIEW_LIST(X)          \
	X(SUMMARY, "Summary") \
	X(OPS, "Ops")         \
	X(GAPS, "Gaps")       \
	X(CORES, "Cores")

enum view {
#define X(id, title) VIEW_##id,
	VIEW_LIST(X)
#undef X
		VIEWS,
	VIEW_OP, /* one op, above the list that it was chosen in */
	VIEW_HELP
};

static const char *const titles[VIEWS] = {
#define X(id, title) [VIEW_##id] = title,
	VIEW_LIST(X)
#undef X
};

static const char help[] =
	"Keys\n"
	"\n"
	"  1 2 3 4, Tab        Summary, Ops, Gaps, Cores\n"
	"  arrows, j k         a line down or up; PgUp, PgDn, Home, End; g and G for the ends\n"
	"  Enter               the chosen op in full, with its cores\n"
	"  n p, right left     there: the op below or above it in the list\n"
	"  Esc, Backspace      back\n"
	"  s S                 order by the next column, by the one before\n"
	"  r                   the other way round\n"
	"  e                   a line per op, or one for like ops\n"
	"  /                   only ops with this in their name (a regular expression); empty: all\n"
	"  m M                 what the numbers of cores are: busy, span, skew, ...\n"
	"  Ctrl-L, Ctrl-Z      draw anew; to the shell, and back with `fg`\n"
	"  q                   leave\n"
	"\n"
	"The figures are those of `ttprof report` and `ttprof heat`, which write them for files and programs.";

struct tui {
	const struct tui_source *source;
	struct fullscreen screen;
	struct term term;
	enum view view, under; /* under: what a view on top of others goes back to */
	struct op_list ops, gaps;
	struct text_page text[VIEW_HELP + 1];
	struct heat_run cores;
	bool cores_tried, has_cores;
	struct ttp_err cores_why;
	enum heat_metric metric;
	uint32_t id;        /* VIEW_OP */
	bool typing, ended; /* typing: a filter */
	struct buf typed;
	struct buf message; /* until the next key */
};

/* Lines between that of the views and the two at the bottom. */
static size_t body_rows(const struct tui *t)
{
	return t->screen.rows > 4 ? (size_t)t->screen.rows - 3 : 1;
}

static struct op_list *list_of(struct tui *t, enum view view)
{
	if (!t->source->ops)
		return NULL;
	return view == VIEW_OPS ? &t->ops : view == VIEW_GAPS ? &t->gaps : NULL;
}

/* ---- what is seen ---- */

static void add_tabs(const struct tui *t, struct buf *to)
{
	SCOPED(buf) struct buf name = { 0 }, line = { 0 };
	enum view in = t->view < VIEWS ? t->view : t->under;

	for (int i = 0; i < VIEWS; i++)
		buf_printf(&line, "%s %d %s \033[m", i == (int)in ? "\033[7m" : "", i + 1,
			   titles[i]);
	buf_text(&line, "  ");
	if (t->view == VIEW_OP)
		buf_printf(&line, "op %u · ", t->id);
	width_clean(&name, str_of(t->source->run->parts.given));
	buf_str(&line, buf_view(&name));
	width_cut(to, buf_view(&line), (size_t)t->screen.columns, t->term.utf8);
	buf_char(to, '\n');
}

static void add_keys(const struct tui *t, struct buf *to)
{
	bool list = t->source->ops && (t->view == VIEW_OPS || t->view == VIEW_GAPS);

	if (t->view == VIEW_OP)
		buf_text(to, "n next · p previous · Esc back · ? keys · q quit");
	else if (list)
		buf_text(to, "Enter op · s sort · r reverse · e each · / filter · ? keys · q quit");
	else if (t->view == VIEW_CORES)
		buf_text(to, "m metric · Tab next view · ? keys · q quit");
	else if (t->view == VIEW_HELP)
		buf_text(to, "Esc back · q quit");
	else
		buf_text(to, "Tab next view · ? keys · q quit");
}

/* Two lines: of the chosen op, or a message; then where we are, and keys. */
static void add_foot(struct tui *t, struct buf *to)
{
	struct op_list *list = list_of(t, t->view);
	SCOPED(buf) struct buf first = { 0 }, second = { 0 };

	if (t->message.len)
		buf_str(&first, buf_view(&t->message));
	else if (list)
		op_list_detail(list, &first);
	width_cut(to, buf_view(&first), (size_t)t->screen.columns, t->term.utf8);
	buf_char(to, '\n');
	if (t->typing) {
		buf_text(&second, "filter: ");
		width_clean(&second, buf_view(&t->typed));
		buf_text(&second, "_   (Enter, Esc)");
	} else {
		if (list)
			op_list_where(list, &second);
		else
			text_page_where(&t->text[t->view], body_rows(t), &second);
		buf_text(&second, second.len ? " · " : "");
		add_keys(t, &second);
	}
	buf_text(to, t->term.colour ? "\033[90m" : "");
	width_cut(to, buf_view(&second), (size_t)t->screen.columns, t->term.utf8);
	buf_text(to, "\033[m");
}

static void paint(struct tui *t)
{
	SCOPED(buf) struct buf frame = { 0 }, plain = { 0 };
	struct op_list *list = list_of(t, t->view);

	add_tabs(t, &frame);
	if (list)
		op_list_paint(list, body_rows(t), &frame);
	else
		text_page_paint(&t->text[t->view], body_rows(t), &frame);
	add_foot(t, &frame);
	if (!t->term.utf8)
		width_ascii(&plain, buf_view(&frame));
	fullscreen_paint(&t->screen, buf_view(t->term.utf8 ? &frame : &plain));
}

static void say(struct tui *t, const char *text)
{
	buf_set(&t->message, "%s", text);
	paint(t);
	buf_clear(&t->message);
}

/* ---- texts ---- */

static void add_error(struct buf *to, const struct ttp_err *e, size_t width)
{
	SCOPED(buf) struct buf clean = { 0 };

	width_clean(&clean, str_of(e->msg));
	opt_wrap(to, clean.at ? clean.at : "", 0, 0, (int)width);
}

static void write_summary(struct tui *t, struct out *out)
{
	struct report_options ask = { .calls = { .host = t->source->host },
				      .sort = FIELDS,
				      .top = 10,
				      .clock_note = t->source->clock_note,
				      .term = t->term };
	SCOPED(buf) struct buf b = { 0 };
	struct host_verdict v;
	struct report r;
	struct ttp_err e;

	if (t->source->ops) {
		report_make(&r, t->source->ops, &ask);
		report_text(&r, out);
		report_release(&r);
		return;
	}
	if (!t->source->run->parts.trace.len) {
		buf_text(&b, "The run has neither ops nor a trace: its cores are under 4.\n");
		out_buf(out, &b);
		return;
	}
	if (host_verdict_make(&v, t->source->run, &e)) {
		add_error(&b, &e, (size_t)t->term.width);
		out_buf(out, &b);
	} else {
		host_verdict_text(&v, t->term, out);
	}
	host_verdict_release(&v);
}

/* The log is read once, and kept. */
static bool open_cores(struct tui *t)
{
	struct heat_ask all = { .device = -1 };

	if (!t->cores_tried) {
		say(t, "reading the device log ...");
		t->has_cores = !heat_run_open(&t->cores, t->source->run, &all, &t->cores_why);
	}
	t->cores_tried = true;
	return t->has_cores;
}

/* Of one op, or of all (0). */
static void write_cores(struct tui *t, uint32_t id, struct out *out)
{
	struct heat_ask ask = { .metric = t->metric, .device = -1, .id = id };
	SCOPED(buf) struct buf b = { 0 };
	struct ttp_err e;
	struct heat h;

	if (!open_cores(t)) {
		add_error(&b, &t->cores_why, (size_t)t->term.width);
		out_buf(out, &b);
		return;
	}
	if (heat_make(&h, &t->cores.times, &t->cores.names, &ask, &e))
		add_error(&b, &e, (size_t)t->term.width);
	else if (!h.calls)
		buf_text(&b, "no kernel of this op is in the device log\n");
	h.source = t->cores.heat.source;
	if (b.len)
		out_buf(out, &b);
	else
		heat_text(&h, true, t->term, out);
	heat_release(&h);
}

static void write_op(struct tui *t, struct out *out)
{
	(void)report_one(&list_of(t, t->under)->report, t->id, out);
	out_char(out, '\n');
	write_cores(t, t->id, out);
}

static void write_text(struct tui *t, enum view view)
{
	struct text_page *page = &t->text[view];
	struct ttp_err unused;
	struct out out;

	buf_clear(&page->text);
	out_init_screen(&out, &page->text);
	if (view == VIEW_SUMMARY)
		write_summary(t, &out);
	else if (view == VIEW_CORES)
		write_cores(t, 0, &out);
	else if (view == VIEW_OP)
		write_op(t, &out);
	else if (view == VIEW_HELP)
		out_text(&out, help);
	else
		out_text(&out, "The run has no ops, nor logs that name some.\n");
	(void)!!out_finish(&out, &unused); /* memory has room, or the program ends */
	text_page_set(page, body_rows(t));
}

/* What is on the screen, made for its size. */
static void make_view(struct tui *t)
{
	struct op_list *list = list_of(t, t->view);
	struct op_list *below = list_of(t, t->under);

	t->term.width = t->screen.columns < 40 ? 40 : t->screen.columns;
	if (t->view == VIEW_OP && below)
		op_list_make(below, t->term);
	if (list)
		op_list_make(list, t->term);
	else
		write_text(t, t->view);
}

static void show(struct tui *t, enum view view)
{
	if (view >= VIEWS && t->view < VIEWS)
		t->under = t->view;
	t->view = view;
	if (view >= VIEWS)
		t->text[view].top = 0;
	make_view(t);
}

/* ---- keys ---- */

static void key_of_filter(struct tui *t, struct key key)
{
	struct op_list *list = list_of(t, t->view);
	struct ttp_err e;

	if (key.name == KEY_CHAR && harmless_char(key.code_point)) {
		buf_str(&t->typed, key.text);
		return;
	}
	if (key.name == KEY_BACKSPACE && t->typed.len) {
		while (t->typed.len > 1 && (t->typed.at[t->typed.len - 1] & 0xc0) == 0x80)
			t->typed.len--;
		t->typed.at[--t->typed.len] = 0;
		return;
	}
	if (key.name != KEY_ENTER && key.name != KEY_ESCAPE && key.name != KEY_BACKSPACE)
		return;
	t->typing = false;
	if (key.name != KEY_ENTER)
		return;
	if (op_list_filter(list, t->typed.len ? t->typed.at : "", &e))
		width_clean(&t->message, str_of(e.msg));
	else
		make_view(t);
}

static void open_op(struct tui *t, struct op_list *list)
{
	t->id = op_list_id(list);
	if (t->id)
		show(t, VIEW_OP);
}

/* The op below or above in the list. */
static void next_op(struct tui *t, bool back)
{
	struct op_list *list = list_of(t, t->under);

	if (back ? list->at == 0 : list->at + 1 >= op_list_len(list))
		return;
	list->at += back ? (size_t)-1 : 1;
	t->id = op_list_id(list);
	show(t, VIEW_OP);
}

static bool key_of_list(struct tui *t, struct key key)
{
	struct op_list *list = list_of(t, t->view);

	if (!list)
		return false;
	if (scroll_key(key, op_list_len(list), body_rows(t) - 1, &list->at))
		return true;
	if (key.name == KEY_ENTER || key.name == KEY_RIGHT) {
		open_op(t, list);
		return true;
	}
	if (key.name != KEY_CHAR)
		return false;
	switch (key.code_point) {
	case 's':
	case 'S':
		op_list_sort_next(list, key.code_point == 'S');
		break;
	case 'r':
		op_list_turn_round(list);
		break;
	case 'e':
		op_list_toggle_each(list);
		break;
	case '/':
		t->typing = true;
		buf_set_str(&t->typed, buf_view(&list->filter));
		return true;
	default:
		return false;
	}
	make_view(t);
	return true;
}

static bool key_of_op(struct tui *t, struct key key)
{
	bool letter = key.name == KEY_CHAR;

	if (key.name == KEY_RIGHT || (letter && key.code_point == 'n'))
		next_op(t, false);
	else if (key.name == KEY_LEFT || (letter && key.code_point == 'p'))
		next_op(t, true);
	else
		return false;
	return true;
}

static void key_of_all(struct tui *t, struct key key)
{
	uint32_t c = key.name == KEY_CHAR ? key.code_point : 0;
	enum view in = t->view < VIEWS ? t->view : t->under;

	if (c == 'q' || c == KEY_CTRL_C)
		t->ended = true;
	else if (c >= '1' && c < '1' + VIEWS)
		show(t, (enum view)(c - '1'));
	else if (key.name == KEY_TAB)
		show(t, (in + 1) % VIEWS);
	else if (key.name == KEY_BACK_TAB)
		show(t, (in + VIEWS - 1) % VIEWS);
	else if (c == '?')
		show(t, VIEW_HELP);
	else if (t->view >= VIEWS && (key.name == KEY_ESCAPE || key.name == KEY_BACKSPACE))
		show(t, t->under);
	else if ((c == 'm' || c == 'M') && (t->view == VIEW_CORES || t->view == VIEW_OP)) {
		t->metric = (t->metric + (c == 'm' ? 1u : HEAT_METRICS - 1u)) % HEAT_METRICS;
		make_view(t);
	} else if (c == KEY_CTRL_Z) {
		fullscreen_suspend(&t->screen);
		make_view(t);
	}
}

static void on_key(struct tui *t, struct key key)
{
	buf_clear(&t->message);
	if (key.name == KEY_CLOSED)
		t->ended = true;
	else if (key.name == KEY_RESIZE)
		make_view(t);
	else if (key.name == KEY_CHAR && key.code_point == KEY_CTRL_C)
		t->ended = true;
	else if (t->typing)
		key_of_filter(t, key);
	else if (t->view == VIEW_OP && key_of_op(t, key))
		return;
	else if (!key_of_list(t, key) &&
		 (list_of(t, t->view) || !text_page_key(&t->text[t->view], key, body_rows(t))))
		key_of_all(t, key);
}

enum ttp_rc tui_browse(const struct tui_source *source, struct term term, struct ttp_err *e)
{
	struct tui t = { .source = source, .term = term };

	TTP_TRY(fullscreen_open(&t.screen, e));
	if (source->ops) {
		op_list_init(&t.ops, source, false);
		op_list_init(&t.gaps, source, true);
	}
	say(&t, "reading ...");
	show(&t, VIEW_SUMMARY);
	while (!t.ended) {
		paint(&t);
		on_key(&t, fullscreen_key(&t.screen));
	}
	op_list_release(&t.ops);
	op_list_release(&t.gaps);
	for (size_t i = 0; i < sizeof(t.text) / sizeof(*t.text); i++)
		text_page_release(&t.text[i]);
	if (t.cores_tried)
		heat_run_close(&t.cores);
	buf_release(&t.typed);
	buf_release(&t.message);
	fullscreen_close(&t.screen);
	return TTP_OK;
}
