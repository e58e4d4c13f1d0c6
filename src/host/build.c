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
#include "host/host.h"

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
	VEC(struct compile_define) defines = { 0 };
	VEC(const char *) include = { 0 };
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
	enum ttp_rc rc;

	vec_each (def, &k->defines)
		*vec_push(&defines) = (struct compile_define){ def->name, def->value };
	vec_each (folder, &k->include)
		*vec_push(&include) = *folder;
	*vec_push(&include) = NULL;
	q.defines = defines.at;
	q.defines_n = defines.len;
	q.include = include.at;
	rc = compile_kernel(&q, out, e);
	vec_release(&defines);
	vec_release(&include);
	return rc;
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
				return ttp_wrap(e, rc, "kernel %s", k->path);
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

struct building {
	struct ttp_program *p;
	struct built *b;
	size_t words_used;
	VEC(struct words) common; /* of each kernel */
	VEC(struct words) args;   /* of each kernel's args, one kernel behind the other */
	VEC(size_t) first_args;
};

static struct words keep(struct building *g, const uint32_t *at, size_t n)
{
	struct words w = { g->b->words + g->words_used, n };

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

static void fill_tile(struct building *g, uint32_t x, uint32_t y, struct launch_tile *w,
		      struct ttp_cb_config *cbs, uint32_t *semaphores)
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
	vec_each (cb, &p->cbs)
		if (cores_have(cb->cores.at, cb->cores.len, x, y)) {
			cbs[cb->index] = cb->config;
			w->cb_mask |= 1u << cb->index;
		}
	w->cbs = cbs;
	vec_each (s, &p->semaphores)
		if (cores_have(s->cores.at, s->cores.len, x, y)) {
			semaphores[s->id] = s->value;
			if (s->id >= w->semaphores_n)
				w->semaphores_n = s->id + 1;
		}
	w->semaphores = semaphores;
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

static enum ttp_rc put_together(struct ttp_program *p, struct built *b, struct ttp_err *e)
{
	const struct coord *c = &p->dev->device.coord;
	size_t tiles = (size_t)(c->columns * c->rows);
	struct building g = { .p = p, .b = b };
	uint32_t *semaphores;
	enum ttp_rc rc = TTP_OK;

	b->sub_device = -1;
	b->work = mem_zero(tiles, sizeof(*b->work));
	b->cbs = mem_zero(tiles * TTP_CBS, sizeof(*b->cbs));
	b->words = mem_zero(count_words(p) + tiles * TTP_SEMAPHORES, 4);
	semaphores = b->words + count_words(p);
	keep_args(&g);
	for (uint32_t x = 0; !rc && x < (uint32_t)c->columns; x++)
		for (uint32_t y = 0; !rc && y < (uint32_t)c->rows; y++) {
			struct launch_tile *w = &b->work[b->work_n];
			bool used = false;

			vec_each (k, &p->kernels)
				used |= cores_have((*k)->cores.at, (*k)->cores.len, x, y);
			if (!used)
				continue;
			w->tile = (struct tile){ c->column_x[x], c->row_y[y] };
			choose_markers(p->dev, x, y, w);
			fill_tile(&g, x, y, w, b->cbs + b->work_n * TTP_CBS,
				  semaphores + b->work_n * TTP_SEMAPHORES);
			b->work_n++;
			if (p->dev->subs)
				rc = find_sub_device(p->dev, b, x, y, e);
		}
	vec_release(&g.common);
	vec_release(&g.args);
	vec_release(&g.first_args);
	if (!rc && !b->work_n)
		rc = ttp_fail(e, TTP_USAGE, "a program without kernels");
	return rc;
}

enum ttp_rc program_build(struct ttp_program *p, struct ttp_err *e)
{
	struct built *b;
	enum ttp_rc rc;

	if (p->built)
		return TTP_OK;
	rc = find_images(p, e);
	if (rc)
		return rc;
	b = mem_zero(1, sizeof(*b));
	b->references = 1;
	rc = put_together(p, b, e);
	if (rc)
		built_drop(b);
	else
		p->built = b;
	return rc;
}
