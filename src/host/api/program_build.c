// SPDX-License-Identifier: Apache-2.0
/*
 * A program put together for launch: kernels compiled or read, and for each tile what it gets.
 *
 * Programs are often made anew for every op, with the same kernels.  So images are found again by all
 * that they are made of, without asking the compiler, as long as the device is open.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "device/compile.h"
#include "device/embedded_files.h"
#include "host/host_device.h"

/* PROFILE_KERNEL of a core's kernels. */
static unsigned profile_of(const struct ttp_dev *d, int risc)
{
	if (!d->settings.profiler || !(d->settings.record.riscs >> risc & 1))
		return 0;
	return d->settings.sum ? 9 : 1;
}

static void describe(const struct ttp_dev *d, const struct ttp_kernel *k, int risc, struct buf *key)
{
	struct stat st;

	buf_printf(key, "%d %d %d %d %d%d\n%s\n", k->kind, risc, k->noc, k->fidelity,
		   profile_of(d, risc), d->printing, k->path);
	if (k->text)
		buf_text(key, k->text);
	else if (!stat(k->path, &st))
		buf_printf(key, "%lld %lld.%ld", (long long)st.st_size,
			   (long long)st.st_mtim.tv_sec, st.st_mtim.tv_nsec);
	vec_each (def, &k->defines)
		buf_printf(key, "\n-D%s=%s", def->name, def->value);
	vec_each (folder, &k->include)
		buf_printf(key, "\n-I%s", *folder);
	vec_each (word, &k->compile_args)
		buf_printf(key, "\n%u", *word);
}

static enum ttp_rc compile(const struct ttp_dev *d, const struct ttp_kernel *k, int risc,
			   struct elf_image *out, struct ttp_err *e)
{
	SCOPED(vec) VEC(struct compile_define) defines = { 0 };
	SCOPED(vec) VEC(const char *) include = { 0 };
	struct compile_request q = {
		.path = k->path,
		.text = k->text,
		.risc = (enum risc)risc,
		.noc = k->noc,
		.args = k->compile_args.at,
		.args_n = k->compile_args.len,
		.fidelity = k->fidelity,
		.profile = profile_of(d, risc),
		.noc_events = d->settings.noc_events,
		.print = d->printing,
		.delay = d->delayed,
		.delay_outline = d->settings.delay_outline,
		.dram_banks = d->device.coord.banks,
		.columns = d->device.coord.columns,
		.l1_banks = d->device.coord.columns * d->device.coord.rows,
	};

	vec_each (def, &k->defines)
		*vec_push(&defines) = (struct compile_define){ def->name, def->value };
	vec_append(&include, k->include.at, k->include.len);
	*vec_push(&include) = NULL;
	q.defines = defines.at;
	q.defines_n = defines.len;
	q.include = include.at;
	return compile_kernel(&q, out, e);
}

static enum ttp_rc find_image(struct ttp_dev *d, const struct ttp_kernel *k, int risc,
			      struct elf_image **out, struct ttp_err *e)
{
	struct buf key = { 0 };
	struct image *img;
	enum ttp_rc rc;

	describe(d, k, risc, &key);
	vec_each (i, &d->images)
		if (str_eq(buf_view(&(*i)->key), buf_view(&key))) {
			buf_release(&key);
			*out = &(*i)->elf;
			return TTP_OK;
		}
	img = mem_zero(1, sizeof(*img));
	rc = k->kind == KERNEL_ELF ? elf_read_file(&img->elf, k->path, e)
				   : compile(d, k, risc, &img->elf, e);
	if (rc) {
		buf_release(&key);
		free(img);
		return rc;
	}
	img->key = key;
	*vec_push(&d->images) = img;
	*out = &img->elf;
	return TTP_OK;
}

static enum ttp_rc find_images(struct ttp_program *p, struct ttp_err *e)
{
	vec_each (at, &p->kernels) {
		struct ttp_kernel *k = *at;

		for (int r = 0; r < RISCS; r++) {
			enum ttp_rc rc;

			if (k->image[r] ||
			    !(k->processor == TTP_COMPUTE ? r >= RISC_T0 : r == (int)k->processor))
				continue;
			rc = find_image(p->dev, k, r, &k->image[r], e);
			if (rc)
				return strstr(e->msg, k->path)
					       ? rc
					       : ttp_wrap(e, rc, "kernel %s", k->path);
		}
	}
	return TTP_OK;
}

static size_t count_words(const struct ttp_program *p)
{
	size_t n = 0;

	vec_each (k, &p->kernels) {
		n += (*k)->common_args.len;
		vec_each (a, &(*k)->args)
			n += a->words.len;
	}
	return n;
}

/* Tiles of a program mostly have the same circular buffers and semaphores: these are kept once. */
struct cb_set {
	struct ttp_cb_config cb[TTP_CBS];
};
struct semaphore_set {
	uint32_t value[TTP_SEMAPHORES];
};

struct building {
	struct ttp_program *p;
	struct built *b;
	size_t words_used;
	VEC(struct words) common; /* of each kernel */
	VEC(struct words) args;   /* of each kernel's args, one kernel behind the other */
	VEC(size_t) first_args;
	VEC(struct cb_set) cbs;
	VEC(struct semaphore_set) semaphores;
	VEC(uint32_t) set_of; /* of each tile: its cb_set << 16 | its semaphore_set */
};

static struct words keep(struct building *g, const uint32_t *at, size_t n)
{
	struct words w = { n ? g->b->words + g->words_used : NULL, n };

	if (n)
		memcpy(g->b->words + g->words_used, at, n * 4);
	g->words_used += n;
	return w;
}

static void keep_args(struct building *g)
{
	vec_each (k, &g->p->kernels) {
		*vec_push(&g->common) = keep(g, (*k)->common_args.at, (*k)->common_args.len);
		*vec_push(&g->first_args) = g->args.len;
		vec_each (a, &(*k)->args)
			*vec_push(&g->args) = keep(g, a->words.at, a->words.len);
	}
}

static void fill_kernels(struct building *g, uint32_t x, uint32_t y, struct launch_tile *w)
{
	struct ttp_program *p = g->p;

	for (size_t i = 0; i < p->kernels.len; i++) {
		struct ttp_kernel *k = p->kernels.at[i];
		uint32_t index;

		if (!cores_have(k->cores.at, k->cores.len, x, y))
			continue;
		for (int r = 0; r < RISCS; r++) {
			if (!k->image[r])
				continue;
			w->kernel[r] = k->image[r];
			w->common_args[r] = g->common.at[i];
			if (u64map_get(&k->args_of, (uint64_t)x << 32 | y, &index))
				w->args[r] = g->args.at[g->first_args.at[i] + index];
		}
	}
}

/* The last one if it is the same again: tiles with the same parts lie side by side. */
#define SET_OF(sets, one)                                                       \
	((sets).len && !memcmp(&(sets).at[(sets).len - 1], &(one), sizeof(one)) \
		 ? (uint32_t)((sets).len - 1)                                   \
		 : (*vec_push(&(sets)) = (one), (uint32_t)((sets).len - 1)))

static void fill_tile(struct building *g, uint32_t x, uint32_t y, struct launch_tile *w)
{
	struct ttp_program *p = g->p;
	struct semaphore_set semaphores = { 0 };
	struct cb_set cbs = { 0 };
	uint32_t cb_at = 0, semaphore_at = 0;

	fill_kernels(g, x, y, w);
	vec_each (cb, &p->cbs)
		if (cores_have(cb->cores.at, cb->cores.len, x, y)) {
			cbs.cb[cb->index] = cb->config;
			w->cb_mask |= 1u << cb->index;
		}
	vec_each (s, &p->semaphores)
		if (cores_have(s->cores.at, s->cores.len, x, y)) {
			semaphores.value[s->id] = s->value;
			if (s->id >= w->semaphores_n)
				w->semaphores_n = s->id + 1;
		}
	if (p->cbs.len)
		cb_at = SET_OF(g->cbs, cbs);
	if (p->semaphores.len)
		semaphore_at = SET_OF(g->semaphores, semaphores);
	*vec_push(&g->set_of) = cb_at << 16 | semaphore_at;
}

/* What was collected goes where the tiles point to; it does not move any more. */
static void settle(struct building *g)
{
	struct built *b = g->b;

	if (g->cbs.len) {
		b->cbs = mem_alloc(g->cbs.len, sizeof(*g->cbs.at));
		memcpy(b->cbs, g->cbs.at, g->cbs.len * sizeof(*g->cbs.at));
	}
	if (g->semaphores.len) {
		b->semaphores = mem_alloc(g->semaphores.len, sizeof(*g->semaphores.at));
		memcpy(b->semaphores, g->semaphores.at,
		       g->semaphores.len * sizeof(*g->semaphores.at));
	}
	for (size_t i = 0; i < b->work_n; i++) {
		uint32_t set = g->set_of.at[i];

		b->work[i].cbs = b->cbs ? b->cbs + (set >> 16) * TTP_CBS : NULL;
		b->work[i].semaphores =
			b->semaphores ? b->semaphores + (set & 0xFFFF) * TTP_SEMAPHORES : NULL;
	}
}

/* What of its markers is kept. */
static void choose_markers(const struct ttp_dev *d, uint32_t x, uint32_t y, struct launch_tile *w)
{
	for (unsigned r = 0; r < RISCS; r++)
		if (!(d->settings.record.riscs >> r & 1))
			w->with |= TTP_LAUNCH_SILENT << r;
	if (d->profiled && !d->recorded[y][x])
		w->without = TTP_LAUNCH_PROFILE;
}

/* All its cores are in one sub-device. */
static enum ttp_rc find_sub_device(struct ttp_dev *d, struct built *b, uint32_t x, uint32_t y,
				   struct ttp_err *e)
{
	for (int i = 0; i < d->subs; i++)
		if (cores_have(&d->sub[i].cores, 1, x, y)) {
			if (b->sub_device >= 0 && b->sub_device != i)
				return ttp_fail(
					e, TTP_USAGE,
					"a program has cores in sub-devices %d and %d: it can "
					"have one",
					b->sub_device, i);
			b->sub_device = i;
			return TTP_OK;
		}
	return ttp_fail(e, TTP_USAGE, "core (%u,%u) is in no sub-device", x, y);
}

static bool is_used(const struct ttp_program *p, uint32_t x, uint32_t y)
{
	vec_each (k, &p->kernels)
		if (cores_have((*k)->cores.at, (*k)->cores.len, x, y))
			return true;
	return false;
}

static enum ttp_rc put_together(struct ttp_program *p, struct built *b, struct ttp_err *e)
{
	const struct coord *c = &p->dev->device.coord;
	struct building g = { .p = p, .b = b };
	size_t words = count_words(p), tiles = 0;
	enum ttp_rc rc = TTP_OK;

	b->sub_device = -1;
	for (uint32_t x = 0; x < (uint32_t)c->columns; x++)
		for (uint32_t y = 0; y < (uint32_t)c->rows; y++)
			tiles += is_used(p, x, y);
	if (!tiles)
		return ttp_fail(e, TTP_USAGE, "a program without kernels");
	b->work = mem_zero(tiles, sizeof(*b->work));
	b->words = words ? mem_alloc(words, 4) : NULL;
	keep_args(&g);
	for (uint32_t x = 0; !rc && x < (uint32_t)c->columns; x++)
		for (uint32_t y = 0; !rc && y < (uint32_t)c->rows; y++) {
			struct launch_tile *w;

			if (!is_used(p, x, y))
				continue;
			w = &b->work[b->work_n++];
			w->tile = (struct tile){ c->column_x[x], c->row_y[y] };
			choose_markers(p->dev, x, y, w);
			fill_tile(&g, x, y, w);
			if (p->dev->subs)
				rc = find_sub_device(p->dev, b, x, y, e);
		}
	settle(&g);
	RELEASE(vec, &g.common, &g.args, &g.first_args, &g.cbs, &g.semaphores, &g.set_of);
	return rc;
}

enum ttp_rc program_build(struct ttp_program *p, struct ttp_err *e)
{
	struct built *b;
	enum ttp_rc rc;

	if (p->built)
		return TTP_OK;
	TTP_TRY(find_images(p, e));
	b = mem_zero(1, sizeof(*b));
	b->references = 1;
	rc = put_together(p, b, e);
	if (rc)
		built_drop(b);
	else
		p->built = b;
	return rc;
}

enum ttp_rc program_own(struct ttp_dev *d, const char *name, const char *define, int value,
			struct ttp_program **out, struct ttp_err *e)
{
	struct ttp_cores core = TTP_CORE(0, 0);
	SCOPED(buf) struct buf path = { 0 }, shown = { 0 }, text = { 0 }, count = { 0 };
	int subs = d->subs;
	struct ttp_kernel *k = NULL;
	struct str file;
	enum ttp_rc rc;

	buf_printf(&path, "fw/%s", name);
	buf_printf(&shown, "ttprof/%s", name);
	buf_printf(&count, "%d", value);
	if (device_file(path.at, &file)) {
		buf_str(&text, file);
		*out = ttp_program_new(d);
		k = ttp_program_kernel_text(*out, shown.at, text.at, TTP_BRISC, &core, 1);
		rc = !k || ttp_kernel_define(k, define, count.at)
			     ? ttp_fail(e, TTP_USAGE, "%s", ttp_device_error())
			     : TTP_OK;
	} else {
		rc = ttp_fail(e, TTP_VERSION, "this build has no %s", name);
	}
	d->subs = 0; /* nothing else runs */
	rc = rc ? rc : program_build(*out, e);
	d->subs = subs;
	return rc;
}
