// SPDX-License-Identifier: Apache-2.0
/* Devices: opened, asked, closed. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/exhausted.h"
#include "base/out.h"
#include "host/api/device_port.h"
#include "host/api/guarded_calls.h"
#include "host/api/program.h"
#include "host/api/variables.h"
#include "host/host_device.h"
#include "host/logs/marker_results.h"
#include "host/ops/op.h"
#include "sim/sim.h"
#include "wire/run_names.h"

#define LOG_AREA "device"
#include "base/log.h"

enum { DEVICES_MAX = 1024 };

static pthread_mutex_t open_lock = PTHREAD_MUTEX_INITIALIZER; /* of open_devices */
static struct ttp_dev *open_devices[DEVICES_MAX];
static pthread_once_t exit_once = PTHREAD_ONCE_INIT;

static enum ttp_rc start_profiler(struct ttp_dev *d, struct ttp_err *e)
{
	uint32_t programs = d->settings.programs ? d->settings.programs : PROFILER_PROGRAMS_DEFAULT;
	uint32_t fits = programs, align = d->port->info.dram_align;
	uint64_t bytes = profiler_bank_bytes(&d->device, &fits, d->settings.sum);

	if (fits != programs)
		log_warn("Profiler program support count must be >= %u: it is %u, and taken as %u",
			 fits, programs, fits);
	TTP_TRY(profiler_start(&d->profiler, &d->device, align, programs, d->settings.sum, e));
	d->profiled = true;
	TTP_TRY(results_start(d, e));
	/* What programs get begins behind it. */
	d->dram.first = (align + bytes + align - 1) & ~(uint64_t)(align - 1);
	return TTP_OK;
}

static enum ttp_rc start(struct ttp_dev *d, const char *name, struct ttp_err *e)
{
	enum ttp_rc rc = settings_read(&d->settings, e);
	bool wanted;

	if (rc)
		return rc;
	variables_warn();
	wanted = d->settings.profiler;
	d->settings.profiler &= choice_has_chip(&d->settings.record, d->id);
	if (wanted && !d->settings.profiler) {
		log_warn("device %d is not recorded: TTP_PROFILER_CHIPS=%s does not name it", d->id,
			 getenv("TTP_PROFILER_CHIPS"));
		/* an older log would be taken for this program's */
		TTP_TRY(d->settings.no_files ? TTP_OK : log_writer_begin(d->settings.folder, e));
	}
	TTP_TRY(host_open_port(name, d->id, d->settings.dispatch && d->settings.profiler, &d->port,
			       e));
	clock_enter();
	rc = device_start(&d->device, d->port, d->id, e);
	clock_leave();
	if (rc)
		return rc;
	d->started = true;
	dispatch_start(d);
	d->host_cycles = d->port->ops->now(d->port);
	/* Buffers have one address for all banks, of 32 bits. */
	bank_space_init(&d->dram, d->port->info.dram_align,
			d->device.coord.bank_bytes < UINT32_MAX ? d->device.coord.bank_bytes
								: UINT32_MAX,
			false);
	bank_space_init(&d->l1, TTP_L1_FREE, d->port->info.l1_bytes, true);
	if (d->settings.profiler)
		rc = start_profiler(d, e);
	if (!rc && d->settings.profiler && !d->settings.no_files)
		rc = log_writer_begin(d->settings.folder, e);
	if (!rc && d->settings.profiler)
		session_opens(d->id);
	if (!rc)
		rc = delay_start(d, e);
	if (!rc && choice_has_chip(&d->settings.print, d->id))
		rc = print_start(d, e);
	if (!rc)
		pace_begin(d);
	return rc ? rc : sync_run(d, e);
}

static void leave(void *d)
{
	((struct ttp_dev *)d)->inside--;
}

void host_enter(struct ttp_dev *d)
{
	d->inside++;
	exhausted_undo(leave, d);
}

void host_leave(struct ttp_dev *d)
{
	exhausted_done(leave, d);
	leave(d);
}

static void release(struct ttp_dev *d)
{
	while (d->programs.len)
		ttp_program_free(d->programs.at[d->programs.len - 1]);
	while (d->traces.len)
		trace_free(d->traces.at[d->traces.len - 1]);
	vec_each (l, &d->launched) {
		built_drop(l->built);
		built_drop(l->pass);
	}
	vec_each (b, &d->buffers) {
		memory_event(*b, false);
		free(*b);
	}
	results_release(d);
	if (d->profiled)
		profiler_release(&d->profiler);
	if (d->started)
		device_stop(&d->device);
	vec_each (i, &d->images) {
		elf_release(&(*i)->elf);
		buf_release(&(*i)->key);
		free(*i);
	}
	if (d->port)
		d->port->ops->close(d->port);
	print_release(d);
	vec_release(&d->sync.samples);
	push_release(d);
	RELEASE(bank_space, &d->dram, &d->l1);
	account_release(&d->account);
	RELEASE(vec, &d->programs, &d->traces, &d->launched, &d->buffers, &d->images);
	pthread_mutex_lock(&open_lock);
	open_devices[d->id] = NULL;
	pthread_mutex_unlock(&open_lock);
	free(d);
}

static void watch_exit(void);
static void read_all(void);

struct opening {
	struct ttp_dev *d;
	const char *name;
};

static enum ttp_rc start_it(void *ctx, struct ttp_err *e)
{
	struct opening *o = ctx;

	return start(o->d, o->name, e);
}

struct ttp_dev *call_dev_open(int id, const char *name)
{
	struct opening asked = { .name = name };
	struct ttp_dev *d;
	struct ttp_err e;
	bool taken;

	if (id < 0 || id >= DEVICES_MAX)
		return HOST_NONE("device %d: numbers are 0 to %d", id, DEVICES_MAX - 1);
	d = mem_zero(1, sizeof(*d));
	(void)pthread_once(&exit_once, watch_exit);
	pthread_mutex_lock(&open_lock);
	taken = open_devices[id] != NULL;
	if (!taken)
		open_devices[id] = d;
	pthread_mutex_unlock(&open_lock);
	if (taken) {
		free(d);
		host_failed("device %d is open already: close it, or take another number", id);
		return NULL;
	}
	asked.d = d;
	d->id = id;
	d->exhausted = host_exhausted();
	d->opened_by = getpid();
	d->manager = -1;
	d->markers_hash = 1;
	if (host_guarded(start_it, &asked, &e)) {
		host_fail(&e);
		release(d);
		return NULL;
	}
	if (d->profiled)
		death_watch(read_all);
	return d;
}

/* For tests: what was in memory at the end, and what was recorded, in a file. */
static enum ttp_rc write_hashes(struct ttp_dev *d, struct ttp_err *e)
{
	uint64_t all = 0, data = 0;
	bool has_all = !ttp_dev_hash(d, true, &all), has_data = !ttp_dev_hash(d, false, &data);
	struct out_append file;

	TTP_TRY(out_append_open(&file, e, "%s", d->settings.hash_file));
	if (has_all)
		out_printf(&file.out, "all %016llx\n", (unsigned long long)all);
	if (has_data)
		out_printf(&file.out, "data %016llx\n", (unsigned long long)data);
	out_printf(&file.out, "markers %016llx\n", (unsigned long long)d->markers_hash);
	return out_append_close(&file, e);
}

static bool is_last(const struct ttp_dev *d)
{
	int ids[2];
	size_t n = host_open_devices(ids, 2);

	return n == 0 || (n == 1 && ids[0] == d->id);
}

/* A program that runs alone has one half of a profile. */
static void log_where(const struct ttp_dev *d)
{
	static atomic_bool logged;

	if (d->profiled && !d->settings.no_files && !op_recorded() &&
	    !atomic_exchange(&logged, true))
		log_warn("the device log is %s/" RUN_DEVICE_LOG
			 "; zones of the host are recorded by "
			 "`ttprof run`, or with TTP_FILE, TTP_SESSION or TRACY_PORT",
			 d->settings.folder);
}

/* Of several errors the first counts. */
static void keep_first(enum ttp_rc *kept, struct ttp_err *first, enum ttp_rc rc,
		       const struct ttp_err *e)
{
	if (rc && !*kept)
		*first = *e;
	*kept = *kept ? *kept : rc;
}

/* Everything that is still to be read and written. */
static enum ttp_rc finish(struct ttp_dev *d, bool last, struct ttp_err *first)
{
	struct ttp_err e;
	enum ttp_rc kept;

	d->finished = true;
	/* libttp itself is silent; who runs a device expects its host's side, too. */
	if (d->profiled && op_recorded() && ttp_problem())
		log_warn("the host's side is not recorded: %s", ttp_problem());
	kept = d->stuck ? TTP_OK : queue_finish(d, first);
	/* Before the last markers are read: they get the better clock. */
	if (!kept && !d->stuck)
		kept = sync_run(d, first);
	/* A device that faulted still has the markers of what ran before. */
	keep_first(&kept, first, results_read(d, true, &e), &e);
	keep_first(&kept, first, results_finish(d, &e), &e);
	if (d->settings.hash_file[0])
		keep_first(&kept, first, write_hashes(d, &e), &e);
	overhead_measure(d);
	keep_first(&kept, first, overhead_write(d, last, &e), &e);
	log_where(d);
	return kept;
}

struct closing {
	struct ttp_dev *d;
	bool last;
};

static enum ttp_rc finish_it(void *ctx, struct ttp_err *e)
{
	struct closing *c = ctx;

	return finish(c->d, c->last, e);
}

int call_dev_close(struct ttp_dev *d)
{
	enum ttp_rc rc = TTP_OK;
	struct ttp_err e;

	if (!d)
		return host_no("device");
	if (!d->finished)
		rc = host_guarded(finish_it, &(struct closing){ d, is_last(d) }, &e);
	if (!rc && d->exhausted != host_exhausted())
		rc = ttp_fail(
			&e, TTP_LIMIT,
			"device %d: there was no memory for a call since it was opened: what was "
			"recorded may lack something",
			d->id);
	release(d);
	return rc ? host_fail(&e) : 0;
}

/* Is nobody in the middle of a call?  A handler that calls exit may have interrupted one, for ever. */
static bool is_quiet(struct ttp_dev *d)
{
	for (int i = 0; i < 100; i++) {
		const struct timespec pause = { .tv_nsec = 10000000 };

		if (!atomic_load(&d->inside))
			return true;
		(void)nanosleep(&pause, NULL);
	}
	return false;
}

/*
 * The program ends and has not closed its devices: what they recorded is read all the same.  Nothing is released, because
 * destructors of the program may come after this and close them.
 */
static void read_all(void)
{
	int ids[DEVICES_MAX];
	size_t n;
	struct ttp_err e;

	n = host_open_devices(ids, DEVICES_MAX);
	for (size_t i = 0; i < n; i++) {
		struct ttp_dev *d = ttp_dev_find(ids[i]);

		/* of its parent's devices a child has copies */
		if (!d || !d->profiled || d->finished || d->opened_by != getpid())
			continue;
		if (!is_quiet(d))
			log_warn(
				"device %d is in use while the program ends: what was not read of it is "
				"lost; ttp_dev_close() it first",
				d->id);
		else if (host_guarded(finish_it, &(struct closing){ d, i + 1 == n }, &e))
			log_warn("device %d was not closed: %s", d->id, e.msg);
		else
			log_info("device %d was not closed: it was read at the end of the program",
				 d->id);
	}
}

static void read_at_exit(void)
{
	if (death_is_mine())
		read_all();
}

static void watch_exit(void)
{
	(void)atexit(read_at_exit);
}

int ttp_dev_info(struct ttp_dev *d, struct ttp_dev_info *info, size_t size)
{
	struct ttp_dev_info i = { 0 };

	if (!d)
		return host_no("device");
	if (!info)
		return host_null("ttp_dev_info", "info");
	i.arch = d->port->info.arch;
	i.driver = d->port->info.driver;
	i.grid_x = (uint32_t)d->device.coord.columns;
	i.grid_y = (uint32_t)d->device.coord.rows;
	i.dram_banks = (uint32_t)d->device.coord.banks;
	i.l1_bytes = d->port->info.l1_bytes;
	i.dram_bank_bytes = d->device.coord.bank_bytes;
	i.clock_mhz = d->port->info.clock_mhz;
	i.time_kind = (uint32_t)d->port->info.time_kind;
	i.profiled = d->profiled;
	pace_device(d);
	i.cycles = d->port->ops->now(d->port);
	memcpy(info, &i, size < sizeof(i) ? size : sizeof(i));
	if (size > sizeof(i))
		memset((char *)info + sizeof(i), 0, size - sizeof(i));
	return 0;
}

static int logical(struct ttp_dev *d, uint32_t x, uint32_t y, struct tile *t)
{
	struct logical_tile l = { (uint8_t)x, (uint8_t)y };

	if (x > UINT8_MAX || y > UINT8_MAX || !coord_from_logical(&d->device.coord, l, t))
		return host_failed("device %d: there is no core (%u,%u): the grid is %dx%d", d->id,
				   x, y, d->device.coord.columns, d->device.coord.rows);
	return 0;
}

int ttp_dev_noc_core(struct ttp_dev *d, uint32_t x, uint32_t y, uint32_t *noc_x, uint32_t *noc_y)
{
	struct xlat_tile to;
	struct tile t = { 0 };

	if (!d)
		return host_no("device");
	if (!noc_x || !noc_y)
		return host_null("ttp_dev_noc_core", noc_x ? "noc_y" : "noc_x");
	if (logical(d, x, y, &t))
		return -1;
	to = coord_xlat(&d->device.coord, t);
	*noc_x = to.x;
	*noc_y = to.y;
	return 0;
}

static int l1_access(struct ttp_dev *d, uint32_t x, uint32_t y, uint32_t addr, void *to,
		     const void *from, size_t len)
{
	struct ttp_err e;
	struct tile t = { 0 };
	enum ttp_rc rc;

	if (!d)
		return host_no("device");
	if (!to && !from && len)
		return host_null("L1 of a core", "the memory to read to, or write from,");
	if (logical(d, x, y, &t))
		return -1;
	if (addr > d->port->info.l1_bytes || len > d->port->info.l1_bytes - addr)
		return host_failed("L1 ends at 0x%x: %zu bytes at 0x%x are not in it",
				   d->port->info.l1_bytes, len, addr);
	if (queue_finish(d, &e))
		return host_fail(&e);
	clock_enter();
	rc = to ? d->port->ops->read(d->port, t, addr, to, len, &e)
		: d->port->ops->write(d->port, t, addr, from, len, &e);
	clock_leave();
	return rc ? host_fail(&e) : 0;
}

int call_dev_l1_read(struct ttp_dev *d, uint32_t x, uint32_t y, uint32_t addr, void *to, size_t len)
{
	return l1_access(d, x, y, addr, to, NULL, len);
}

int call_dev_l1_write(struct ttp_dev *d, uint32_t x, uint32_t y, uint32_t addr, const void *from,
		      size_t len)
{
	return l1_access(d, x, y, addr, NULL, from, len);
}

int ttp_dev_marker_counts(struct ttp_dev *d, struct ttp_dev_markers *counts, size_t size)
{
	if (!d)
		return host_no("device");
	if (!counts)
		return host_null("ttp_dev_marker_counts", "counts");
	memcpy(counts, &d->counts, size < sizeof(d->counts) ? size : sizeof(d->counts));
	if (size > sizeof(d->counts))
		memset((char *)counts + sizeof(d->counts), 0, size - sizeof(d->counts));
	return 0;
}

int ttp_dev_core_marker_counts(struct ttp_dev *d, uint32_t x, uint32_t y,
			       enum ttp_processor processor, struct ttp_dev_markers *counts,
			       size_t size)
{
	struct ttp_dev_markers none = { 0 }, *own = &none;
	struct tile t = { 0 };

	if (!d || logical(d, x, y, &t))
		return -1;
	if ((unsigned)processor >= RISCS)
		return host_failed("markers are counted for each of the five processors");
	if (d->profiled)
		own = &d->cores[coord_flat_id(&d->port->info, t, NULL) * RISCS + (int)processor]
			       .counts;
	memset(counts, 0, size);
	memcpy(counts, own, size < sizeof(*own) ? size : sizeof(*own));
	return 0;
}

struct ttp_dev *ttp_dev_find(int id)
{
	struct ttp_dev *d = NULL;

	if (id < 0 || id >= DEVICES_MAX)
		return NULL;
	pthread_mutex_lock(&open_lock);
	d = open_devices[id];
	pthread_mutex_unlock(&open_lock);
	return d && d->started ? d : NULL;
}

size_t host_open_devices(int *ids, size_t most)
{
	size_t n = 0;

	pthread_mutex_lock(&open_lock);
	for (int i = 0; i < DEVICES_MAX && n < most; i++)
		if (open_devices[i])
			ids[n++] = i;
	pthread_mutex_unlock(&open_lock);
	return n;
}

int ttp_read_profiler(void)
{
	int rc = 0;

	for (int i = 0; i < DEVICES_MAX; i++) {
		struct ttp_dev *d = ttp_dev_find(i);

		if (d && ttp_dev_read_profiler(d))
			rc = -1;
	}
	return rc;
}

static void hash_more(uint64_t *h, const uint8_t *at, size_t len)
{
	for (size_t i = 0; i + 8 <= len; i += 8) {
		uint64_t word;

		memcpy(&word, at + i, 8);
		*h = (*h ^ word) * 0x9E3779B97F4A7C15u;
		*h ^= *h >> 29;
	}
}

static enum ttp_rc hash_range(struct ttp_dev *d, struct tile t, uint64_t at, uint64_t bytes,
			      uint8_t *chunk, size_t chunk_bytes, uint64_t *h, struct ttp_err *e)
{
	enum ttp_rc rc = TTP_OK;

	while (!rc && bytes) {
		size_t n = bytes < chunk_bytes ? (size_t)bytes : chunk_bytes;

		rc = d->port->ops->read(d->port, t, at, chunk, n, e);
		hash_more(h, chunk, n & ~(size_t)7);
		at += n;
		bytes -= n;
	}
	return rc;
}

int call_dev_hash(struct ttp_dev *d, bool all, uint64_t *hash)
{
	enum { CHUNK = 1 << 16 };
	const struct coord *c;
	uint64_t h = 1;
	uint8_t *chunk;
	struct ttp_err e;
	enum ttp_rc rc = TTP_OK;

	if (!d)
		return host_no("device");
	if (!hash)
		return host_null("ttp_dev_hash", "hash");
	if (all && strcmp(d->port->info.driver, "sim") != 0)
		return host_failed("only the embedded chip has a hash of everything");
	if (all) {
		*hash = sim_hash(d->port);
		return 0;
	}
	chunk = mem_alloc(CHUNK, 1);
	c = &d->device.coord;
	for (int row = 0; row < c->rows; row++)
		for (int column = 0; !rc && column < c->columns; column++)
			rc = hash_range(d, (struct tile){ c->column_x[column], c->row_y[row] },
					TTP_L1_FREE, d->port->info.l1_bytes - TTP_L1_FREE, chunk,
					CHUNK, &h, &e);
	for (int bank = 0; !rc && bank < c->banks; bank++) {
		uint64_t offset;
		struct tile t = coord_bank(c, bank, &offset);

		rc = hash_range(d, t, offset + d->dram.first, d->dram.most_used, chunk, CHUNK, &h,
				&e);
	}
	free(chunk);
	*hash = h;
	return rc ? host_fail(&e) : 0;
}
