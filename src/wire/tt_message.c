// SPDX-License-Identifier: Apache-2.0
#include "wire/tt_message.h"

#include "base/number.h"

static bool begins(struct str text)
{
	return str_starts(text, STR("TT_DNN")) || str_starts(text, STR("TT_METAL"));
}

bool tt_is_op_zone(struct str name)
{
	return str_has(name, STR("TT_DNN")) || str_has(name, STR("TT_METAL"));
}

bool tt_zone_id(struct str text, uint64_t *id)
{
	size_t colon = str_rfind_char(text, ':');

	return number_u64(str_trim(colon == STR_NONE ? text : str_from(text, colon + 1)), id);
}

bool tt_parent_id(struct str text, uint64_t *id)
{
	return str_has(text, STR("id:")) && tt_zone_id(text, id);
}

bool tt_is_signpost(struct str text, enum tt_match match)
{
	return str_has(text, STR(TT_SIGNPOST)) && (match == TT_ANYWHERE || !begins(text));
}

static struct str behind(struct str text, size_t at)
{
	return at == STR_NONE ? text : str_from(text, at + 1);
}

/* The code stands in quotes, and may hold commas; false: it is not there, or nothing follows it. */
static bool take_code(struct str *line, struct str *code)
{
	size_t quote = str_find_char(*line, '"'), close, comma;
	struct str rest;

	if (quote == STR_NONE)
		return false;
	rest = str_from(*line, quote + 1);
	close = str_find_char(rest, '"');
	if (close == STR_NONE)
		return false;
	*code = str_head(rest, close);
	rest = str_from(rest, close + 1);
	comma = str_find_char(rest, ',');
	*line = comma == STR_NONE ? str_from(rest, rest.len) : str_from(rest, comma + 1);
	return true;
}

static bool is_true(struct str word)
{
	return str_eq(word, STR("1")) || str_eq(word, STR("true")) || str_eq(word, STR("True"));
}

/* `"Matmul", 1234, 0, true, 1024` */
static void read_op_line(struct tt_message *m, struct str line)
{
	enum { HASH, DEVICE, HIT, ID, PARTS };
	struct str part[PARTS], code;
	size_t n = 0;

	if (!take_code(&line, &m->code) && !str_split(&line, ',', &code))
		return; /* a code without quotes is not kept */
	while (n < PARTS && str_split(&line, ',', &part[n]))
		n++;
	m->complete = n == PARTS && number_u64(str_trim(part[HASH]), &m->hash) &&
		      number_i64(str_trim(part[DEVICE]), &m->device) &&
		      number_u64(str_trim(part[ID]), &m->id);
	if (m->complete)
		m->hit = is_true(str_trim(part[HIT]));
}

/* "0, 5" */
static void read_trace_line(struct tt_message *m, struct str line)
{
	struct str first;

	m->complete = str_split(&line, ',', &first) && number_i64(str_trim(first), &m->device) &&
		      number_i64(str_trim(line), &m->trace);
}

static enum tt_kind trace_kind(struct str text)
{
	if (str_has(text, STR(TT_TRACE_BEGIN)))
		return TT_KIND_TRACE_BEGIN;
	if (str_has(text, STR(TT_TRACE_END)))
		return TT_KIND_TRACE_END;
	return str_has(text, STR(TT_TRACE_REPLAY)) ? TT_KIND_TRACE_REPLAY : TT_KIND_TRACE_OTHER;
}

static enum tt_kind kind_of(struct str text, size_t arrow)
{
	if (str_has(text, STR("OP"))) {
		if (arrow != STR_NONE)
			return TT_KIND_OP;
		if (str_starts(text, STR("TT_DNN")) || !str_has(text, STR("TRACE")))
			return TT_KIND_CACHED_OP;
		return TT_KIND_OTHER;
	}
	if (str_has(text, STR("TRACE")) && !str_starts(text, STR(TT_TRACE TT_TRACE_ENQUEUE)))
		return trace_kind(text);
	return TT_KIND_OTHER;
}

void tt_message_read(struct tt_message *m, struct str text, enum tt_match match)
{
	size_t arrow;

	*m = (struct tt_message){ .code = STR(""), .json = STR(""), .device = -1 };
	/* whatever a user's signpost says, it is no op */
	if (str_starts(text, STR(TT_SIGNPOST)) ||
	    !(match == TT_ANYWHERE ? tt_is_op_zone(text) : begins(text)))
		return;
	arrow = str_find(text, STR(TT_OP_ARROW));
	m->kind = kind_of(text, arrow);
	if (m->kind == TT_KIND_OP) {
		m->json = str_from(text, arrow + strlen(TT_OP_ARROW));
		text = str_head(text, arrow);
	}
	if (m->kind == TT_KIND_OP || m->kind == TT_KIND_CACHED_OP)
		read_op_line(m, behind(text, str_find_char(text, ':')));
	else if (m->kind != TT_KIND_OTHER)
		read_trace_line(m, behind(text, str_rfind_char(text, ':')));
}
