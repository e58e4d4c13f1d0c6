// SPDX-License-Identifier: Apache-2.0
/* The checks of a gate: for people, for pull requests, for programs (JSON), for CI (JUnit, GitHub). */
#include <math.h>

#include "base/json.h"
#include "base/opt.h"
#include "base/table.h"
#include "base/xml.h"
#include "compare/gate.h"

static size_t count(const gate_checks *all, enum check_result result)
{
	size_t n = 0;

	vec_each (check, all)
		n += check->result == result;
	return n;
}

/* What the whole gate is called: its status is gate_status(). */
static const char *outcome(const gate_checks *all)
{
	switch (gate_status(all)) {
	case 0:
		return "passed";
	case 1:
		return "failed";
	default:
		return "can't tell";
	}
}

/* "Gate: failed. 12 checks: 10 ok, 1 regression, 1 missing." */
static void add_summary(struct buf *b, const gate_checks *all)
{
	const char *sep = "";

	buf_printf(b, "Gate: %s. %zu check%s: ", outcome(all), all->len, all->len == 1 ? "" : "s");
	for (int i = 0; i < CHECK_RESULTS; i++)
		if (count(all, (enum check_result)i)) {
			buf_printf(b, "%s%zu %s", sep, count(all, (enum check_result)i),
				   check_result_names[i]);
			sep = ", ";
		}
	buf_char(b, '.');
}

/* Worth a line: what is not kept, and targets that are out of date. */
typedef VEC(const struct gate_check *) shown_checks;

static void choose(shown_checks *to, const gate_checks *all)
{
	for (int i = 0; i < CHECK_RESULTS; i++) {
		static const enum check_result order[] = { CHECK_BROKEN, CHECK_MISSING,
							   CHECK_UNSURE, CHECK_KEPT };

		vec_each (check, all)
			if (check->result == order[i] &&
			    (check->result != CHECK_KEPT || check->is_stale))
				*vec_push(to) = check;
	}
}

static void add_says(struct buf *b, const struct gate_check *check)
{
	buf_str(b, buf_view(&check->says));
	if (check->result >= CHECK_UNSURE && gate_counts(check) == GATE_PASS)
		buf_text(b, " (counts as passed)");
	else if (check->result >= CHECK_UNSURE && gate_counts(check) == GATE_FAIL)
		buf_text(b, " (counts as failed)");
}

static const char *result_name(const struct gate_check *check)
{
	return check->result == CHECK_KEPT ? "out of date" : check_result_names[check->result];
}

void gate_text(const gate_checks *all, struct term term, struct out *out)
{
	SCOPED(buf) struct buf b = { 0 };
	shown_checks shown = { 0 };

	choose(&shown, all);
	buf_char(&b, '\n');
	add_summary(&b, all);
	buf_char(&b, '\n');
	out_buf(out, &b);
	vec_each (at, &shown) {
		const struct gate_check *check = *at;
		enum { INDENT = 15 };
		SCOPED(buf) struct buf text = { 0 }, clean = { 0 };

		buf_str(&text, buf_view(&check->rule));
		buf_text(&text, ": ");
		buf_str(&text, buf_view(&check->what));
		buf_text(&text, ": ");
		add_says(&text, check);
		width_clean(&clean, buf_view(&text));
		buf_text(&b, "  ");
		colour_text(&b, str_of(result_name(check)),
			    check->result == CHECK_BROKEN ? COLOUR_RED : COLOUR_YELLOW,
			    term.colour);
		buf_fill(&b, ' ', INDENT - 2 - strlen(result_name(check)));
		opt_wrap(&b, clean.at, INDENT, INDENT, term.width);
		if (!term.utf8) {
			buf_clear(&text);
			width_ascii(&text, buf_view(&b));
			buf_set_str(&b, buf_view(&text));
		}
		out_buf(out, &b);
	}
	vec_release(&shown);
}

void gate_markdown(const gate_checks *all, struct out *out)
{
	SCOPED(buf) struct buf b = { 0 }, text = { 0 };
	shown_checks shown = { 0 };

	choose(&shown, all);
	buf_text(&b, "\n**");
	add_summary(&b, all);
	buf_text(&b, "**\n");
	if (shown.len)
		buf_text(&b, "\n| result | rule | what | measured |\n|---|---|---|---|\n");
	for (size_t r = 0; r < shown.len; r++) {
		const struct gate_check *check = shown.at[r];

		buf_clear(&text);
		add_says(&text, check);
		compare_markdown_cell(&b, str_of(result_name(check)));
		compare_markdown_cell(&b, buf_view(&check->rule));
		compare_markdown_cell(&b, buf_view(&check->what));
		compare_markdown_cell(&b, buf_view(&text));
		buf_text(&b, "|\n");
	}
	out_buf(out, &b);
	vec_release(&shown);
}

void gate_json(const gate_checks *all, struct json_writer *w)
{
	json_put_object(w, "gate");
	json_put_text(w, "outcome", str_of(outcome(all)));
	json_put_whole(w, "status", gate_status(all));
	json_put_array(w, "checks");
	vec_each (check, all) {
		json_open_object(w);
		json_put_text(w, "rule", buf_view(&check->rule));
		json_put_text(w, "what", buf_view(&check->what));
		json_put_text(w, "result", str_of(check_result_names[check->result]));
		json_put_text(w, "counts_as", str_of(gate_answer_names[gate_counts(check)]));
		json_put_text(w, "says", buf_view(&check->says));
		json_put_number(w, "base_ns", check->ns[BASE]);
		json_put_number(w, "new_ns", check->ns[NEW]);
		json_put_number(w, "max_ns", check->max_ns);
		json_put_bool(w, "out_of_date", check->is_stale);
		json_close_object(w);
	}
	json_close_array(w);
	json_close_object(w);
}

/* A check without a result is an error, so that no viewer shows it as good; skipped where the rule lets it pass. */
struct known_names {
	struct intern texts;
	VEC(uint32_t) times;
};

/* Ops of other attributes may have one name; a test case is known by rule and name.  From 1: which one of its name this is. */
static uint32_t count_name(struct known_names *known, const struct gate_check *check)
{
	SCOPED(buf) struct buf name = { 0 };
	uint32_t id;

	buf_str(&name, buf_view(&check->rule));
	buf_char(&name, 0);
	buf_str(&name, buf_view(&check->what));
	id = intern_copy(&known->texts, buf_view(&name));
	vec_reach(&known->times, id, 0);
	return ++known->times.at[id];
}

void gate_junit(const gate_checks *all, struct out *out)
{
	static const char *const elements[] = {
		[GATE_TELL] = "error", [GATE_PASS] = "skipped", [GATE_FAIL] = "failure"
	};
	size_t n[GATE_ANSWERS] = { 0 };
	struct known_names names = { 0 };
	SCOPED(buf) struct buf b = { 0 };

	vec_each (check, all)
		n[gate_counts(check)] += check->result != CHECK_KEPT;
	buf_printf(
		&b,
		"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n"
		"  <testsuite name=\"ttprof compare\" tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" skipped=\"%zu\" time=\"0\">\n",
		all->len, n[GATE_FAIL], n[GATE_TELL], n[GATE_PASS]);
	vec_each (check, all) {
		const char *element = elements[gate_counts(check)];
		uint32_t nth = count_name(&names, check);

		buf_text(&b, "    <testcase classname=\"");
		xml_text(&b, buf_view(&check->rule));
		buf_text(&b, "\" name=\"");
		xml_text(&b, buf_view(&check->what));
		if (nth > 1)
			buf_printf(&b, " (no. %u of this name)", nth);
		buf_text(&b, "\" time=\"0\">");
		if (check->result == CHECK_KEPT) {
			buf_text(&b, "<system-out>");
			xml_text(&b, buf_view(&check->says));
			buf_text(&b, "</system-out>");
		} else {
			buf_printf(&b, "<%s message=\"%s: ", element,
				   check->result == CHECK_UNSURE
					   ? "can&#39;t tell"
					   : check_result_names[check->result]);
			xml_text(&b, buf_view(&check->says));
			buf_text(&b, "\"/>");
		}
		buf_text(&b, "</testcase>\n");
	}
	buf_text(&b, "  </testsuite>\n</testsuites>\n");
	out_buf(out, &b);
	intern_release(&names.texts);
	vec_release(&names.times);
}

/* A line of a log can be a command to the runner: what ends one, or a property of it, is escaped. */
static void github_text(struct buf *b, struct str text, bool property)
{
	SCOPED(buf) struct buf clean = { 0 };

	width_clean(&clean, text);
	for (size_t i = 0; i < clean.len; i++) {
		unsigned char c = (unsigned char)clean.at[i];

		if (c == '%' || c < 0x20 || (property && (c == ':' || c == ',')))
			buf_printf(b, "%%%02X", c);
		else
			buf_char(b, (char)c);
	}
}

void gate_github(struct buf *b, const gate_checks *all)
{
	shown_checks shown = { 0 };

	choose(&shown, all);
	vec_each (at, &shown) {
		const struct gate_check *check = *at;
		SCOPED(buf) struct buf text = { 0 };

		buf_printf(&text, "%.*s: ", STR_ARG(buf_view(&check->what)));
		buf_text(&text, result_name(check));
		buf_text(&text, ": ");
		add_says(&text, check);
		buf_printf(b, "::%s title=", gate_counts(check) == GATE_FAIL ? "error" : "warning");
		github_text(b, buf_view(&check->rule), true);
		buf_text(b, "::");
		github_text(b, buf_view(&text), false);
		buf_char(b, '\n');
	}
	vec_release(&shown);
}
