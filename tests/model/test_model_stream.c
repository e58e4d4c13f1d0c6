// SPDX-License-Identifier: Apache-2.0
/*
 * The client's stream as a state machine: two threads that record, the drain that reads, a reader that goes away, a fork.  Every
 * order of their steps is explored, with chunks of two records and a pool that is too small.
 *
 * A step is what the others can see: a load or a store of a shared word.  The steps are those of src/client/record/stream.c and
 * src/client/send/drain.c; STEPS below has the line of each, and the first test fails when the code does it otherwise or in
 * another order, so that both are changed together.  The model is sequentially consistent: orders of memory are
 * ThreadSanitizer's to check.
 *
 * What must hold: what is read is what was written, in order, once; and in the end every record was read, lost with a reader,
 * or counted as dropped.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "base/vec.h"

enum { PRODUCERS = 2, CHUNK = 2, CHUNKS = 3, NONE = 255 };

/* ---- the code's lines ---- */

static const struct step {
	const char *file, *function, *text;
} steps[] = {
	{ "record/stream.c", "go_on_in", "old->filled = (uintptr_t)stream_room(s);" },
	{ "record/stream.c", "go_on_in", "use_chunk(s, c);" },
	{ "record/stream.c", "go_on_in", "atomic_store_explicit(&old->next, c" },
	{ "record/stream.c", "go_on_in", "publish(s, c->words);" },
	{ "record/stream.c", "begin_anew", "atomic_load_explicit(&s->read" },
	{ "record/stream.c", "begin_anew", "atomic_store_explicit(&s->read, 0" },
	{ "record/stream.c", "begin_anew", "atomic_store_explicit(&s->restarts, n + 1" },
	{ "record/stream.c", "begin_anew", "publish(s, s->chunk->words);" },
	{ "record/stream.c", "begin_anew", "atomic_store_explicit(&s->restarts, n + 2" },
	{ "record/stream.c", "stream_readable", "n = atomic_load_explicit(&s->restarts" },
	{ "record/stream.c", "stream_readable", "at = stream_top(atomic_load_explicit(&s->state" },
	{ "record/stream.c", "stream_readable",
	  "if (n & 1 || n != atomic_load_explicit(&s->restarts" },
	{ "record/stream.c", "stream_readable", "if (n != s->rd_restarts)" },
	{ "record/stream.c", "next_chunk", "pool_take()" },
	{ "record/stream.c", "next_chunk", "go_on_in(s, c);" },
	{ "record/stream.c", "next_chunk", "begin_anew(s)" },
	{ "send/drain.c", "put_span", "put_record(s, st, w)" },
	{ "send/drain.c", "put_span", "st->rd_at = end;" },
	{ "send/drain.c", "put_span", "atomic_store_explicit(&st->read, end" },
	{ "send/drain.c", "drain_stream", "stream_readable(st)" },
	{ "send/drain.c", "drain_stream", "last = stream_is_in(c, at)" },
	{ "send/drain.c", "drain_stream", "atomic_load_explicit(&c->next" },
	{ "send/drain.c", "drain_stream", "last ? at : c->filled" },
	{ "send/drain.c", "drain_stream", "put_span(s, st, end);" },
	{ "send/drain.c", "drain_stream", "st->rd_chunk = next;" },
	{ "send/drain.c", "drain_stream", "atomic_store_explicit(&st->read, 0" },
	{ "send/drain.c", "drain_stream", "pool_give(c);" },
};

static char *read_source(const char *name)
{
	char path[1024], *text;
	size_t n;
	FILE *f;

	snprintf(path, sizeof(path), "%s/src/client/%s", TTP_SOURCE_DIR, name);
	f = fopen(path, "re");
	assert_non_null(f);
	text = mem_zero(1 << 20, 1);
	n = fread(text, 1, (1 << 20) - 1, f);
	assert_true(n > 0);
	fclose(f);
	return text;
}

/* Where the body of a function begins: its name and a parenthesis, and no semicolon before the brace. */
static const char *body_of(const char *text, const char *function)
{
	char head[80];
	const char *at = text;

	snprintf(head, sizeof(head), "%s(", function);
	while ((at = strstr(at, head))) {
		const char *brace = strstr(at, "\n{"), *end = strchr(at, ';');

		if (brace && (!end || brace < end))
			return brace;
		at++;
	}
	return NULL;
}

static void the_steps_are_those_of_the_code_in_its_order(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(steps) / sizeof(*steps);) {
		const char *function = steps[i].function;
		char *text = read_source(steps[i].file);
		const char *at = body_of(text, function), *end = at ? strstr(at, "\n}") : NULL;

		assert_non_null(at);
		assert_non_null(end);
		for (; i < sizeof(steps) / sizeof(*steps) && !strcmp(steps[i].function, function);
		     i++) {
			at = strstr(at, steps[i].text);
			if (!at || at > end)
				fail_msg("%s: %s: no \"%s\" behind the steps before", steps[i].file,
					 function, steps[i].text);
		}
		free(text);
	}
}

/* ---- the model ---- */

enum producer_step {
	P_OPEN, /* stream_open, next_chunk: does it fit? */
	P_TAKE, /* pool_take */
	P_FILLED,
	P_NEXT,
	P_PUBLISH_CHUNK,
	P_ANEW_LOOK,
	P_ANEW_CLEAR,
	P_ANEW_ODD,
	P_ANEW_PUBLISH,
	P_ANEW_EVEN,
	P_WRITE,
	P_CLOSE, /* publish */
	P_DONE
};

enum drain_step {
	D_RESTARTS,
	D_STATE,
	D_AGAIN,
	D_SPAN,
	D_PUT,
	D_READ,
	D_MOVE,
	D_CLEAR,
	D_GIVE,
};

/* An address: a chunk and the index of a record. */
struct at {
	uint8_t chunk, index;
};

struct chunk {
	uint8_t next, filled, free;
	uint8_t words[CHUNK];
};

struct producer {
	uint8_t step, event, taken; /* taken: chunk */
	uint8_t chunk, restarts, dropped;
	struct at state, read;
	/* the drain's */
	uint8_t rd_chunk, rd_at, rd_restarts;
	uint8_t got, last; /* records, and the last one */
};

struct model {
	struct chunk chunk[CHUNKS];
	struct producer p[PRODUCERS];
	uint8_t drain, stream, n, end, next, is_last;
	struct at at;
	uint8_t connected, lost[PRODUCERS], forked, threads, events;
};

static const struct at nowhere = { NONE, NONE };

static bool same(struct at a, struct at b)
{
	return a.chunk == b.chunk && a.index == b.index;
}

static void begin(struct model *m, unsigned threads, unsigned events)
{
	memset(m, 0, sizeof(*m));
	m->events = (uint8_t)events;
	m->threads = (uint8_t)threads;
	m->connected = 1;
	for (unsigned i = 0; i < CHUNKS; i++)
		m->chunk[i] = (struct chunk){ .next = NONE, .free = i >= threads };
	for (unsigned i = 0; i < PRODUCERS; i++) {
		m->p[i].chunk = m->p[i].rd_chunk = (uint8_t)(i < threads ? i : NONE);
		m->p[i].state = (struct at){ m->p[i].chunk, 0 };
		m->p[i].read = nowhere;
		m->p[i].step = i < threads ? P_OPEN : P_DONE;
		m->p[i].taken = NONE;
	}
}

static void next_event(const struct model *m, struct producer *p)
{
	p->event++;
	p->step = p->event < m->events ? P_OPEN : P_DONE;
}

/* What thread i does next; false when it is done. */
static bool produce(struct model *m, unsigned i)
{
	struct producer *p = &m->p[i];

	switch ((enum producer_step)p->step) {
	case P_OPEN:
		p->step = p->state.index < CHUNK ? P_WRITE : P_TAKE;
		return true;
	case P_TAKE:
		p->taken = NONE;
		for (uint8_t c = 0; c < CHUNKS && p->taken == NONE; c++)
			if (m->chunk[c].free)
				p->taken = c;
		if (p->taken != NONE) {
			m->chunk[p->taken].free = 0;
			m->chunk[p->taken].next = NONE;
		}
		p->step = p->taken != NONE ? P_FILLED : P_ANEW_LOOK;
		return true;
	case P_FILLED:
		m->chunk[p->chunk].filled = p->state.index;
		p->step = P_NEXT;
		return true;
	case P_NEXT:
		m->chunk[p->chunk].next = p->taken;
		p->chunk = p->taken;
		p->step = P_PUBLISH_CHUNK;
		return true;
	case P_PUBLISH_CHUNK:
		p->state = (struct at){ p->chunk, 0 };
		p->step = P_WRITE;
		return true;
	case P_ANEW_LOOK:
		if (same(p->read, p->state)) {
			p->step = P_ANEW_CLEAR;
		} else {
			p->dropped++;
			next_event(m, p);
		}
		return true;
	case P_ANEW_CLEAR:
		p->read = nowhere;
		p->step = P_ANEW_ODD;
		return true;
	case P_ANEW_ODD:
		p->restarts++;
		p->step = P_ANEW_PUBLISH;
		return true;
	case P_ANEW_PUBLISH:
		p->state = (struct at){ p->chunk, 0 };
		p->step = P_ANEW_EVEN;
		return true;
	case P_ANEW_EVEN:
		p->restarts++;
		p->step = P_WRITE;
		return true;
	case P_WRITE:
		m->chunk[p->chunk].words[p->state.index] = (uint8_t)(i * 16 + p->event + 1);
		p->step = P_CLOSE;
		return true;
	case P_CLOSE:
		p->state.index++;
		next_event(m, p);
		return true;
	case P_DONE:
		break;
	}
	return false;
}

static void put(struct model *m, unsigned i, uint8_t word)
{
	struct producer *p = &m->p[i];

	assert_int_equal(word / 16, i);
	assert_true(word % 16 > p->last);
	p->last = word % 16;
	if (m->connected)
		p->got++;
	else
		m->lost[i]++;
}

static void next_stream(struct model *m)
{
	m->stream = (uint8_t)((m->stream + 1) % m->threads);
	m->drain = D_RESTARTS;
	m->n = m->end = m->is_last = 0;
	m->next = NONE;
	m->at = nowhere;
}

static void read_on(struct model *m)
{
	struct producer *p = &m->p[m->stream];

	switch ((enum drain_step)m->drain) {
	case D_RESTARTS:
		m->n = p->restarts;
		m->drain = D_STATE;
		break;
	case D_STATE:
		m->at = p->state;
		m->drain = D_AGAIN;
		break;
	case D_AGAIN:
		if (m->n & 1 || m->n != p->restarts) {
			next_stream(m);
			break;
		}
		if (m->n != p->rd_restarts) {
			p->rd_restarts = m->n;
			p->rd_at = 0;
		}
		m->drain = D_SPAN;
		break;
	case D_SPAN:
		m->is_last = m->at.chunk == p->rd_chunk;
		m->next = m->is_last ? NONE : m->chunk[p->rd_chunk].next;
		m->end = m->is_last ? m->at.index : m->chunk[p->rd_chunk].filled;
		/* `state` is in another chunk: the way to it is there */
		assert_true(m->is_last || m->next != NONE);
		m->drain = p->rd_at != m->end ? D_PUT : m->is_last ? D_RESTARTS : D_MOVE;
		if (m->drain == D_RESTARTS)
			next_stream(m);
		break;
	case D_PUT:
		assert_true(p->rd_at < m->end);
		put(m, m->stream, m->chunk[p->rd_chunk].words[p->rd_at++]);
		m->drain = p->rd_at < m->end ? D_PUT : D_READ;
		break;
	case D_READ:
		p->read = (struct at){ p->rd_chunk, m->end };
		m->drain = D_MOVE;
		if (m->is_last)
			next_stream(m);
		break;
	case D_MOVE:
		m->end = p->rd_chunk; /* to be given */
		p->rd_chunk = m->next;
		p->rd_at = 0;
		m->drain = D_CLEAR;
		break;
	case D_CLEAR:
		p->read = nowhere;
		m->drain = D_GIVE;
		break;
	case D_GIVE:
		assert_false(m->chunk[m->end].free);
		m->chunk[m->end].free = 1;
		m->drain = D_SPAN;
		break;
	}
}

/* ---- all orders ---- */

struct seen {
	VEC(struct model) states;
	uint32_t *slot;
	size_t mask;
};

static uint64_t hash(const struct model *m)
{
	return str_hash(str_n((const char *)m, sizeof(*m)));
}

static void rehash(struct seen *s)
{
	s->mask = s->mask ? s->mask * 2 + 1 : (1 << 16) - 1;
	free(s->slot);
	s->slot = mem_zero(s->mask + 1, sizeof(*s->slot));
	for (size_t k = 0; k < s->states.len; k++) {
		size_t at = hash(&s->states.at[k]) & s->mask;

		while (s->slot[at])
			at = (at + 1) & s->mask;
		s->slot[at] = (uint32_t)k + 1;
	}
}

/* Keeps a state to be explored, if it is new. */
static void visit(struct seen *s, const struct model *m)
{
	size_t at;

	if (s->states.len * 2 >= s->mask)
		rehash(s);
	at = hash(m) & s->mask;
	while (s->slot[at]) {
		if (!memcmp(&s->states.at[s->slot[at] - 1], m, sizeof(*m)))
			return;
		at = (at + 1) & s->mask;
	}
	*vec_push(&s->states) = *m;
	s->slot[at] = (uint32_t)s->states.len;
}

/* All threads are done and the drain goes round until nothing is left: everything is accounted for. */
static void check_end(struct model m)
{
	for (int i = 0; i < 200; i++)
		read_on(&m);
	for (unsigned i = 0; i < m.threads; i++)
		assert_int_equal(m.p[i].got + m.lost[i] + m.p[i].dropped, m.events);
	for (unsigned i = 0; i < m.threads; i++)
		assert_true(m.p[i].rd_chunk == m.p[i].state.chunk &&
			    m.p[i].rd_at == m.p[i].state.index);
}

static void explore(unsigned threads, unsigned events, bool goes_away, bool forks)
{
	struct seen s = { 0 };
	struct model m;
	size_t ends = 0;

	begin(&m, threads, events);
	visit(&s, &m);
	for (size_t k = 0; k < s.states.len; k++) {
		bool busy = false;

		for (unsigned i = 0; i < PRODUCERS; i++) {
			m = s.states.at[k];
			if (produce(&m, i)) {
				busy = true;
				visit(&s, &m);
			}
		}
		if (!busy) {
			check_end(s.states.at[k]);
			ends++;
		}
		m = s.states.at[k];
		read_on(&m);
		visit(&s, &m);
		m = s.states.at[k];
		if (goes_away && m.connected && (m.drain == D_RESTARTS || m.drain == D_PUT)) {
			m.connected = 0; /* what is read from now on is lost, and counted */
			visit(&s, &m);
		}
		/* stream_reset, pool_reset: the child has its thread, no records, no drain in the middle of anything */
		m = s.states.at[k];
		if (forks && !m.forked && (m.p[0].step == P_OPEN || m.p[0].step == P_DONE)) {
			begin(&m, 1, events);
			m.forked = 1;
			visit(&s, &m);
		}
	}
	print_message("# %u threads, %u events of each: %zu states, %zu ends\n", threads, events,
		      s.states.len, ends);
	assert_true(ends > 10);
	vec_release(&s.states);
	free(s.slot);
}

static void every_order_of_two_threads_and_the_drain_keeps_all(void **state)
{
	(void)state;
	explore(2, 5, false, false);
	explore(1, 12, false, false); /* the same chunks again and again */
}

static void a_reader_that_goes_away_loses_what_is_counted(void **state)
{
	(void)state;
	explore(2, 4, true, false);
	explore(1, 10, true, false);
}

static void a_child_begins_with_nothing(void **state)
{
	(void)state;
	explore(2, 4, false, true);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_steps_are_those_of_the_code_in_its_order),
		cmocka_unit_test(every_order_of_two_threads_and_the_drain_keeps_all),
		cmocka_unit_test(a_reader_that_goes_away_loses_what_is_counted),
		cmocka_unit_test(a_child_begins_with_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
