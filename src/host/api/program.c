// SPDX-License-Identifier: Apache-2.0
/* Programs as they are described, call by call.  Nothing is compiled or sent here. */
#include <stdlib.h>
#include <string.h>

#include "host/api/guarded_calls.h"
#include "host/host_device.h"
#include "host/ops/op.h"

enum { CORES_MAX = 4096, ARGS_MAX = 4096, TEXT_MAX = 8 << 20 };

char *text_copy(const char *z)
{
	size_t n = strlen(z) + 1;
	char *to = mem_alloc(n, 1);

	memcpy(to, z, n);
	return to;
}

bool cores_in_grid(const struct ttp_dev *d, const struct ttp_cores *cores)
{
	return cores->x0 <= cores->x1 && cores->y0 <= cores->y1 &&
	       cores->x1 < (uint32_t)d->device.coord.columns &&
	       cores->y1 < (uint32_t)d->device.coord.rows;
}

bool cores_meet(const struct ttp_cores *a, const struct ttp_cores *b)
{
	return a->x0 <= b->x1 && b->x0 <= a->x1 && a->y0 <= b->y1 && b->y0 <= a->y1;
}

bool cores_have(const struct ttp_cores *cores, size_t n, uint32_t x, uint32_t y)
{
	for (size_t i = 0; i < n; i++)
		if (x >= cores[i].x0 && x <= cores[i].x1 && y >= cores[i].y0 && y <= cores[i].y1)
			return true;
	return false;
}

/* Rectangles that lie in the grid. */
static int check_cores(const struct ttp_dev *d, const struct ttp_cores *cores, size_t n)
{
	const struct coord *c = &d->device.coord;

	if (!cores || !n || n > CORES_MAX)
		return host_failed("no cores are given, or more than %d ranges", CORES_MAX);
	for (size_t i = 0; i < n; i++)
		if (!cores_in_grid(d, &cores[i]))
			return host_failed("cores (%u,%u)-(%u,%u): the grid of device %d is %dx%d",
					   cores[i].x0, cores[i].y0, cores[i].x1, cores[i].y1,
					   d->id, c->columns, c->rows);
	return 0;
}

struct built *built_take(struct built *b)
{
	if (b)
		b->references++;
	return b;
}

void built_drop(struct built *b)
{
	if (!b || --b->references)
		return;
	RELEASE(mem, &b->work, &b->words, &b->semaphores, &b->cbs);
	buf_release(&b->kernel_info);
	free(b);
}

void program_changed(struct ttp_program *p)
{
	built_drop(p->built);
	p->built = NULL;
}

struct ttp_program *call_program_new(struct ttp_dev *d)
{
	struct ttp_program *p;

	if (!d)
		return HOST_NO("device");
	p = mem_zero(1, sizeof(*p));
	p->dev = d;
	p->at = d->programs.len;
	*vec_push(&d->programs) = p;
	return p;
}

static void kernel_free(struct ttp_kernel *k)
{
	RELEASE(mem, &k->path, &k->text);
	vec_release(&k->cores);
	vec_each (def, &k->defines)
		RELEASE(mem, &def->name, &def->value);
	RELEASE(vec, &k->defines, &k->compile_args);
	vec_each (folder, &k->include)
		free(*folder);
	vec_release(&k->include);
	vec_release_with(&k->args, words);
	u64map_release(&k->args_of);
	vec_release(&k->common_args);
	free(k);
}

void ttp_program_free(struct ttp_program *p)
{
	struct ttp_dev *d;

	if (!p)
		return;
	d = p->dev;
	d->programs.at[p->at] = d->programs.at[--d->programs.len];
	d->programs.at[p->at]->at = p->at;
	op_program_gone(p);
	program_changed(p);
	vec_each (k, &p->kernels)
		kernel_free(*k);
	vec_release_with(&p->cbs, cores);
	vec_release_with(&p->semaphores, cores);
	vec_release(&p->kernels);
	free(p);
}

int call_program_set_id(struct ttp_program *p, uint32_t id, bool fallback)
{
	if (!p)
		return host_no("program");
	if (id > PROGRAM_ID_MAX)
		return host_failed(
			"program id %u: ids have 21 bits, at most %d; the next bit of the log "
			"means an op of the host",
			id, PROGRAM_ID_MAX);
	p->id = id;
	p->id_given = true;
	p->fallback = fallback;
	return 0;
}

uint32_t ttp_program_id(struct ttp_program *p)
{
	if (!p) {
		host_no("program");
		return 0;
	}
	if (!p->id_given) {
		p->id = session_next_id();
		p->id_given = true;
	}
	return p->id;
}

uint32_t ttp_encode_program_id(uint32_t id, uint32_t device, bool fallback)
{
	return (id & PROGRAM_ID_MAX) << 10 | (device & 1023) | (uint32_t)fallback << 31;
}

static const char *const processor_names[] = { "BRISC",  "NCRISC", "TRISC0",
					       "TRISC1", "TRISC2", "the compute cores" };

/* The cores that a processor is, as bits of enum risc. */
static unsigned riscs_of(enum ttp_processor p)
{
	return p == TTP_COMPUTE ? 0x1C : 1u << p;
}

static int check_free(const struct ttp_program *p, enum ttp_processor processor,
		      const struct ttp_cores *cores, size_t n)
{
	vec_each (k, &p->kernels) {
		if (!(riscs_of((*k)->processor) & riscs_of(processor)))
			continue;
		vec_each (own, &(*k)->cores)
			for (size_t i = 0; i < n; i++)
				if (cores_meet(own, &cores[i]))
					return host_failed(
						"%s of core (%u,%u) has a kernel already: %s",
						processor_names[processor],
						own->x0 > cores[i].x0 ? own->x0 : cores[i].x0,
						own->y0 > cores[i].y0 ? own->y0 : cores[i].y0,
						(*k)->path);
	}
	return 0;
}

static struct ttp_kernel *add_kernel(struct ttp_program *p, enum kernel_kind kind, const char *path,
				     const char *text, enum ttp_processor processor,
				     const struct ttp_cores *cores, size_t n)
{
	struct ttp_kernel *k;

	if (!p)
		return HOST_NO("program");
	if (!path || (unsigned)processor > TTP_COMPUTE)
		return HOST_NONE("a kernel needs a path and a processor");
	if (check_cores(p->dev, cores, n) || check_free(p, processor, cores, n))
		return NULL;
	if (kind == KERNEL_ELF && processor == TTP_COMPUTE) {
		host_failed(
			"%s: an ELF file is for one core; give one each for TTP_TRISC0, 1 and 2",
			path);
		return NULL;
	}
	if (text && strlen(text) > TEXT_MAX)
		return HOST_NONE("%s: a source of more than %d bytes", path, TEXT_MAX);
	k = mem_zero(1, sizeof(*k));
	k->program = p;
	k->kind = kind;
	k->path = text_copy(path);
	k->text = text ? text_copy(text) : NULL;
	k->processor = processor;
	k->noc = -1;
	vec_append(&k->cores, cores, n);
	*vec_push(&p->kernels) = k;
	program_changed(p);
	return k;
}

struct ttp_kernel *call_program_kernel(struct ttp_program *p, const char *path,
				       enum ttp_processor processor, const struct ttp_cores *cores,
				       size_t n)
{
	bool elf = path && str_ends(str_of(path), STR(".elf"));

	return add_kernel(p, elf ? KERNEL_ELF : KERNEL_FILE, path, NULL, processor, cores, n);
}

struct ttp_kernel *call_program_kernel_text(struct ttp_program *p, const char *name,
					    const char *text, enum ttp_processor processor,
					    const struct ttp_cores *cores, size_t n)
{
	if (p && !text)
		return HOST_NONE("%s: no text is given", name ? name : "kernel");
	return add_kernel(p, KERNEL_TEXT, name, text, processor, cores, n);
}

/* False: it is compiled already, or never was made. */
static bool still_open(struct ttp_kernel *k, const char *what)
{
	if (!k) {
		host_no("kernel");
		return false;
	}
	for (int r = 0; r < RISCS; r++)
		if (k->image[r]) {
			host_failed("%s: %s after its first enqueue: it is compiled", k->path,
				    what);
			return false;
		}
	return true;
}

int call_kernel_define(struct ttp_kernel *k, const char *name, const char *value)
{
	if (!still_open(k, "a define"))
		return -1;
	if (!name || !*name || strpbrk(name, "= \t\n"))
		return host_failed("%s: a define needs a plain name", k->path);
	struct kernel_define d = { text_copy(name), text_copy(value ? value : "") };

	*vec_push(&k->defines) = d;
	return 0;
}

int call_kernel_compile_args(struct ttp_kernel *k, const uint32_t *words, size_t n)
{
	if (!still_open(k, "compile-time arguments"))
		return -1;
	if (n > ARGS_MAX)
		return host_failed("%s: %zu compile-time arguments, at most %d", k->path, n,
				   ARGS_MAX);
	if (!words && n)
		return host_null("ttp_kernel_compile_args", "words");
	vec_clear(&k->compile_args);
	vec_append(&k->compile_args, words, n);
	return 0;
}

int call_kernel_noc(struct ttp_kernel *k, int noc)
{
	if (!still_open(k, "another NoC"))
		return -1;
	if (noc != 0 && noc != 1)
		return host_failed("%s: NoC %d: there are 0 and 1", k->path, noc);
	k->noc = noc;
	return 0;
}

int call_kernel_fidelity(struct ttp_kernel *k, int fidelity)
{
	if (!still_open(k, "another fidelity"))
		return -1;
	if (fidelity < 1 || fidelity > 4)
		return host_failed("%s: fidelity %d: 1 (LoFi) to 4 (HiFi4)", k->path, fidelity);
	k->fidelity = fidelity;
	return 0;
}

int call_kernel_include(struct ttp_kernel *k, const char *folder)
{
	if (!still_open(k, "a folder"))
		return -1;
	if (!folder)
		return host_null("ttp_kernel_include", "folder");
	char *copy = text_copy(folder);

	*vec_push(&k->include) = copy;
	return 0;
}

static int check_args(const struct ttp_kernel *k, const uint32_t *words, size_t n,
		      uint32_t most_bytes)
{
	if (!words && n)
		return host_null(k->path, "the array of arguments");
	return n <= most_bytes / 4
		       ? 0
		       : host_failed("%s: %zu arguments, at most %u", k->path, n, most_bytes / 4);
}

int call_kernel_args(struct ttp_kernel *k, uint32_t x, uint32_t y, const uint32_t *words, size_t n)
{
	uint32_t index;
	struct kernel_args *a;

	if (!k)
		return host_no("kernel");
	if (check_args(k, words, n, TTP_ARGS_BYTES))
		return -1;
	if (!cores_have(k->cores.at, k->cores.len, x, y))
		return host_failed("%s: arguments for core (%u,%u), where it does not run", k->path,
				   x, y);
	index = u64map_get_or_put(&k->args_of, (uint64_t)x << 32 | y, (uint32_t)k->args.len, NULL);
	if (index == k->args.len) {
		memset(vec_push(&k->args), 0, sizeof(*k->args.at));
		k->args.at[index].x = x;
		k->args.at[index].y = y;
	}
	a = &k->args.at[index];
	vec_clear(&a->words);
	vec_append(&a->words, words, n);
	program_changed(k->program);
	return 0;
}

int call_kernel_common_args(struct ttp_kernel *k, const uint32_t *words, size_t n)
{
	if (!k)
		return host_no("kernel");
	if (check_args(k, words, n, TTP_COMMON_ARGS_BYTES))
		return -1;
	vec_clear(&k->common_args);
	vec_append(&k->common_args, words, n);
	program_changed(k->program);
	return 0;
}

static bool overlap(const struct ttp_cores *a, size_t an, const struct ttp_cores *b, size_t bn)
{
	for (size_t i = 0; i < an; i++)
		for (size_t j = 0; j < bn; j++)
			if (cores_meet(&a[i], &b[j]))
				return true;
	return false;
}

int call_program_cb(struct ttp_program *p, uint32_t index, uint32_t pages, uint32_t page_bytes,
		    const struct ttp_buffer *at, const struct ttp_cores *cores, size_t n)
{
	uint64_t bytes = (uint64_t)pages * page_bytes, first = TTP_L1_FREE;
	struct program_cb *cb;

	if (!p)
		return host_no("program");
	if (check_cores(p->dev, cores, n))
		return -1;
	if (index >= TTP_CBS || !pages || !page_bytes || page_bytes % 16 || pages > 0xFFFF)
		return host_failed(
			"circular buffer %u of %u pages of %u bytes: numbers are 0 to %d, "
			"pages a multiple of 16 bytes, at most 65535 of them",
			index, pages, page_bytes, TTP_CBS - 1);
	vec_each (other, &p->cbs) {
		if (!overlap(other->cores.at, other->cores.len, cores, n))
			continue;
		if (other->index == index)
			return host_failed("circular buffer %u is there already", index);
		if (other->config.addr + (uint64_t)other->config.size_bytes > first &&
		    other->config.addr < bank_space_lowest(&p->dev->l1))
			first = other->config.addr + (uint64_t)other->config.size_bytes;
	}
	if (at) {
		if (at->dev != p->dev)
			return host_failed(
				"circular buffer %u: the buffer is one of device %d, the program one "
				"of device %d",
				index, at->dev->id, p->dev->id);
		if (at->where != TTP_L1 || bytes > at->taken)
			return host_failed(
				"circular buffer %u: %llu bytes are not in that buffer of L1",
				index, (unsigned long long)bytes);
		first = at->address;
	} else if (first + bytes > bank_space_lowest(&p->dev->l1)) {
		return host_failed(
			"circular buffer %u of %llu bytes: L1 has %llu bytes left between "
			"kernels and L1 buffers",
			index, (unsigned long long)bytes,
			(unsigned long long)(bank_space_lowest(&p->dev->l1) - first));
	}
	cb = vec_push(&p->cbs);
	memset(cb, 0, sizeof(*cb));
	cb->index = index;
	cb->config = (struct ttp_cb_config){ (uint32_t)first, (uint32_t)bytes, page_bytes, pages };
	vec_append(&cb->cores, cores, n);
	program_changed(p);
	return 0;
}

int call_program_semaphore(struct ttp_program *p, uint32_t first_value,
			   const struct ttp_cores *cores, size_t n)
{
	uint32_t taken = 0, id = 0;
	struct program_semaphore *s;

	if (!p)
		return host_no("program");
	if (check_cores(p->dev, cores, n))
		return -1;
	vec_each (other, &p->semaphores)
		if (overlap(other->cores.at, other->cores.len, cores, n))
			taken |= 1u << other->id;
	while (id < TTP_SEMAPHORES && taken >> id & 1)
		id++;
	if (id == TTP_SEMAPHORES)
		return host_failed("more than %d semaphores on one core", TTP_SEMAPHORES);
	s = vec_push(&p->semaphores);
	memset(s, 0, sizeof(*s));
	s->id = id;
	s->value = first_value;
	vec_append(&s->cores, cores, n);
	program_changed(p);
	return (int)id;
}
