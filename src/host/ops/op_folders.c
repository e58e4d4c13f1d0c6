// SPDX-License-Identifier: Apache-2.0
/*
 * Logs of ops as the first generation of tools had them, a folder per op and call, where ttp_op_location() says:
 *
 *	DIR/OP/profile_log_host.csv			a row per call
 *	DIR/OP/CALL/profile_log_host.csv		what the call did with the device
 *	DIR_device/OP/CALL/profile_log_device.csv	its markers, 6 columns
 *
 * As then, the device is read after each op, so ops don't overlap.  The log of all ops has those markers, too.
 *
 * Who runs a program twice, without and with device profiling, wants the host's times of the first run beside the markers of the second:
 * where the host's files in DIR are of a run that was not profiled, a profiled one leaves them and writes its own to DIR_device.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/exhausted.h"
#include "base/out.h"
#include "host/api/guarded_calls.h"
#include "host/host_device.h"
#include "host/logs/marker_results.h"
#include "host/ops/op.h"
#include "wire/run_names.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct buf location;    /* empty: not asked for */
static struct intern names;    /* folders of ops */
static VEC(uint32_t) calls_of; /* of each name */
static VEC(bool) kept; /* of each name: the host's files in DIR are of a run without devices */
static uint64_t ops;   /* so far */
static bool looked;    /* for the default, which counts until somebody says otherwise */
static int64_t since_1970_ns; /* from host time to the system's clock */

int call_op_location(const char *dir)
{
	held_lock(&lock);
	looked = true;
	buf_clear(&location);
	if (dir)
		buf_text(&location, dir);
	while (location.len > 1 && location.at[location.len - 1] == '/')
		location.at[--location.len] = 0;
	intern_release(&names);
	vec_release(&calls_of);
	vec_release(&kept);
	names = (struct intern){ 0 };
	ops = 0;
	held_unlock(&lock);
	return 0;
}

/* Where the tools of that time are, and nothing else records: their users don't ask for logs.  Under the lock. */
static void look_for_default(void)
{
	const char *home = getenv("TT_METAL_HOME");          // NOLINT(concurrency-mt-unsafe)
	const char *moved = getenv("TT_METAL_PROFILER_DIR"); // NOLINT(concurrency-mt-unsafe)
	SCOPED(buf) struct buf tool = { 0 };

	looked = true;
	if (!home || !*home || (moved && *moved) || op_recorded())
		return;
	buf_printf(&tool, "%s/tt_metal/tools/profiler/process_ops_logs.py", home);
	if (!access(tool.at, F_OK))
		buf_printf(&location, "%s/tt_metal/tools/profiler/logs/ops", home);
}

/* Logs of that time have the system's clock.  Once, so that times of a process stay as far apart as they were. */
static void look_at_clock(void)
{
	struct timespec t = { 0 };

	if (since_1970_ns || clock_is_scripted())
		return;
	clock_gettime(CLOCK_REALTIME, &t);
	since_1970_ns = (int64_t)t.tv_sec * 1000000000 + t.tv_nsec - ttp_host_peek_ns();
}

static bool op_folders_on(void)
{
	bool on;

	held_lock(&lock);
	if (!looked)
		look_for_default();
	on = location.len > 0;
	if (on)
		look_at_clock();
	held_unlock(&lock);
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
	SCOPED(buf) struct buf text = { 0 };

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
}

static void row(struct buf *b, const struct ttp_op *op, uint64_t number, uint32_t call,
		int64_t stop)
{
	static const char *const types[] = { "tt_dnn_device", "tt_dnn_cpu", "python_fallback" };
	int depth = 1;

	for (const struct ttp_op *o = op->outer; o; o = o->outer)
		depth++;
	cell(b, buf_view(&op->code));
	buf_printf(b, "%lld, %lld, %lld, %llu, %u, %d, ", (long long)(op->start_ns + since_1970_ns),
		   (long long)(stop + since_1970_ns), (long long)(stop - op->start_ns),
		   (unsigned long long)number, call, depth);
	tensors(b, op->inputs.at, op->inputs.len);
	tensors(b, op->outputs.at, op->outputs.len);
	cell(b, str_of(op_fidelity(op)));
	cell(b, buf_view(&op->strategy));
	cell(b, STR("")); /* preferred name */
	meta(b, op);
	buf_printf(b, "%s\n", types[op->type]);
}

/* ---- files ---- */

#define HOST_FILE "profile_log_host.csv"

static enum ttp_rc add_text(const char *path, int flags, struct str text, struct ttp_err *e)
{
	int fd = out_open(path, O_WRONLY | O_CREAT | flags, 0666);

	return fd < 0 ? ttp_fail_errno(e, "%s", path) : out_all(fd, path, text, e);
}

static bool profiles(void)
{
	const char *v = getenv("TT_METAL_DEVICE_PROFILER"); // NOLINT(concurrency-mt-unsafe)

	return v && *v && strcmp(v, "0") != 0;
}

/* Before the first row of an op: is the host's file of a run without devices?  Otherwise it is begun anew, with a mark of what it is. */
static bool begin_host(const char *folder)
{
	SCOPED(buf) struct buf host = { 0 }, mark = { 0 };
	struct ttp_err e;

	buf_printf(&host, "%s/" HOST_FILE, folder);
	buf_printf(&mark, "%s/.profiled", folder);
	if (profiles() && !access(host.at, F_OK) && access(mark.at, F_OK))
		return true;
	(void)unlink(mark.at);
	/* without the mark, the next profiled run takes this one's host times for better ones */
	if (profiles() && !log_writer_folder(folder, &e))
		(void)!add_text(mark.at, O_TRUNC, STR(""), &e);
	return false;
}

static enum ttp_rc write_host(const char *folder, const struct ttp_op *op, uint64_t number,
			      uint32_t call, struct ttp_err *e)
{
	SCOPED(buf) struct buf path = { 0 }, text = { 0 };
	enum ttp_rc rc;

	buf_printf(&path, "%s/%u", folder, call);
	rc = log_writer_folder(path.at, e);
	buf_set(&path, "%s/" HOST_FILE, folder);
	if (call == 1)
		buf_text(
			&text,
			"Name, Start timer count [ns], Stop timer count [ns], Delta timer count [ns], "
			"Global Call Count, Call Count, Stack Size, Inputs, Outputs, Math Fidelity, "
			"Parallelization Strategy, Preferred Name, Meta Data, Type\n");
	row(&text, op, number, call, ttp_host_ns());
	if (!rc)
		rc = add_text(path.at, call == 1 ? O_TRUNC : O_APPEND, buf_view(&text), e);
	buf_clear(&path);
	buf_clear(&text);
	buf_printf(&path, "%s/%u/" HOST_FILE, folder, call);
	buf_text(&text,
		 "Name, Start timer count [ns], Stop timer count [ns], Delta timer count [ns]\n");
	vec_each (c, &op->calls)
		buf_printf(&text, "%s, %lld, %lld, %lld\n", op_zone_name(c->which),
			   (long long)(c->start_ns + since_1970_ns),
			   (long long)(c->stop_ns + since_1970_ns),
			   (long long)(c->stop_ns - c->start_ns));
	if (!rc)
		rc = add_text(path.at, O_TRUNC, buf_view(&text), e);
	return rc;
}

/* Reads the device into that folder. */
static enum ttp_rc read_into(struct ttp_dev *d, const char *folder, struct ttp_err *e)
{
	SCOPED(buf) struct buf log = { 0 };
	enum ttp_rc rc;

	TTP_TRY(queue_finish(d, e));
	if (strlen(folder) >= sizeof(d->settings.folder))
		return ttp_fail(e, TTP_LIMIT, "%s: a longer path than %zu bytes", folder,
				sizeof(d->settings.folder) - 1);
	TTP_TRY(log_writer_folder(folder, e));
	buf_printf(&log, "%s/" RUN_DEVICE_LOG, folder);
	if (unlink(log.at) && errno != ENOENT)
		return ttp_fail_errno(e, "%s", log.at);
	d->op_folder = folder;
	rc = results_read(d, true, e);
	d->op_folder = NULL;
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
	SCOPED(buf) struct buf folder = { 0 }, name = { 0 }, device = { 0 };
	enum ttp_rc rc = TTP_OK;
	uint64_t number;
	uint32_t id, call;
	bool keep;

	if (!op_folders_on())
		return TTP_OK;
	for (size_t i = 0; i < op->code.len; i++)
		buf_char(&name, op->code.at[i] == '/' ? '_' : op->code.at[i]);
	if (name.at[0] == '.')
		name.at[0] = '_';
	held_lock(&lock);
	vec_reserve(&calls_of, calls_of.len + 1); /* all, or none */
	vec_reserve(&kept, kept.len + 1);
	buf_printf(&folder, "%s/%s", location.at, name.at);
	buf_printf(&device, "%s_device/%s", location.at, name.at);
	id = intern_copy(&names, buf_view(&name));
	if (id == calls_of.len) {
		*vec_push(&calls_of) = 0;
		*vec_push(&kept) = begin_host(folder.at);
	}
	call = ++calls_of.at[id];
	keep = kept.at[id];
	number = ++ops;
	held_unlock(&lock);
	if (op->dev && op->dev->profiled && !op->dev->capturing) {
		size_t len = device.len;

		buf_printf(&device, "/%u", call);
		rc = read_into(op->dev, device.at, e);
		device.at[device.len = len] = 0;
	}
	if (!rc)
		rc = write_host(keep ? device.at : folder.at, op, number, call, e);
	return rc;
}
