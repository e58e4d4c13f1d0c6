// SPDX-License-Identifier: Apache-2.0
#include "ops/host/messages.h"

#include "base/number.h"

static bool all_digits(struct str s)
{
	for (size_t i = 0; i < s.len; i++)
		if (s.at[i] < '0' || s.at[i] > '9')
			return false;
	return s.len > 0;
}

static void go_on(struct message_reader *r, size_t to)
{
	for (size_t i = 0; i < to && i < r->rest.len; i++)
		r->line += r->rest.at[i] == '\n';
	r->rest = str_from(r->rest, to);
}

static size_t line_end(struct str s, size_t at)
{
	size_t n = str_find_char(str_from(s, at), '\n');

	return n == STR_NONE ? s.len : at + n;
}

/* A text that never closed: without the line end, and without ";time" if that is there. */
static void take_cut(struct message *m, struct str text)
{
	size_t semicolon;

	m->cut = true;
	while (text.len && (text.at[text.len - 1] == '\n' || text.at[text.len - 1] == '\r'))
		text.len--;
	semicolon = str_rfind_char(text, ';');
	if (semicolon != STR_NONE && all_digits(str_from(text, semicolon + 1))) {
		m->time = str_from(text, semicolon + 1);
		text.len = semicolon;
	}
	m->text = text;
}

static struct str undouble(struct message_reader *r, struct str s)
{
	char *to = arena_dup(r->texts, s.at, s.len);
	size_t n = 0;

	for (size_t i = 0; i < s.len; i++) {
		to[n++] = s.at[i];
		if (s.at[i] == '`' && i + 1 < s.len && s.at[i + 1] == '`')
			i++;
	}
	return str_n(to, n);
}

static void take_quoted(struct message_reader *r, struct message *m)
{
	struct str s = r->rest;
	size_t at = 1;
	bool doubled = false;

	for (;;) {
		size_t q = str_find_char(str_from(s, at), '`');
		char next;

		if (q == STR_NONE) {
			take_cut(m, str_from(s, 1));
			go_on(r, s.len);
			return;
		}
		q += at;
		next = q + 1 < s.len ? s.at[q + 1] : '\n';
		if (next == ';' || next == '\n' || next == '\r') {
			size_t end = line_end(s, q);

			m->text = str_n(s.at + 1, q - 1);
			if (doubled)
				m->text = undouble(r, m->text);
			if (next == ';')
				m->time = str_trim(str_n(s.at + q + 2, end - q - 2));
			go_on(r, end + 1);
			return;
		}
		if (s.at[q - 1] == '\n') { /* the next message opens: this one was cut */
			take_cut(m, str_n(s.at + 1, q - 1));
			go_on(r, q);
			return;
		}
		doubled |= next == '`';
		at = q + (next == '`' ? 2 : 1);
	}
}

bool message_next(struct message_reader *r, struct message *m)
{
	size_t end, semicolon;
	struct str line;

	*m = (struct message){ .text = STR(""), .time = STR("") };
	while (r->rest.len && (r->rest.at[0] == '\n' || r->rest.at[0] == '\r'))
		go_on(r, 1);
	if (!r->rest.len)
		return false;
	m->line = r->line;
	if (r->rest.at[0] == '`') {
		take_quoted(r, m);
		return true;
	}
	end = line_end(r->rest, 0);
	line = str_trim(str_head(r->rest, end));
	semicolon = str_find_char(line, ';');
	m->text = str_head(line, semicolon);
	if (semicolon != STR_NONE) {
		struct str time = str_from(line, semicolon + 1);

		m->time = str_trim(str_head(time, str_find_char(time, ';')));
	}
	go_on(r, end + 1);
	return true;
}

/* "\"Matmul\", 1234, 0, true, 1024": what the first line of an op's message says. */
struct op_line {
	struct str code;
	uint64_t hash, id;
	int64_t device;
	bool hit, has_id;
};

static bool read_op_line(struct str line, struct op_line *out)
{
	struct str part[8], rest = line;
	size_t n = 0, quote = str_find_char(line, '"');

	*out = (struct op_line){ .code = STR(""), .device = -1 };
	if (quote != STR_NONE) {
		struct str code = str_from(line, quote + 1);
		size_t close = str_find_char(code, '"');

		if (close != STR_NONE) {
			out->code = str_head(code, close);
			rest = str_from(code, close + 1);
			n = 1; /* the code, which may hold commas */
			part[0] = out->code;
			if (!rest.len)
				return false;
			rest = str_from(rest, str_find_char(rest, ',') == STR_NONE
						      ? rest.len
						      : str_find_char(rest, ',') + 1);
		}
	}
	while (n < 8 && str_split(&rest, ',', &part[n]))
		n++;
	if (n < 5 || !number_u64(str_trim(part[1]), &out->hash) ||
	    !number_i64(str_trim(part[2]), &out->device) ||
	    !number_u64(str_trim(part[4]), &out->id))
		return false;
	part[3] = str_trim(part[3]);
	out->hit = str_eq(part[3], STR("1")) || str_eq(part[3], STR("true")) ||
		   str_eq(part[3], STR("True"));
	out->has_id = true;
	return true;
}

/* State of reading that ends with the last message. */
struct reading {
	struct host_events *h;
	struct u64map capture;  /* device, to the number of a trace in `trace_ids` */
	VEC(int64_t) trace_ids; /* -1: not capturing any more */
	struct intern programs; /* device and hash */
	VEC(uint32_t) record_of_program;
};

static int64_t captured_by(const struct reading *g, int64_t device)
{
	uint32_t i;

	return u64map_get(&g->capture, (uint64_t)device, &i) ? g->trace_ids.at[i] : -1;
}

static void odd_message(struct host_events *h, const struct message *m)
{
	if (h->odd_messages + h->cut_messages < 8)
		h->cut_line[h->odd_messages + h->cut_messages] = m->line;
	h->odd_messages++;
}

static void cut_message(struct host_events *h, const struct message *m)
{
	if (h->odd_messages + h->cut_messages < 8)
		h->cut_line[h->odd_messages + h->cut_messages] = m->line;
	h->cut_messages++;
}

/*
 * Programs that share a hash are told apart by the names of their ops; to the original (`hash_is_name`) the last
 * one is all of them.
 */
static uint32_t program_of(struct reading *g, int64_t device, uint64_t hash, struct str name)
{
	uint64_t key[3] = { (uint64_t)device, hash, g->h->hash_is_name ? 0 : str_hash(name) };
	uint32_t id = intern_copy(&g->programs, str_n((const char *)key, sizeof(key)));

	if (id == g->record_of_program.len)
		*vec_push(&g->record_of_program) = HOST_NONE;
	return id;
}

/* The zone, which knows the start, comes later. */
static void announce(struct host_events *h, struct host_op *op, int64_t time)
{
	h->same_number += op->has_message;
	op->has_message = true;
	host_op_set_times(h, op, op->has_zone ? op->start_ns : time, host_op_exec_ns(h, op), time);
}

/* A message with all about an op, or with as much as was not cut. */
static void take_full_op(struct reading *g, const struct message *m, struct str head,
			 struct str json, int64_t time)
{
	struct host_events *h = g->h;
	size_t colon = str_find_char(head, ':');
	struct op_identity who;
	struct op_line line;
	struct host_op *op;
	struct host_program p = { .trace_id = -1 };
	bool named = read_op_line(str_from(head, colon == STR_NONE ? 0 : colon + 1), &line);

	op_record_peek(json, &who);
	if (who.broken || m->cut)
		cut_message(h, m);
	if (!who.has_id && !named) {
		if (!who.broken)
			odd_message(h, m);
		return;
	}
	op = host_op_add(h, who.has_id ? who.id : line.id);
	p.record = (uint32_t)h->records.len;
	*vec_push(&h->records) = (struct host_record){ .json = json };
	announce(h, op, time);
	op->cut = who.broken || m->cut;
	op->cache_hit = who.broken && named ? line.hit : -1;
	p.code = intern_copy(&h->codes, line.code);
	p.device = who.has_device ? who.device : named ? line.device : -1;
	p.hash = who.has_hash ? who.hash : line.hash;
	if ((who.has_hash || named) && p.device >= 0) {
		uint32_t program = program_of(g, p.device, p.hash, line.code);

		if (!op->cut)
			g->record_of_program.at[program] = p.record;
		p.trace_id = captured_by(g, p.device);
	}
	op->program = host_program_add(h, &p);
}

static void take_cached_op(struct reading *g, const struct message *m, int64_t time)
{
	struct host_events *h = g->h;
	size_t colon = str_find_char(m->text, ':');
	struct op_line line;
	struct host_op *op;
	struct host_program p;
	uint32_t program;

	if (!read_op_line(str_from(m->text, colon == STR_NONE ? 0 : colon + 1), &line)) {
		odd_message(h, m);
		return;
	}
	program = program_of(g, line.device, line.hash, line.code);
	op = host_op_add(h, line.id);
	announce(h, op, time);
	op->cache_hit = line.hit ? 1 : 0;
	if (g->record_of_program.at[program] == HOST_NONE) /* told by a message without a name? */
		program = program_of(g, line.device, line.hash, STR(""));
	p = (struct host_program){ .device = line.device,
				   .trace_id = captured_by(g, line.device),
				   .hash = line.hash,
				   .record = g->record_of_program.at[program],
				   .code = intern_copy(&h->codes, line.code) };
	op->cut = p.record == HOST_NONE; /* the message that told about it was cut or lost */
	op->program = host_program_add(h, &p);
}

static void add_replay(struct host_events *h, int64_t device, int64_t trace, int64_t time)
{
	struct host_replays *found = NULL;

	vec_each (r, &h->replays)
		if (r->device == device && r->trace_id == trace)
			found = r;
	if (!found) {
		found = vec_push(&h->replays);
		*found = (struct host_replays){ .device = device, .trace_id = trace };
	}
	*vec_push(&found->times_ns) = time;
}

/* "TT_METAL_TRACE_BEGIN: 0, 5" */
static void take_trace(struct reading *g, const struct message *m, int64_t time)
{
	size_t colon = str_rfind_char(m->text, ':');
	struct str ids = str_from(m->text, colon == STR_NONE ? 0 : colon + 1), first;
	int64_t device, trace;

	if (!str_split(&ids, ',', &first) || !number_i64(str_trim(first), &device) ||
	    !number_i64(str_trim(ids), &trace)) {
		odd_message(g->h, m);
		return;
	}
	if (str_has(m->text, STR("BEGIN"))) {
		g->h->any_trace_begin = true;
		u64map_put(&g->capture, (uint64_t)device, (uint32_t)g->trace_ids.len);
		*vec_push(&g->trace_ids) = trace;
	} else if (str_has(m->text, STR("END"))) {
		u64map_put(&g->capture, (uint64_t)device, (uint32_t)g->trace_ids.len);
		*vec_push(&g->trace_ids) = -1;
	} else if (str_has(m->text, STR("REPLAY"))) {
		add_replay(g->h, device, trace, time);
	}
}

static void take_message(struct reading *g, const struct message *m)
{
	bool signpost = str_has(m->text, STR("TT_SIGNPOST"));
	int64_t time;

	/* the name of an op may hold anything; the original makes a row of it all the same */
	if (!g->h->hash_is_name &&
	    (str_starts(m->text, STR("TT_DNN")) || str_starts(m->text, STR("TT_METAL"))))
		signpost = false;

	if (!number_i64(m->time, &time))
		time = 0;
	if (signpost)
		*vec_push(&g->h->signposts) = (struct host_signpost){ m->text, time };
	/* whatever a user's signpost says, it is no op */
	if (str_starts(m->text, STR("TT_SIGNPOST")))
		return;
	if (!str_has(m->text, STR("TT_DNN")) && !str_has(m->text, STR("TT_METAL")))
		return;
	if (str_has(m->text, STR("OP"))) {
		size_t arrow = str_find(m->text, STR(" ->\n"));

		if (arrow != STR_NONE)
			take_full_op(g, m, str_head(m->text, arrow), str_from(m->text, arrow + 4),
				     time);
		else if (str_starts(m->text, STR("TT_DNN")) || !str_has(m->text, STR("TRACE")))
			take_cached_op(g, m, time);
	} else if (str_has(m->text, STR("TRACE")) &&
		   !str_starts(m->text, STR("TT_METAL_TRACE_ENQUEUE_PROGRAM"))) {
		take_trace(g, m, time);
	}
}

void host_events_add_messages(struct host_events *h, struct str text)
{
	struct message_reader r = { .rest = text, .line = 1, .texts = &h->texts };
	struct reading g = { .h = h };
	struct message m;

	while (message_next(&r, &m))
		take_message(&g, &m);
	u64map_release(&g.capture);
	vec_release(&g.trace_ids);
	intern_release(&g.programs);
	vec_release(&g.record_of_program);
}
