// SPDX-License-Identifier: Apache-2.0
/*
 * Logs of ops as the first generation of tools had them, a folder per op and call, where ttp_op_location() says:
 *
 *	DIR/OP/profile_log_host.csv			a row per call
 *	DIR/OP/CALL/profile_log_host.csv		what the call did with the device
 *	DIR_device/OP/CALL/profile_log_device.csv	its markers, 6 columns
 *
 * As then, the device is read after each op, so ops don't overlap.  The log of all ops has those markers, too.
 */
#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include "host/logs/marker_results.h"
#include "host/ops/op.h"
#include "wire/run_names.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct buf location;    /* empty: not asked for */
static struct intern names;    /* folders of ops */
static VEC(uint32_t) calls_of; /* of each name */
static uint64_t ops;           /* so far */

int ttp_op_location(const char *dir)
{
	pthread_mutex_lock(&lock);
	buf_clear(&location);
	if (dir)
		buf_text(&location, dir);
	while (location.len > 1 && location.at[location.len - 1] == '/')
		location.at[--location.len] = 0;
	intern_release(&names);
	vec_release(&calls_of);
	names = (struct intern){ 0 };
	ops = 0;
	pthread_mutex_unlock(&lock);
	return 0;
}

bool op_folders_on(void)
{
	bool on;

	pthread_mutex_lock(&lock);
	on = location.len > 0;
	pthread_mutex_unlock(&lock);
	return on;
}

/* ---- cells: separated by a comma and a blank, with no commas in them ---- */

static void cell(struct buf *b, struct str s)
{
	for (size_t i = 0; i < s.len; i++) {
		char c = s.at[i];

		buf_char(b, c == ',' ? ';' : (unsigned char)c < ' ' ? ' ' : c);
	}
	buf_text(b, ", ");
}

static void tensors(struct buf *b, const struct ttp_tensor *t, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		buf_printf(b, "%s%llu_%llu_%llu_%llu|%s|%s|", i ? "-" : "",
			   (unsigned long long)t[i].padded[0], (unsigned long long)t[i].padded[1],
			   (unsigned long long)t[i].padded[2], (unsigned long long)t[i].padded[3],
			   tensor_layout_text(&t[i]), tensor_dtype_text(&t[i]));
		if (t[i].device < 0)
			buf_text(b, "host");
		else
			buf_printf(b, "dev_%d_%s", t[i].device,
				   t[i].where == TTP_DRAM ? "dram" : "l1");
	}
	buf_text(b, ", ");
}

static void meta(struct buf *b, const struct ttp_op *op)
{
	struct buf text = { 0 };

	if (op->attributes.len || op->meta.len) {
		buf_char(&text, '{');
		vec_each (a, &op->attributes)
			buf_printf(&text, "%s'%s': '%s'", text.len > 1 ? "; " : "", a->name,
				   a->value);
		if (op->meta.len)
			buf_printf(&text, "%s%s", text.len > 1 ? "; " : "", op->meta.at);
		buf_char(&text, '}');
	}
	cell(b, buf_view(&text));
	buf_release(&text);
}

static void row(struct buf *b, const struct ttp_op *op, uint64_t number, uint32_t call,
		int64_t stop)
{
	static const char *const types[] = { "tt_dnn_device", "tt_dnn_cpu", "python_fallback" };
	int depth = 1;

	for (const struct ttp_op *o = op->outer; o; o = o->outer)
		depth++;
	cell(b, buf_view(&op->code));
	buf_printf(b, "%lld, %lld, %lld, %llu, %u, %d, ", (long long)op->start_ns, (long long)stop,
		   (long long)(stop - op->start_ns), (unsigned long long)number, call, depth);
	tensors(b, op->inputs.at, op->inputs.len);
	tensors(b, op->outputs.at, op->outputs.len);
	cell(b, str_of(op_fidelity(op)));
	cell(b, buf_view(&op->strategy));
	cell(b, STR("")); /* preferred name */
	meta(b, op);
	buf_printf(b, "%s\n", types[op->type]);
}

/* ---- files ---- */

static enum ttp_rc add_text(const char *path, const char *mode, struct str text, struct ttp_err *e)
{
	FILE *f = fopen(path, mode);
	bool written;

	if (!f)
		return ttp_fail_errno(e, "%s", path);
	written = fwrite(text.at, 1, text.len, f) == text.len;
	return fclose(f) || !written ? ttp_fail_errno(e, "%s", path) : TTP_OK;
}

static enum ttp_rc write_host(const char *folder, const struct ttp_op *op, uint64_t number,
			      uint32_t call, struct ttp_err *e)
{
	struct buf path = { 0 }, text = { 0 };
	enum ttp_rc rc;

	buf_printf(&path, "%s/%u", folder, call);
	rc = log_writer_folder(path.at, e);
	buf_clear(&path);
	buf_printf(&path, "%s/profile_log_host.csv", folder);
	if (call == 1)
		buf_text(
			&text,
			"Name, Start timer count [ns], Stop timer count [ns], Delta timer count [ns], "
			"Global Call Count, Call Count, Stack Size, Inputs, Outputs, Math Fidelity, "
			"Parallelization Strategy, Preferred Name, Meta Data, Type\n");
	row(&text, op, number, call, ttp_host_ns());
	if (!rc)
		rc = add_text(path.at, call == 1 ? "w" : "a", buf_view(&text), e);
	buf_clear(&path);
	buf_clear(&text);
	buf_printf(&path, "%s/%u/profile_log_host.csv", folder, call);
	buf_text(&text,
		 "Name, Start timer count [ns], Stop timer count [ns], Delta timer count [ns]\n");
	vec_each (c, &op->calls)
		buf_printf(&text, "%s, %lld, %lld, %lld\n", op_zone_name(c->which),
			   (long long)c->start_ns, (long long)c->stop_ns,
			   (long long)(c->stop_ns - c->start_ns));
	if (!rc)
		rc = add_text(path.at, "w", buf_view(&text), e);
	buf_release(&path);
	buf_release(&text);
	return rc;
}

/* Reads the device into that folder. */
static enum ttp_rc read_into(struct ttp_dev *d, const char *folder, struct ttp_err *e)
{
	struct buf log = { 0 };
	enum ttp_rc rc = queue_finish(d, e);

	if (!rc && strlen(folder) >= sizeof(d->settings.folder))
		rc = ttp_fail(e, TTP_LIMIT, "%s: a longer path than %zu bytes", folder,
			      sizeof(d->settings.folder) - 1);
	if (!rc)
		rc = log_writer_folder(folder, e);
	if (!rc) {
		buf_printf(&log, "%s/" RUN_DEVICE_LOG, folder);
		if (unlink(log.at) && errno != ENOENT)
			rc = ttp_fail_errno(e, "%s", log.at);
	}
	if (!rc) {
		d->op_folder = folder;
		rc = results_read(d, true, e);
		d->op_folder = NULL;
	}
	buf_release(&log);
	return rc;
}

/* What ran before an op is not its own. */
enum ttp_rc op_folders_begin(struct ttp_op *op, struct ttp_err *e)
{
	enum ttp_rc rc = TTP_OK;

	if (!op_folders_on())
		return TTP_OK;
	if (op->dev && op->dev->profiled && !op->dev->capturing) {
		rc = queue_finish(op->dev, e);
		rc = rc ? rc : results_read(op->dev, true, e);
	}
	op->start_ns = ttp_host_ns();
	return rc;
}

enum ttp_rc op_folders_end(struct ttp_op *op, struct ttp_err *e)
{
	struct buf folder = { 0 }, name = { 0 };
	enum ttp_rc rc = TTP_OK;
	uint64_t number;
	uint32_t id, call;

	if (!op_folders_on())
		return TTP_OK;
	for (size_t i = 0; i < op->code.len; i++)
		buf_char(&name, op->code.at[i] == '/' ? '_' : op->code.at[i]);
	if (name.at[0] == '.')
		name.at[0] = '_';
	pthread_mutex_lock(&lock);
	id = intern_copy(&names, buf_view(&name));
	if (id == calls_of.len)
		*vec_push(&calls_of) = 0;
	call = ++calls_of.at[id];
	number = ++ops;
	buf_str(&folder, buf_view(&location));
	pthread_mutex_unlock(&lock);
	if (op->dev && op->dev->profiled && !op->dev->capturing) {
		size_t len = folder.len;

		buf_printf(&folder, "_device/%s/%u", name.at, call);
		rc = read_into(op->dev, folder.at, e);
		folder.len = len;
	}
	buf_printf(&folder, "/%s", name.at);
	if (!rc)
		rc = write_host(folder.at, op, number, call, e);
	buf_release(&folder);
	buf_release(&name);
	return rc;
}
