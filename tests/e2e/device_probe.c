// SPDX-License-Identifier: Apache-2.0
/*
 * device_probe KERNELS [SCENARIO ...]: runs scenarios on the device that TTP_DEVICE names, each on one
 * that was just opened, and prints a line per scenario.
 */
#include "device_probe.h"

#include <stdarg.h>

static char reason[1200];

const char *because(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(reason, sizeof(reason), fmt, ap);
	va_end(ap);
	return reason;
}

static struct probe *opening;

static enum ttp_rc open_sim(struct str rest, int id, struct port **out, struct ttp_err *e)
{
	(void)rest;
	(void)id;
	return sim_open(&opening->sim, out, e);
}

static const struct port_driver driver_sim = { "sim", NULL, open_sim };

const char *probe_start(struct probe *p, uint32_t programs)
{
	static const struct port_driver *const drivers[] = { &driver_sim, &port_ttsim, NULL };
	struct ttp_err e;

	opening = p;
	if (port_open_default(drivers, NULL, 0, &p->port, &e) ||
	    device_start(&p->device, p->port, 0, &e))
		return because("%s", e.msg);
	p->workers = (unsigned)(p->device.coord.columns * p->device.coord.rows);
	if (p->profile &&
	    profiler_start(&p->profiler, &p->device, 64, programs, p->profile & 8, &e))
		return because("%s", e.msg);
	return NULL;
}

static struct elf_image *compile(struct probe *p, const char *path, const char *text, int risc)
{
	struct compile_request q = { .path = path,
				     .text = text,
				     .root = p->folder,
				     .risc = (enum risc)risc,
				     .noc = -1,
				     .profile = p->profile,
				     .noc_events = p->noc_events,
				     .dram_banks = p->device.coord.banks,
				     .columns = p->device.coord.columns,
				     .l1_banks = p->device.coord.columns * p->device.coord.rows };
	struct ttp_err e;

	if (p->images_n == 64 || compile_kernel(&q, &p->images[p->images_n], &e)) {
		snprintf(p->reason, sizeof(p->reason), "%s", e.msg);
		return NULL;
	}
	return &p->images[p->images_n++];
}

struct elf_image *probe_kernel(struct probe *p, const char *file, int risc)
{
	char path[4096];

	snprintf(path, sizeof(path), "%s/%s", p->folder, file);
	return compile(p, path, NULL, risc);
}

struct elf_image *probe_kernel_text(struct probe *p, const char *name, const char *text, int risc)
{
	return compile(p, name, text, risc);
}

struct tile probe_worker(struct probe *p, int i)
{
	struct tile t = { 0, 0 };

	coord_from_logical(&p->device.coord,
			   (struct logical_tile){ (uint8_t)(i % p->device.coord.columns),
						  (uint8_t)(i / p->device.coord.columns) },
			   &t);
	return t;
}

const char *probe_run_on(struct probe *p, struct launch_tile *work, size_t n, uint32_t host_id)
{
	struct ttp_err e;

	if (launch(&p->device, work, n, host_id, p->profile ? TTP_LAUNCH_PROFILE : 0, &e) ||
	    launch_wait(&p->device, 50000000, &e))
		return because("%s", e.msg);
	return NULL;
}

const char *probe_run(struct probe *p, const struct launch_tile *like, uint32_t host_id)
{
	int n = (int)p->workers;
	struct launch_tile *work = mem_alloc((size_t)n, sizeof(*work));
	const char *wrong;

	for (int i = 0; i < n; i++) {
		work[i] = *like;
		work[i].tile = probe_worker(p, i);
	}
	wrong = probe_run_on(p, work, (size_t)n, host_id);
	free(work);
	return wrong;
}

static void keep(void *ctx, const struct device_marker *m)
{
	struct probe *p = ctx;

	*vec_push(&p->markers) = *m;
}

static void keep_loss(void *ctx, const struct profiler_loss *l)
{
	struct probe *p = ctx;

	*vec_push(&p->losses) = *l;
}

const char *probe_read(struct probe *p)
{
	struct ttp_err e;

	if (profiler_read(&p->profiler, keep, keep_loss, p, &p->account, &e))
		return because("%s", e.msg);
	return NULL;
}

const char *probe_zone_name(struct probe *p, const struct device_marker *m)
{
	static char name[ELF_TEXT_MAX + 1];
	struct elf_image *loaded = p->device.tiles[m->tile.y][m->tile.x].loaded[m->risc];
	const struct elf_zone *z = loaded ? elf_zone(loaded, m->id) : NULL;

	if (!z)
		z = elf_zone(&p->device.firmware[m->risc], m->id);
	for (size_t i = 0; !z && i < p->images_n; i++)
		z = elf_zone(&p->images[i], m->id);
	snprintf(name, sizeof(name), "%.*s", z ? (int)z->name.len : 1, z ? z->name.at : "?");
	return name;
}

size_t probe_count(struct probe *p, int type, int risc, const char *name)
{
	size_t n = 0;

	vec_each (m, &p->markers) {
		if (type >= 0 && m->type != type)
			continue;
		if (risc >= 0 && m->risc != risc)
			continue;
		n += !name || !strcmp(probe_zone_name(p, m), name);
	}
	return n;
}

void probe_again(struct probe *p)
{
	profiler_release(&p->profiler);
	device_stop(&p->device);
	if (p->port)
		p->port->ops->close(p->port);
	p->port = NULL;
	for (size_t i = 0; i < p->images_n; i++)
		elf_release(&p->images[i]);
	p->images_n = 0;
}

static void probe_end(struct probe *p)
{
	probe_again(p);
	vec_release(&p->markers);
	vec_release(&p->losses);
	account_release(&p->account);
}

/*
 * What a scenario left, a line each, to be compared between devices and settings: markers without their
 * times, and the part of L1 that is the kernels'; with PROBE_DUMP_ALL also times and all memory.
 */
static void dump(struct probe *p, const char *scenario, FILE *to)
{
	bool all = getenv("PROBE_DUMP_ALL") && !strcmp(p->port->info.driver, "sim");
	static uint8_t l1[0x10000];

	vec_each (m, &p->markers) {
		fprintf(to, "%s %d,%d %s %s %u %u %u %llx %llx", scenario, m->tile.x, m->tile.y,
			risc_label(m->risc), marker_type_name((enum marker_type)m->type), m->id,
			m->replay, m->host_id,
			m->type == MARKER_ZONE_TOTAL && !all ? 0 : (unsigned long long)m->data[0],
			(unsigned long long)m->data[1]);
		fprintf(to, all ? " %llu\n" : "\n", (unsigned long long)m->cycles);
	}
	for (unsigned i = 0; i < p->workers; i++) {
		struct tile t = probe_worker(p, (int)i);

		if (!p->port->ops->read(p->port, t, TTP_L1_FREE, l1, sizeof(l1), NULL))
			fprintf(to, "%s %d,%d L1 %016llx\n", scenario, t.x, t.y,
				(unsigned long long)str_hash(str_n((char *)l1, sizeof(l1))));
	}
	if (all)
		fprintf(to, "%s memory %016llx at %llu\n", scenario,
			(unsigned long long)sim_hash(p->port),
			(unsigned long long)p->port->ops->now(p->port));
}

int main(int argc, char **argv)
{
	const struct scenario *const all[] = { scenarios_markers, scenarios_kernels,
					       scenarios_hostile };
	const char *device = getenv("TTP_DEVICE");
	bool embedded = !device || !strncmp(device, "sim", 3);
	const char *dump_to = getenv("PROBE_DUMP");
	FILE *dumped = dump_to ? fopen(dump_to, "w") : NULL;
	bool failed = false;

	setvbuf(stdout, NULL, _IOLBF, 0);
	if (argc < 2) {
		fputs("usage: device_probe KERNELS [SCENARIO ...]\n", stderr);
		return 2;
	}
	for (size_t a = 0; a < sizeof(all) / sizeof(all[0]); a++)
		for (const struct scenario *s = all[a]; s->name; s++) {
			struct probe p = { .folder = argv[1], .profile = 1 };
			bool asked = argc == 2;

			for (int i = 2; i < argc; i++)
				asked |= !strcmp(argv[i], s->name);
			if (!asked)
				continue;
			if (!embedded && !s->everywhere)
				continue;
			/* They are the user's, and not everywhere. */
			if (!strcmp(s->name, "documents_kernels") && !getenv("PROBE_DOCUMENTS"))
				continue;
			struct ttp_err e;
			const char *wrong =
				sim_config_from_env(&p.sim, &e) ? because("%s", e.msg) : s->run(&p);

			printf("%sok %s\n", wrong ? "not " : "", s->name);
			if (wrong)
				printf("    %s\n", wrong);
			failed |= wrong != NULL;
			if (dumped && !wrong && p.port)
				dump(&p, s->name, dumped);
			probe_end(&p);
		}
	if (dumped && fclose(dumped))
		failed = true;
	return failed;
}
