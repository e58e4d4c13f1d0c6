// SPDX-License-Identifier: Apache-2.0
#include "device/launch.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "device/embedded_files.h"
#include "device/markers.h"

#define SOFT_RESET     0xFFB121B0u
#define RESET_ALL      0x47800u
#define RESET_ALL_B    0x47000u /* all but BRISC */
#define START_CYCLES   2000000u
#define MAILBOX(field) (TTP_L1_MAILBOX + (uint64_t)offsetof(struct ttp_mailbox, field))

static const char *const firmware_files[RISCS] = { "firmware/brisc.elf", "firmware/ncrisc.elf",
						   "firmware/trisc0.elf", "firmware/trisc1.elf",
						   "firmware/trisc2.elf" };

static const struct {
	uint32_t first, end;
} firmware_room[RISCS] = {
	{ TTP_L1_FW_B, TTP_L1_FW_NC },  { TTP_L1_FW_NC, TTP_L1_FW_T0 },
	{ TTP_L1_FW_T0, TTP_L1_FW_T1 }, { TTP_L1_FW_T1, TTP_L1_FW_T2 },
	{ TTP_L1_FW_T2, TTP_L1_ARGS },
};

/* jal x0, to: from address 0. */
static uint32_t jump_to(uint32_t to)
{
	return (to >> 20 & 1) << 31 | (to >> 1 & 0x3FF) << 21 | (to >> 11 & 1) << 20 |
	       (to >> 12 & 0xFF) << 12 | 0x6F;
}

static bool is_worker(const struct device *d, struct tile t)
{
	return t.x < d->coord.width && t.y < d->coord.height &&
	       d->port->info.kind[t.y][t.x] == TILE_WORKER;
}

/* Workers by rows, from 0; false: there are no more. */
static bool worker_at(const struct device *d, int i, struct tile *t)
{
	const struct coord *c = &d->coord;

	if (i >= c->rows * c->columns)
		return false;
	*t = (struct tile){ c->column_x[i % c->columns], c->row_y[i / c->columns] };
	return true;
}

enum ttp_rc device_write_workers(struct device *d, uint64_t addr, const void *bytes, size_t len,
				 struct ttp_err *e)
{
	const struct coord *c = &d->coord;
	struct port *p = d->port;
	enum ttp_rc rc = TTP_OK;
	struct tile t;

	if (p->ops->write_many) {
		struct tile_rect all = { { c->column_x[0], c->row_y[0] },
					 { c->column_x[c->columns - 1], c->row_y[c->rows - 1] } };

		return p->ops->write_many(p, all, addr, bytes, len, e);
	}
	for (int i = 0; !rc && worker_at(d, i, &t); i++)
		rc = p->ops->write(p, t, addr, bytes, len, e);
	return rc;
}

static enum ttp_rc set_reset(struct device *d, uint32_t bits, struct ttp_err *e)
{
	enum ttp_rc rc = TTP_OK;
	struct tile t;

	for (int i = 0; !rc && worker_at(d, i, &t); i++)
		rc = d->port->ops->write32(d->port, t, SOFT_RESET, bits, e);
	return rc;
}

static enum ttp_rc load_firmware(struct device *d, struct ttp_err *e)
{
	for (int r = 0; r < RISCS; r++) {
		struct str bytes;
		enum ttp_rc rc;

		if (!device_file(firmware_files[r], &bytes))
			return ttp_fail(
				e, TTP_VERSION,
				"this build has no firmware: there was no RISC-V compiler; install "
				"gcc-riscv64-unknown-elf and build again");
		rc = elf_read(&d->firmware[r], bytes.at, bytes.len, e);
		if (rc)
			return ttp_wrap(e, rc, "%s", firmware_files[r]);
		vec_each (s, &d->firmware[r].segments) {
			if (s->addr < firmware_room[r].first ||
			    s->len > firmware_room[r].end - s->addr)
				return ttp_fail(e, TTP_FORMAT, "%s: a segment at 0x%x",
						firmware_files[r], s->addr);
			TTP_TRY(device_write_workers(d, s->addr, s->bytes, s->len, e));
		}
	}
	return TTP_OK;
}

static void fill_mailbox(const struct device *d, struct ttp_mailbox *m)
{
	const struct coord *c = &d->coord;

	memset(m, 0, sizeof(*m));
	m->go = TTP_RUN_INIT;
	m->dram_banks = (uint32_t)c->banks;
	for (int bank = 0; bank < c->banks && bank < TTP_DRAM_BANKS_MAX; bank++) {
		uint64_t offset;
		struct tile t = coord_bank(c, bank, &offset);

		m->dram_bank_xy[0][bank] = coord_raw(c, 0, t);
		m->dram_bank_xy[1][bank] = coord_raw(c, 1, t);
		m->dram_bank_offset[bank] = (uint32_t)offset;
	}
}

static enum ttp_rc describe_fault(struct device *d, struct ttp_err *e)
{
	const struct fault *f = d->port->ops->fault(d->port);
	struct core_state at = { 0 };
	SCOPED(buf) struct buf where = { 0 };

	if (!f)
		return ttp_fail(e, TTP_GONE, "device %d stopped", d->id);
	if (f->risc < 0)
		return ttp_fail(e, TTP_GONE, "device %d: %s", d->id, f->what);
	if (!d->port->ops->core || !d->port->ops->core(d->port, f->tile, f->risc, &at))
		at.ra = 0;
	at.pc = f->pc;
	device_describe_core(d, f->tile, f->risc, &at, &where);
	return ttp_fail(e, TTP_GONE, "device %d: tile (%d,%d) %s: %s", d->id, f->tile.x, f->tile.y,
			where.at, f->what);
}

static enum ttp_rc wait_for(struct device *d, const struct watch *watches, size_t n,
			    uint64_t cycles, const char *what, struct ttp_err *e)
{
	enum wait_result got = d->port->ops->wait(d->port, watches, n, cycles);
	SCOPED(buf) struct buf who = { 0 };
	enum ttp_rc rc;

	if (got == WAIT_ALL)
		return TTP_OK;
	if (got == WAIT_FAULT)
		return describe_fault(d, e);
	device_describe_stuck(d, &who);
	if (got == WAIT_IDLE)
		rc = ttp_fail(e, TTP_GONE,
			      "device %d: %s: all cores wait for something that can't come: %s",
			      d->id, what, who.at ? who.at : "");
	else
		rc = ttp_fail(e, TTP_LIMIT, "device %d: %s: not done: %s", d->id, what,
			      who.at ? who.at : "");
	return rc;
}

enum ttp_rc device_start(struct device *d, struct port *port, int id, struct ttp_err *e)
{
	struct ttp_mailbox mailbox;
	uint32_t jump = jump_to(TTP_L1_FW_B);
	uint32_t none[TTP_PROF_CTRL_WORDS] = { 0 };
	SCOPED(vec) VEC(struct watch) up = { 0 };
	enum ttp_rc rc;

	memset(d, 0, sizeof(*d));
	d->port = port;
	d->id = id;
	rc = coord_init(&d->coord, &port->info, e);
	if (rc)
		return ttp_wrap(e, rc, "device %d", id);
	if (strcmp(port->info.arch, "wormhole_b0"))
		return ttp_fail(e, TTP_VERSION, "device %d: there is no firmware for %s yet", id,
				port->info.arch);
	d->tiles = mem_zero(PORT_GRID_MAX, sizeof(*d->tiles));
	fill_mailbox(d, &mailbox);
	rc = set_reset(d, RESET_ALL, e);
	if (!rc)
		rc = device_write_workers(d, TTP_L1_MAILBOX, &mailbox, sizeof(mailbox), e);
	if (!rc)
		rc = device_write_workers(d, TTP_L1_PROF_CTRL, none, sizeof(none), e);
	if (!rc)
		rc = device_write_workers(d, TTP_L1_PROF_EXTRA, none, sizeof(struct ttp_prof_extra),
					  e);
	if (!rc)
		rc = load_firmware(d, e);
	if (!rc)
		rc = device_write_workers(d, TTP_L1_BOOT, &jump, sizeof(jump), e);
	if (!rc)
		rc = set_reset(d, RESET_ALL_B, e);
	if (!rc) {
		struct tile t;

		while (worker_at(d, (int)up.len, &t))
			*vec_push(&up) = (struct watch){ t, MAILBOX(go), UINT32_MAX, TTP_RUN_DONE };
		rc = wait_for(d, up.at, up.len, START_CYCLES, "start of the firmware", e);
	}
	if (rc)
		device_stop(d);
	return rc;
}

void device_stop(struct device *d)
{
	if (d->port && d->tiles)
		(void)set_reset(d, RESET_ALL, NULL);
	for (int r = 0; r < RISCS; r++)
		elf_release(&d->firmware[r]);
	vec_release(&d->running);
	free(d->tiles);
	memset(d, 0, sizeof(*d));
}

struct elf_image *device_image_at(struct device *d, struct tile t, int risc, uint32_t pc)
{
	if (risc < 0 || risc >= RISCS || t.x >= PORT_GRID_MAX || t.y >= PORT_GRID_MAX)
		return NULL;
	if (pc >= firmware_room[risc].first && pc < firmware_room[risc].end)
		return &d->firmware[risc];
	if (pc >= TTP_L1_KERNELS + (uint32_t)risc * TTP_KERNEL_BYTES &&
	    pc < TTP_L1_KERNELS + (uint32_t)(risc + 1) * TTP_KERNEL_BYTES)
		return d->tiles[t.y][t.x].loaded[risc];
	return NULL;
}

static enum ttp_rc load_kernel(struct device *d, struct tile t, int risc, struct elf_image *img,
			       struct ttp_err *e)
{
	struct device_tile *at = &d->tiles[t.y][t.x];
	uint32_t first = TTP_L1_KERNELS + (uint32_t)risc * TTP_KERNEL_BYTES;

	if (at->loaded[risc] && at->loaded_hash[risc] == img->hash) {
		at->loaded[risc] = img;
		return TTP_OK;
	}
	at->loaded[risc] = NULL;
	vec_each (s, &img->segments) {
		if (s->addr < first || s->addr - first > TTP_KERNEL_BYTES ||
		    s->len > TTP_KERNEL_BYTES - (s->addr - first))
			return ttp_fail(
				e, TTP_FORMAT,
				"a kernel for %s lies at 0x%x, outside its place 0x%x; was it "
				"compiled for another core?",
				risc_label(risc), s->addr, first);
		TTP_TRY(d->port->ops->write(d->port, t, s->addr, s->bytes, s->len, e));
	}
	at->loaded[risc] = img;
	at->loaded_hash[risc] = img->hash;
	return TTP_OK;
}

static enum ttp_rc write_words(struct device *d, struct tile t, uint32_t addr, struct words w,
			       uint32_t most_bytes, const char *what, struct ttp_err *e)
{
	if (w.n > most_bytes / 4)
		return ttp_fail(e, TTP_LIMIT, "%zu %s, at most %u", w.n, what, most_bytes / 4);
	return w.n ? d->port->ops->write(d->port, t, addr, w.at, w.n * 4, e) : TTP_OK;
}

static enum ttp_rc prepare(struct device *d, const struct launch_tile *w, uint32_t host_id,
			   uint32_t flags, struct ttp_err *e)
{
	struct ttp_launch message = { .host_id = host_id,
				      .flags = (flags | w->with) & ~w->without,
				      .cb_mask = w->cb_mask };
	struct port *p = d->port;

	for (int r = 0; r < RISCS; r++) {
		uint32_t offset = (uint32_t)r;

		if (!w->kernel[r])
			continue;
		TTP_TRY(load_kernel(d, w->tile, r, w->kernel[r], e));
		message.entry[r] = w->kernel[r]->entry;
		TTP_TRY(write_words(d, w->tile, TTP_L1_ARGS + offset * TTP_ARGS_BYTES, w->args[r],
				    TTP_ARGS_BYTES, "arguments", e));
		TTP_TRY(write_words(d, w->tile, TTP_L1_COMMON_ARGS + offset * TTP_COMMON_ARGS_BYTES,
				    w->common_args[r], TTP_COMMON_ARGS_BYTES, "common arguments",
				    e));
	}
	if (w->cb_mask && w->cbs)
		TTP_TRY(p->ops->write(p, w->tile, TTP_L1_CB_CONFIG, w->cbs,
				      TTP_CBS * sizeof(*w->cbs), e));
	if (w->semaphores_n > TTP_SEMAPHORES)
		return ttp_fail(e, TTP_LIMIT, "%zu semaphores, at most %d", w->semaphores_n,
				TTP_SEMAPHORES);
	if (w->semaphores_n) {
		uint32_t words[TTP_SEMAPHORES * TTP_SEMAPHORE_BYTES / 4] = { 0 };

		for (size_t i = 0; i < w->semaphores_n; i++)
			words[i * TTP_SEMAPHORE_BYTES / 4] = w->semaphores[i];
		TTP_TRY(p->ops->write(p, w->tile, TTP_L1_SEMAPHORES, words,
				      w->semaphores_n * TTP_SEMAPHORE_BYTES, e));
	}
	return p->ops->write(p, w->tile, MAILBOX(launch), &message, sizeof(message), e);
}

enum ttp_rc launch_prepare(struct device *d, const struct launch_tile *work, size_t n,
			   uint32_t host_id, uint32_t flags, struct ttp_err *e)
{
	enum ttp_rc rc = TTP_OK;

	for (size_t i = 0; i < n; i++) {
		struct tile t = work[i].tile;

		if (!is_worker(d, t))
			return ttp_fail(e, TTP_USAGE, "device %d: (%d,%d) is no worker tile", d->id,
					t.x, t.y);
		if (d->tiles[t.y][t.x].running)
			return ttp_fail(e, TTP_USAGE,
					"device %d: tile (%d,%d) still runs a program: wait for it",
					d->id, t.x, t.y);
	}
	if (d->port->ops->fault(d->port))
		return describe_fault(d, e);
	for (size_t i = 0; !rc && i < n; i++) {
		rc = prepare(d, &work[i], host_id, flags, e);
		if (rc)
			rc = ttp_wrap(e, rc, "device %d: tile (%d,%d)", d->id, work[i].tile.x,
				      work[i].tile.y);
	}
	return rc;
}

static enum ttp_rc set_go(struct device *d, const struct launch_tile *work, size_t n, uint32_t go,
			  struct ttp_err *e)
{
	enum ttp_rc rc = TTP_OK;

	for (size_t i = 0; !rc && i < n; i++) {
		struct tile t = work[i].tile;

		rc = d->port->ops->write(d->port, t, MAILBOX(go), &go, sizeof(go), e);
		if (!rc) {
			d->tiles[t.y][t.x].running = true;
			*vec_push(&d->running) = t;
		}
	}
	d->programs += !rc;
	return rc;
}

enum ttp_rc launch_go(struct device *d, const struct launch_tile *work, size_t n, struct ttp_err *e)
{
	return set_go(d, work, n, TTP_RUN_GO, e);
}

enum ttp_rc launch_hold(struct device *d, const struct launch_tile *work, size_t n,
			struct ttp_err *e)
{
	return set_go(d, work, n, TTP_RUN_INIT, e);
}

enum ttp_rc launch(struct device *d, const struct launch_tile *work, size_t n, uint32_t host_id,
		   uint32_t flags, struct ttp_err *e)
{
	/* All are ready before the first one goes: kernels of one program may talk to each other. */
	enum ttp_rc rc = launch_prepare(d, work, n, host_id, flags, e);

	return rc ? rc : launch_go(d, work, n, e);
}

enum ttp_rc launch_wait(struct device *d, uint64_t cycles, struct ttp_err *e)
{
	struct watch *done;
	enum ttp_rc rc;

	if (!d->running.len)
		return TTP_OK;
	done = mem_alloc(d->running.len, sizeof(*done));
	for (size_t i = 0; i < d->running.len; i++)
		done[i] = (struct watch){ d->running.at[i], MAILBOX(go), UINT32_MAX, TTP_RUN_DONE };
	rc = wait_for(d, done, d->running.len, cycles, "program", e);
	free(done);
	if (rc)
		return rc;
	vec_each (t, &d->running)
		d->tiles[t->y][t->x].running = false;
	vec_clear(&d->running);
	return TTP_OK;
}
