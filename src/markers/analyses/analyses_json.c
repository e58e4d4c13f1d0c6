// SPDX-License-Identifier: Apache-2.0
/* Analyses as tt-metal's programs spell them, in JSON. */
#include "base/json.h"
#include "markers/analyses/analyses.h"

struct reading {
	struct json_reader r;
	struct arena *texts;
	const char *name; /* of the file */
	struct ttp_err *e;
};

static const char *keep_text(struct reading *g)
{
	SCOPED(buf) struct buf b = { 0 };

	json_unescape(&g->r, &b);
	return arena_dup(g->texts, b.at ? b.at : "", b.len);
}

static enum ttp_rc wrong(struct reading *g, const char *analysis, const char *what)
{
	return ttp_fail(g->e, TTP_FORMAT, "%s: \"%s\": %s", g->name, analysis, what);
}

static enum ttp_rc read_zones(struct reading *g, enum json_event ev, const char *analysis,
			      struct analysis_side *side)
{
	size_t n = 0;

	if (ev == JSON_STRING) {
		side->zones[0] = keep_text(g);
		return TTP_OK;
	}
	side->zone_list = true;
	while (ev == JSON_ARRAY_BEGIN && (ev = json_next(&g->r)) == JSON_STRING) {
		if (n == ANALYSIS_ZONES_MAX)
			return wrong(g, analysis, "too many names of zones");
		side->zones[n++] = keep_text(g);
		ev = JSON_ARRAY_BEGIN;
	}
	return ev == JSON_ARRAY_END ? TTP_OK : wrong(g, analysis, "zone_name is text, or a list");
}

/* "ANY", or [x, y]. */
static enum ttp_rc read_core(struct reading *g, enum json_event ev, const char *analysis,
			     struct analysis_side *side)
{
	uint64_t at[2];

	if (ev == JSON_STRING && json_text_is(&g->r, STR("ANY"))) {
		side->any_core = true;
		side->cores = SIDE_EVERY_CORE;
		return TTP_OK;
	}
	for (int i = 0; ev == JSON_ARRAY_BEGIN && i < 2; i++)
		if (json_next(&g->r) != JSON_NUMBER || !json_u64(&g->r, &at[i]) ||
		    at[i] > UINT16_MAX)
			ev = JSON_ERROR;
	if (ev != JSON_ARRAY_BEGIN || json_next(&g->r) != JSON_ARRAY_END)
		return wrong(g, analysis, "core is \"ANY\", or two numbers");
	side->cores = SIDE_ONE_CORE;
	side->core_x = (uint16_t)at[0];
	side->core_y = (uint16_t)at[1];
	return TTP_OK;
}

static enum ttp_rc read_side(struct reading *g, const char *analysis, struct analysis_side *side)
{
	enum json_event ev = json_next(&g->r);

	*side = (struct analysis_side){ .cores = SIDE_NO_CORE };
	if (ev != JSON_OBJECT_BEGIN)
		return wrong(g, analysis, "start, end and marker are objects");
	while ((ev = json_next(&g->r)) == JSON_KEY) {
		bool core = json_text_is(&g->r, STR("core"));
		bool risc = json_text_is(&g->r, STR("risc"));
		bool zone = json_text_is(&g->r, STR("zone_name"));
		bool phase = json_text_is(&g->r, STR("zone_phase"));

		if (!core && !risc && !zone && !phase) {
			if (!json_skip_value(&g->r))
				return json_fail(&g->r, g->e);
			continue;
		}
		ev = json_next(&g->r);
		if (zone)
			TTP_TRY(read_zones(g, ev, analysis, side));
		else if (core)
			TTP_TRY(read_core(g, ev, analysis, side));
		else if (ev != JSON_STRING)
			return wrong(g, analysis, "risc and zone_phase are texts");
		else
			*(risc ? &side->risc : &side->phase) = keep_text(g);
	}
	if (!side->risc)
		return ev == JSON_ERROR ? json_fail(&g->r, g->e) : wrong(g, analysis, "lacks risc");
	return ev == JSON_ERROR ? json_fail(&g->r, g->e) : TTP_OK;
}

static enum ttp_rc read_word(struct reading *g, struct analysis *a, bool across)
{
	if (json_next(&g->r) != JSON_STRING)
		return wrong(g, a->name, "across and type are texts");
	for (int i = 0; i < (across ? (int)ACROSS_KINDS : (int)ANALYSIS_TYPES); i++) {
		const char *name = across ? across_name((enum across)i)
					  : analysis_type_name((enum analysis_type)i);

		if (!json_text_is(&g->r, str_of(name)))
			continue;
		if (across)
			a->across = (enum across)i;
		else
			a->type = (enum analysis_type)i;
		return TTP_OK;
	}
	return wrong(g, a->name, across ? "across is not known" : "type is not known");
}

static enum ttp_rc read_analysis(struct reading *g, struct analysis *a)
{
	enum json_event ev;
	bool marker;

	if (json_next(&g->r) != JSON_OBJECT_BEGIN)
		return wrong(g, a->name, "an analysis is an object");
	while ((ev = json_next(&g->r)) == JSON_KEY) {
		bool across = json_text_is(&g->r, STR("across"));

		if (across || json_text_is(&g->r, STR("type")))
			TTP_TRY(read_word(g, a, across));
		else if (json_text_is(&g->r, STR("end")))
			TTP_TRY(read_side(g, a->name, &a->end));
		else if (json_text_is(&g->r, STR("start")) || json_text_is(&g->r, STR("marker")))
			TTP_TRY(read_side(g, a->name, &a->start));
		else if (!json_skip_value(&g->r))
			return json_fail(&g->r, g->e);
	}
	if (ev == JSON_ERROR)
		return json_fail(&g->r, g->e);
	marker = a->type == ANALYSIS_SUM || a->type == ANALYSIS_EVENT;
	if (marker) /* of its core nothing is asked */
		a->start.cores = SIDE_EVERY_CORE;
	if (!a->start.risc || (!marker && !a->end.risc) ||
	    (a->type != ANALYSIS_EVENT && !a->start.zones[0]))
		return wrong(g, a->name, "lacks a start or an end");
	if (a->type == ANALYSIS_CORE_FIRST_LAST && a->across != ACROSS_OPS)
		return wrong(g, a->name, "op_core_first_last is across ops");
	return TTP_OK;
}

enum ttp_rc analyses_read_json(struct str text, const char *name, analysis_vec *out,
			       struct arena *texts, struct ttp_err *e)
{
	struct reading g = { .r = json_reader_of(text), .texts = texts, .name = name, .e = e };
	enum json_event ev = json_next(&g.r);

	if (ev != JSON_OBJECT_BEGIN)
		return ttp_fail(e, TTP_FORMAT, "%s: analyses are one JSON object", name);
	while ((ev = json_next(&g.r)) == JSON_KEY) {
		struct analysis a = { .name = keep_text(&g) };

		TTP_TRY(read_analysis(&g, &a));
		*vec_push(out) = a;
	}
	if (ev == JSON_OBJECT_END)
		ev = json_next(&g.r);
	return ev == JSON_ERROR ? json_fail(&g.r, e) : TTP_OK;
}
