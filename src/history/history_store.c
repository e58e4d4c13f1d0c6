// SPDX-License-Identifier: Apache-2.0
/*
 * The tables of a history (docs/reference/formats/history-db.md), the same in every database.
 *
 * A run is added in one transaction, under a lock that all who write take: its row, the kinds of ops that are new, and its ops.
 */
#include <math.h>
#include <time.h>

#include "base/order.h"
#include "base/sha256.h"
#include "history/history.h"

enum { CONTENT_DIGITS = 64, OPS_AT_ONCE = 500, OP_COLUMNS = 5, POSITIONS_MAX = 10 * 1000 * 1000 };

#define X(member) ", " #member
static const char run_columns[] =
	"id" HISTORY_TEXT_LIST(X) HISTORY_WHOLE_LIST(X) HISTORY_REAL_LIST(X);
#undef X
#define X(member) +1
enum {
	TEXTS = 0 HISTORY_TEXT_LIST(X),
	WHOLES = 0 HISTORY_WHOLE_LIST(X),
	REALS = 0 HISTORY_REAL_LIST(X),
	RUN_COLUMNS = 1 + TEXTS + WHOLES + REALS
};
#undef X

static struct str kept(struct history *h, struct str text)
{
	uint32_t id = intern_copy(&h->texts, text);

	return intern_get(&h->texts, id);
}

static enum ttp_rc damaged(struct ttp_err *e, const char *what)
{
	return ttp_fail(e, TTP_FORMAT, "it is damaged: %s", what);
}

/* ---- texts of keys ---- */

/* Keys have zero bytes, and whatever a report has: what no database takes is escaped, as %00, and so is what escapes. */
static void escape_key(struct buf *b, struct str key)
{
	while (key.len) {
		uint32_t c;
		size_t n = harmless_decode(key, &c);
		bool bad = n == 1 && (unsigned char)key.at[0] >= 0x80;

		if (bad || c < 0x20 || c == '%')
			buf_printf(b, "%%%02x", (unsigned char)key.at[0]);
		else
			buf_str(b, str_head(key, n));
		key = str_from(key, n);
	}
}

static int hex(char c)
{
	return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static void unescape_key(struct buf *b, struct str text)
{
	for (size_t i = 0; i < text.len; i++)
		if (text.at[i] == '%' && i + 2 < text.len && hex(text.at[i + 1]) >= 0 &&
		    hex(text.at[i + 2]) >= 0) {
			buf_char(b, (char)(hex(text.at[i + 1]) << 4 | hex(text.at[i + 2])));
			i += 2;
		} else {
			buf_char(b, text.at[i]);
		}
}

/* ---- the tables ---- */

static const char *const made[] = {
	"CREATE TABLE ttprof_history (key TEXT PRIMARY KEY, value TEXT NOT NULL)",
	"CREATE TABLE ttprof_run (id BIGINT PRIMARY KEY"
#define X(member) ", " #member " TEXT NOT NULL"
	HISTORY_TEXT_LIST(X)
#undef X
#define X(member) ", " #member " BIGINT NOT NULL"
		HISTORY_WHOLE_LIST(X)
#undef X
#define X(member) ", " #member " DOUBLE PRECISION NOT NULL"
			HISTORY_REAL_LIST(X)
#undef X
				", UNIQUE (identity))",
	"CREATE TABLE ttprof_kind (id BIGINT PRIMARY KEY, hash TEXT NOT NULL UNIQUE, label TEXT NOT NULL, code TEXT NOT NULL, "
	"shape TEXT NOT NULL, exact TEXT NOT NULL)",
	"CREATE TABLE ttprof_op (run BIGINT NOT NULL, position BIGINT NOT NULL, kind BIGINT NOT NULL, time_ns DOUBLE PRECISION, "
	"gap_ns DOUBLE PRECISION, PRIMARY KEY (run, position))",
	"INSERT INTO ttprof_history VALUES ('schema', '1')",
};

static enum ttp_rc run_sql(struct history *h, const char *sql, struct ttp_err *e)
{
	return store_run(&h->store, sql, NULL, 0, NULL, NULL, e);
}

struct found {
	bool ours, others;
	int64_t whole;
	bool any;
};

static enum ttp_rc see_table(void *ctx, const struct store_value *cells, size_t n,
			     struct ttp_err *e)
{
	struct found *f = ctx;
	struct str name;

	(void)n;
	(void)e;
	if (!store_text(&cells[0], &name))
		return TTP_OK;
	if (str_eq(name, STR("ttprof_history")))
		f->ours = true;
	else
		f->others = true;
	return TTP_OK;
}

static enum ttp_rc see_whole(void *ctx, const struct store_value *cells, size_t n,
			     struct ttp_err *e)
{
	struct found *f = ctx;

	(void)n;
	if (cells[0].kind == STORE_NULL)
		return TTP_OK;
	f->any = true;
	return store_whole(&cells[0], &f->whole)
		       ? TTP_OK
		       : ttp_fail(e, TTP_FORMAT, "it is damaged: a number was expected");
}

static enum ttp_rc check_schema(struct history *h, struct ttp_err *e)
{
	struct found schema = { 0 };

	TTP_TRY(store_run(&h->store, "SELECT value FROM ttprof_history WHERE key = 'schema'", NULL,
			  0, see_whole, &schema, e));
	if (!schema.any)
		return ttp_fail(e, TTP_FORMAT, "%s: it is damaged: its version is missing",
				h->store.shown.at);
	if (schema.whole != HISTORY_SCHEMA)
		return ttp_fail(
			e, TTP_VERSION,
			"%s: it is of version %lld, written by %s ttprof; this one knows version %d",
			h->store.shown.at, (long long)schema.whole,
			schema.whole > HISTORY_SCHEMA ? "a newer" : "another", HISTORY_SCHEMA);
	return TTP_OK;
}

static enum ttp_rc begin(struct history *h, struct ttp_err *e)
{
	TTP_TRY(run_sql(h, h->store.driver->begin, e));
	return h->store.driver->lock ? run_sql(h, h->store.driver->lock, e) : TTP_OK;
}

/* After an error there is nothing more to say of the end of its transaction. */
static enum ttp_rc end(struct history *h, enum ttp_rc rc, struct ttp_err *e)
{
	struct ttp_err unused;

	if (!rc)
		rc = run_sql(h, "COMMIT", e);
	if (rc)
		(void)!run_sql(h, "ROLLBACK", &unused);
	return rc;
}

static enum ttp_rc find_tables(struct history *h, bool *ours, struct ttp_err *e)
{
	struct found f = { 0 };

	TTP_TRY(store_run(&h->store, h->store.driver->tables, NULL, 0, see_table, &f, e));
	*ours = f.ours;
	return !f.ours && f.others && h->store.driver->is_alone
		       ? ttp_fail(e, TTP_FORMAT, "%s: it is another program's database, no history",
				  h->store.shown.at)
		       : TTP_OK;
}

static enum ttp_rc make_tables(struct history *h, struct ttp_err *e)
{
	bool ours;

	/* another one may have made them by now */
	TTP_TRY(find_tables(h, &ours, e));
	for (size_t i = 0; !ours && i < sizeof(made) / sizeof(*made); i++)
		TTP_TRY(run_sql(h, made[i], e));
	return TTP_OK;
}

enum ttp_rc history_open(struct history *h, const struct store_ask *ask, struct ttp_err *e)
{
	bool ours;

	*h = (struct history){ 0 };
	TTP_TRY(store_open(&h->store, ask, e));
	TTP_TRY(find_tables(h, &ours, e));
	if (!ours && ask->mode == STORE_READ)
		return ttp_fail(e, TTP_USAGE,
				"%s: there is no history yet; `ttprof history add RUN` makes it",
				h->store.shown.at);
	if (!ours) {
		TTP_TRY(begin(h, e));
		TTP_TRY(end(h, make_tables(h, e), e));
	}
	return check_schema(h, e);
}

/* ---- adding ---- */

static enum ttp_rc next_id(struct history *h, const char *sql, int64_t *id, struct ttp_err *e)
{
	struct found f = { 0 };

	TTP_TRY(store_run(&h->store, sql, NULL, 0, see_whole, &f, e));
	*id = f.any ? f.whole + 1 : 1;
	return TTP_OK;
}

/* The number of a kind in the database, which gets it if it has none. */
static enum ttp_rc kind_id(struct history *h, const struct op_position *p, int64_t *id,
			   struct ttp_err *e)
{
	SCOPED(buf) struct buf hash = { 0 };
	struct buf text[SAMENESSES] = { { 0 }, { 0 }, { 0 } };
	struct found f = { 0 };
	struct store_value v[6];
	struct sha256 sum;
	enum ttp_rc rc;

	for (int how = 0; how < SAMENESSES; how++)
		escape_key(&text[how], intern_get(&h->keys.texts[how], p->key[how]));
	sha256_begin(&sum);
	sha256_add(&sum, text[SAME_KIND].at, text[SAME_KIND].len);
	sha256_end(&sum, &hash);
	v[0] = store_of_text(buf_view(&hash));
	rc = store_run(&h->store, "SELECT id FROM ttprof_kind WHERE hash = $1", v, 1, see_whole, &f,
		       e);
	*id = f.whole;
	if (!rc && !f.any)
		rc = next_id(h, "SELECT max(id) FROM ttprof_kind", id, e);
	if (!rc && !f.any) {
		v[0] = store_of_whole(*id);
		v[1] = store_of_text(buf_view(&hash));
		v[2] = store_of_text(h->labels.at[p->key[SAME_KIND]]);
		v[3] = store_of_text(buf_view(&text[SAME_CODE]));
		v[4] = store_of_text(buf_view(&text[SAME_SHAPE]));
		v[5] = store_of_text(buf_view(&text[SAME_KIND]));
		rc = store_run(
			&h->store,
			"INSERT INTO ttprof_kind (id, hash, label, code, shape, exact) VALUES ($1, $2, $3, $4, $5, $6)",
			v, 6, NULL, NULL, e);
	}
	for (int how = 0; how < SAMENESSES; how++)
		buf_release(&text[how]);
	return rc;
}

static void values_text(struct buf *b, size_t rows, size_t columns)
{
	size_t n = 0;

	for (size_t r = 0; r < rows; r++) {
		buf_text(b, r ? ", (" : " (");
		for (size_t c = 0; c < columns; c++)
			buf_printf(b, "%s$%zu", c ? ", " : "", ++n);
		buf_char(b, ')');
	}
}

static enum ttp_rc add_ops(struct history *h, const struct op_sequence *s, int64_t run,
			   struct ttp_err *e)
{
	SCOPED(mem)
	int64_t *ids = mem_zero(intern_count(&h->keys.texts[SAME_KIND]) + 1, sizeof(*ids));
	SCOPED(mem) struct store_value *v = mem_alloc((size_t)OPS_AT_ONCE * OP_COLUMNS, sizeof(*v));
	SCOPED(buf) struct buf sql = { 0 };

	for (size_t from = 0, n; from < s->at.len; from += n) {
		n = s->at.len - from < OPS_AT_ONCE ? s->at.len - from : OPS_AT_ONCE;
		for (size_t i = 0; i < n; i++) {
			const struct op_position *p = &s->at.at[from + i];
			int64_t *id = &ids[p->key[SAME_KIND]];
			struct store_value *to = v + i * OP_COLUMNS;

			if (!*id)
				TTP_TRY(kind_id(h, p, id, e));
			to[0] = store_of_whole(run);
			to[1] = store_of_whole((int64_t)(from + i));
			to[2] = store_of_whole(*id);
			to[3] = store_of_real(s->time_ns[from + i]);
			to[4] = store_of_real(s->gap_ns[from + i]);
		}
		buf_set(&sql,
			"INSERT INTO ttprof_op (run, position, kind, time_ns, gap_ns) VALUES");
		values_text(&sql, n, OP_COLUMNS);
		TTP_TRY(store_run(&h->store, sql.at, v, n * OP_COLUMNS, NULL, NULL, e));
	}
	return TTP_OK;
}

struct twin {
	struct history *h;
	const struct history_run *of;
	struct history_run *to; /* id 0: none so far */
};

/*
 * A run of the same content is the same run if it is of the same commit: a chip that is modelled gives the same for many.  Where nobody has said
 * the commit, another one may be checked out by now; then it is the same if it was recorded at the same time.
 */
static enum ttp_rc see_twin(void *ctx, const struct store_value *cells, size_t n, struct ttp_err *e)
{
	struct twin *t = ctx;
	struct history_run r = { 0 };

	if (n != 5 || !store_whole(&cells[0], &r.id) || !store_text(&cells[1], &r.commit_id) ||
	    !store_whole(&cells[2], &r.commit_s) || !store_whole(&cells[3], &r.time_s) ||
	    !store_whole(&cells[4], &r.dirty))
		return damaged(e, "a run has values that no run has");
	if (!t->to->id &&
	    ((r.commit_s == t->of->commit_s && str_eq(r.commit_id, t->of->commit_id)) ||
	     (!t->of->commit_given && r.time_s > 0 && r.time_s == t->of->time_s))) {
		r.commit_id = kept(t->h, r.commit_id);
		*t->to = r;
	}
	return TTP_OK;
}

static enum ttp_rc find_twin(struct history *h, const struct history_run *r,
			     struct history_run *there, struct ttp_err *e)
{
	struct twin t = { h, r, there };
	struct store_value content = store_of_text(str_head(r->identity, CONTENT_DIGITS));

	/* older versions stored the content alone */
	return store_run(
		&h->store,
		"SELECT id, commit_id, commit_s, time_s, dirty FROM ttprof_run WHERE substr(identity, 1, 64) = $1 ORDER BY id",
		&content, 1, see_twin, &t, e);
}

static enum ttp_rc add_run(struct history *h, const struct history_run *r,
			   struct history_run *there, struct ttp_err *e)
{
	SCOPED(buf) struct buf sql = { 0 };
	struct store_value v[RUN_COLUMNS], *to = v + 1;
	int64_t id;

	TTP_TRY(find_twin(h, r, there, e));
	if (there->id)
		return TTP_OK;
	TTP_TRY(next_id(h, "SELECT max(id) FROM ttprof_run", &id, e));
	v[0] = store_of_whole(id);
#define X(member) *to++ = store_of_text(r->member);
	HISTORY_TEXT_LIST(X)
#undef X
#define X(member) *to++ = store_of_whole(r->member);
	HISTORY_WHOLE_LIST(X)
#undef X
#define X(member) *to++ = store_of_real(r->member);
	HISTORY_REAL_LIST(X)
#undef X
	buf_printf(&sql, "INSERT INTO ttprof_run (%s) VALUES", run_columns);
	values_text(&sql, 1, RUN_COLUMNS);
	TTP_TRY(store_run(&h->store, sql.at, v, RUN_COLUMNS, NULL, NULL, e));
	return add_ops(h, &r->step, id, e);
}

enum ttp_rc history_add(struct history *h, const struct history_run *run, struct history_run *there,
			struct ttp_err *e)
{
	struct history_run r = *run;

	*there = (struct history_run){ 0 };
	r.added_s = (int64_t)time(NULL);
	TTP_TRY(begin(h, e));
	return end(h, add_run(h, &r, there, e), e);
}

/* ---- reading ---- */

struct reading {
	struct history *h;
	bool (*wants)(const void *ctx, const struct history_run *r);
	const void *ctx;
	struct u64map run_of, kind_of; /* ids of the database to numbers of ours */
	VEC(struct op_position) kinds;
};

static enum ttp_rc take_run(void *ctx, const struct store_value *cells, size_t n, struct ttp_err *e)
{
	struct reading *g = ctx;
	struct history_run r = { 0 };
	bool good = n == RUN_COLUMNS && store_whole(&cells[0], &r.id);
	size_t at = 1;

#define X(member)                                               \
	{                                                       \
		struct str text = STR("");                      \
                                                                \
		good = good && store_text(&cells[at++], &text); \
		r.member = kept(g->h, text);                    \
	}
	HISTORY_TEXT_LIST(X)
#undef X
#define X(member) good = good && store_whole(&cells[at++], &r.member);
	HISTORY_WHOLE_LIST(X)
#undef X
#define X(member) good = good && store_real(&cells[at++], &r.member) && isfinite(r.member);
	HISTORY_REAL_LIST(X)
#undef X
	if (!good || r.ops < 0 || r.ops > POSITIONS_MAX)
		return damaged(e, "a run has values that no run has");
	if (g->wants && !g->wants(g->ctx, &r))
		return TTP_OK;
	u64map_put(&g->run_of, (uint64_t)r.id, (uint32_t)g->h->runs.len);
	*vec_push(&g->h->runs) = r;
	return TTP_OK;
}

static enum ttp_rc take_kind(void *ctx, const struct store_value *cells, size_t n,
			     struct ttp_err *e)
{
	struct reading *g = ctx;
	struct str label, text[SAMENESSES];
	struct op_position p = { 0 };
	int64_t id;

	(void)n;
	if (!store_whole(&cells[0], &id) || !store_text(&cells[1], &label) ||
	    !store_text(&cells[2], &text[SAME_CODE]) || !store_text(&cells[3], &text[SAME_SHAPE]) ||
	    !store_text(&cells[4], &text[SAME_KIND]))
		return damaged(e, "a kind of op has values that none has");
	for (int how = 0; how < SAMENESSES; how++) {
		SCOPED(buf) struct buf b = { 0 };

		unescape_key(&b, text[how]);
		p.key[how] = intern_copy(&g->h->keys.texts[how], buf_view(&b));
	}
	label = kept(g->h, label);
	vec_reach(&g->h->labels, p.key[SAME_KIND], (struct str){ 0 });
	g->h->labels.at[p.key[SAME_KIND]] = label;
	u64map_put(&g->kind_of, (uint64_t)id, (uint32_t)g->kinds.len);
	*vec_push(&g->kinds) = p;
	return TTP_OK;
}

static void make_room(struct history_run *r)
{
	r->step = (struct op_sequence){ .repeats = 1, .mhz = r->mhz };
	r->step.time_ns = mem_alloc((size_t)r->ops + 1, sizeof(double));
	r->step.gap_ns = mem_alloc((size_t)r->ops + 1, sizeof(double));
	vec_reserve(&r->step.at, (size_t)r->ops + 1);
}

/* In the order of runs and positions. */
static enum ttp_rc take_op(void *ctx, const struct store_value *cells, size_t n, struct ttp_err *e)
{
	struct reading *g = ctx;
	struct history_run *r;
	struct op_sequence *s;
	int64_t run, position, kind;
	double time_ns, gap_ns;
	uint32_t at, of;
	size_t i;

	(void)n;
	if (!store_whole(&cells[0], &run) || !store_whole(&cells[1], &position) ||
	    !store_whole(&cells[2], &kind) || !store_real(&cells[3], &time_ns) ||
	    !store_real(&cells[4], &gap_ns))
		return damaged(e, "an op has values that none has");
	if (isinf(time_ns) || time_ns < 0 || isinf(gap_ns))
		return damaged(e, "an op has a time that can't be");
	if (!u64map_get(&g->run_of, (uint64_t)run, &at))
		return TTP_OK; /* of no interest, or added just now */
	r = &g->h->runs.at[at];
	s = &r->step;
	if (!s->time_ns)
		make_room(r);
	i = s->at.len;
	if ((int64_t)i >= r->ops || position != (int64_t)i ||
	    !u64map_get(&g->kind_of, (uint64_t)kind, &of))
		return damaged(e, "ops of a run are missing");
	*vec_push(&s->at) = g->kinds.at[of];
	r->without_time += isnan(time_ns);
	s->time_ns[i] = time_ns > 0 ? time_ns : NAN;
	s->gap_ns[i] = isnan(gap_ns) ? 0 : gap_ns;
	return TTP_OK;
}

ORDER_BY(by_time, struct history_run, time_s, id)

/* Commits by their time, runs of one commit by theirs; runs without a commit lie where their own time puts them. */
static int64_t order_time(const struct history_run *r)
{
	return r->commit_s ? r->commit_s : r->time_s;
}

static int by_commit(const void *a, const void *b)
{
	const struct history_run *x = a, *y = b;
	int64_t p = order_time(x), q = order_time(y);
	int names;

	if (p != q)
		return p < q ? -1 : 1;
	names = str_cmp(x->commit_id, y->commit_id);
	return names ? names : by_time(a, b);
}

static enum ttp_rc read_ops(struct reading *g, struct ttp_err *e)
{
	/* one run: a question for it alone */
	struct store_value one =
		g->h->runs.len == 1 ? store_of_whole(g->h->runs.at[0].id) : store_of_whole(0);

	TTP_TRY(store_run(&g->h->store,
			  "SELECT id, label, code, shape, exact FROM ttprof_kind ORDER BY id", NULL,
			  0, take_kind, g, e));
	TTP_TRY(store_run(
		&g->h->store,
		g->h->runs.len == 1
			? "SELECT run, position, kind, time_ns, gap_ns FROM ttprof_op WHERE run = $1 ORDER BY run, position"
			: "SELECT run, position, kind, time_ns, gap_ns FROM ttprof_op ORDER BY run, position",
		&one, g->h->runs.len == 1, take_op, g, e));
	vec_each (r, &g->h->runs) {
		if ((int64_t)r->step.at.len != r->ops)
			return damaged(e, "ops of a run are missing");
		if (!r->step.time_ns)
			make_room(r);
		/* an op without a time had none in any step, and the run counts them */
		if (r->without_time > r->untimed)
			return ttp_fail(e, TTP_FORMAT,
					"%s: it is damaged: times of ops are missing",
					g->h->store.shown.at);
	}
	return TTP_OK;
}

enum ttp_rc history_read(struct history *h,
			 bool (*wants)(const void *ctx, const struct history_run *r),
			 const void *ctx, bool with_ops, struct ttp_err *e)
{
	struct reading g = { .h = h, .wants = wants, .ctx = ctx };
	SCOPED(buf) struct buf sql = { 0 };
	enum ttp_rc rc;

	buf_printf(&sql, "SELECT %s FROM ttprof_run ORDER BY id", run_columns);
	rc = store_run(&h->store, sql.at, NULL, 0, take_run, &g, e);
	if (!rc && with_ops)
		rc = read_ops(&g, e);
	vec_sort(&h->runs, by_commit);
	u64map_release(&g.run_of);
	u64map_release(&g.kind_of);
	vec_release(&g.kinds);
	return rc;
}
