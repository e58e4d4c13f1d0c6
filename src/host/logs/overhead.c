// SPDX-License-Identifier: Apache-2.0
#include "host/host_device.h"

#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

#include "base/exhausted.h"
#include "base/json.h"
#include "base/out.h"
#include "host/ops/op.h"
#include "wire/run_names.h"

#define LOG_AREA "device"
#include "base/log.h"

enum { ZONES = 24, SKIPPED = 8, CYCLES = 1000000 };

/* What devices of this process that were closed cost together. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct overhead all;
static uint64_t all_markers;

int64_t overhead_now(void)
{
	struct timespec t = { 0 };

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static int by_cycles(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

/* A stop of the chip in one of them is none of its cost. */
static double median(uint32_t *cycles, size_t n)
{
	qsort(cycles, n, sizeof(*cycles), by_cycles);
	return (cycles[(n - 1) / 2] + cycles[n / 2]) / 2.0;
}

void overhead_measure(struct ttp_dev *d)
{
	uint32_t w[4 * ZONES], inside[ZONES], apart[ZONES];
	const struct built *b;
	struct ttp_program *p;
	struct ttp_err e;
	enum ttp_rc rc;
	size_t n = 0;

	if (!d->profiled || d->stuck || d->port->ops->fault(d->port) || d->settings.sum)
		return;
	if (program_own(d, "overhead_kernel.c", "OVERHEAD_ZONES", ZONES, &p, &e))
		return;
	b = p->built;
	clock_enter();
	rc = launch(&d->device, b->work, b->work_n, 0, TTP_LAUNCH_PROFILE, &e);
	rc = rc ? rc : launch_wait(&d->device, CYCLES, &e);
	if (!rc)
		rc = d->port->ops->read(d->port, b->work[0].tile,
					TTP_L1_PROF_BUFFER + 4u * TTP_PROF_CUSTOM, w, sizeof(w),
					&e);
	clock_leave();
	if (rc) {
		log_info("the cost of a zone was not measured: %s", e.msg);
		return;
	}
	/* The first ones meet caches and histories that are empty. */
	for (int i = SKIPPED + 1; i < ZONES; i++, n++) {
		inside[n] = w[4 * i + 3] - w[4 * i + 1];
		apart[n] = w[4 * i + 1] - w[4 * (i - 1) + 1];
	}
	d->overhead.zone_inside_cycles = median(inside, n);
	d->overhead.zone_cycles = median(apart, n);
}

/* Nothing that was not measured: NAN is null in JSON. */
static double or_null(double v)
{
	return v > 0 ? v : NAN;
}

static void device_object(struct ttp_dev *d, struct buf *to)
{
	const struct sync_fit *f = &d->sync.fit;
	static const char *const times[] = { "real", "modelled", "instructions" };
	struct json_writer w = { .to = to, .pretty = false };

	json_open_object(&w);
	json_put_whole(&w, "device", d->id);
	json_put_text(&w, "times", str_of(times[d->port->info.time_kind]));
	json_put_number(&w, "clock_mhz", or_null(d->port->info.clock_mhz));
	json_put_number(&w, "zone_cycles", or_null(d->overhead.zone_cycles));
	json_put_number(&w, "zone_inside_cycles", or_null(d->overhead.zone_inside_cycles));
	json_put_count(&w, "reads", d->overhead.reads);
	json_put_count(&w, "markers", d->counts.markers);
	json_put_number(&w, "read_ns", or_null((double)d->overhead.read_ns));
	json_write_key(&w, STR("sync"));
	if (d->sync.synced) {
		json_open_object(&w);
		json_put_number(&w, "ghz", or_null(f->ghz));
		json_put_count(&w, "cycles", f->device);
		json_put_whole(&w, "host_ns", f->host);
		json_put_number(&w, "error_ns", or_null(sync_fit_error_ns(f, f->device)));
		json_put_number(&w, "error_ppm", or_null(sync_fit_error_ppm(f)));
		JSON_MEMBERS(&w, f, samples, kept);
		json_close_object(&w);
	} else {
		json_write_null(&w);
	}
	json_close_object(&w);
}

static void report_cost(double host_zone_ns)
{
	SCOPED(buf) struct buf b = { 0 };

	buf_text(&b, "profiling cost");
	if (host_zone_ns > 0)
		buf_printf(&b, " %.0f ns per host zone,", host_zone_ns);
	if (all.zone_cycles > 0)
		buf_printf(&b, " %.0f cycles per device zone,", all.zone_cycles);
	buf_printf(&b, " %.1f ms for %llu read-out%s", (double)all.read_ns / 1e6,
		   (unsigned long long)all.reads, all.reads == 1 ? "" : "s");
	if (all_markers)
		buf_printf(&b, " (%.0f ns per marker)", (double)all.read_ns / (double)all_markers);
	if (op_recorded())
		ttp_app_info(b.at, b.len);
	log_info("%s", b.at);
}

/* What stands between two texts of the file; empty where it is another file, or none. */
static struct str part_between(struct str text, struct str before, struct str after)
{
	size_t from = str_find(text, before), to;

	if (from == STR_NONE)
		return STR("");
	text = str_from(text, from + before.len);
	to = str_find(text, after);
	return to == STR_NONE ? STR("") : str_head(text, to);
}

#define HOST_ZONE "\"host_zone_ns\": "
#define DEVICES   "\"devices\": [\n  "

/* The file as it was, with one device more. */
static void add_device(struct str old, struct ttp_dev *d, double host_zone_ns, struct buf *to)
{
	struct str devices = part_between(old, STR(DEVICES), STR("]}\n"));
	struct str measured = part_between(old, STR(HOST_ZONE), STR(",\n"));
	struct json_writer w = { .to = to };

	buf_text(to, "{\"schema\": \"ttprof.overhead/1\",\n " HOST_ZONE);
	if (host_zone_ns > 0)
		json_write_double(&w, host_zone_ns);
	else
		buf_str(to, measured.len ? measured : STR("null"));
	buf_text(to, ",\n " DEVICES);
	buf_str(to, devices);
	buf_text(to, devices.len ? ",\n  " : "");
	device_object(d, to);
	buf_text(to, "]}\n");
}

/* Devices and processes of a run add themselves one by one; the first of a run finds no file (host/logs/log_writer.h). */
static enum ttp_rc write_file(struct ttp_dev *d, double host_zone_ns, struct ttp_err *e)
{
	SCOPED(buf) struct buf old = { 0 }, text = { 0 };
	char path[1200], part[4096];
	struct out out;
	enum ttp_rc rc;
	ssize_t n;
	int fd;

	snprintf(path, sizeof(path), "%s/" RUN_OVERHEAD, d->settings.folder);
	fd = out_open(path, O_RDWR | O_CREAT, 0666);
	if (fd < 0)
		return ttp_fail_errno(e, "%s", path);
	held_fd(fd);
	(void)flock(fd, LOCK_EX);
	while ((n = read(fd, part, sizeof(part))) > 0)
		buf_add(&old, part, (size_t)n);
	add_device(buf_view(&old), d, host_zone_ns, &text);
	(void)lseek(fd, 0, SEEK_SET);
	out_init(&out, fd, path);
	out_str(&out, buf_view(&text));
	rc = out_finish(&out, e);
	if (!rc && ftruncate(fd, (off_t)text.len))
		rc = ttp_fail_errno(e, "%s", path);
	if (held_close(fd) && !rc)
		rc = ttp_fail_errno(e, "%s", path);
	return rc;
}

enum ttp_rc overhead_write(struct ttp_dev *d, bool last, struct ttp_err *e)
{
	double host_zone_ns = op_recorded() ? ttp_zone_cost_ns() : 0;
	enum ttp_rc rc = TTP_OK;

	if (!d->profiled)
		return TTP_OK;
	/* With a scripted clock nothing that is written depends on real time. */
	if (d->overhead.read_ns && clock_is_scripted())
		d->overhead.read_ns = 0;
	held_lock(&lock);
	all.reads += d->overhead.reads;
	all.read_ns += d->overhead.read_ns;
	all_markers += d->counts.markers;
	if (d->overhead.zone_cycles > 0)
		all.zone_cycles = d->overhead.zone_cycles;
	if (!d->settings.no_files)
		rc = write_file(d, host_zone_ns, e);
	if (last && !clock_is_scripted())
		report_cost(host_zone_ns);
	if (last) {
		all = (struct overhead){ 0 };
		all_markers = 0;
	}
	held_unlock(&lock);
	return rc;
}
