// SPDX-License-Identifier: Apache-2.0
#include "wire/run_processes.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/number.h"
#include "base/order.h"
#include "wire/run_names.h"

enum { DEVICE_BITS = 10, DEVICE_MASK = (1 << DEVICE_BITS) - 1, PROCESSES_MAX = 1 << 16 };

static uint32_t process_at(struct run_processes *p, int64_t pid)
{
	uint32_t i;
	bool added;

	if (u64map_get(&p->by_pid, (uint64_t)pid, &i))
		return i;
	if (p->all.len == PROCESSES_MAX)
		return PROCESSES_MAX;
	*vec_push(&p->all) = (struct run_process){ .pid = pid, .rank = -1, .first = UINT64_MAX };
	return u64map_get_or_put(&p->by_pid, (uint64_t)pid, (uint32_t)p->all.len - 1, &added);
}

static void add_programs(struct run_processes *p, int64_t pid, int64_t rank, uint64_t first,
			 uint64_t last)
{
	uint32_t i = process_at(p, pid);

	if (i == PROCESSES_MAX || first > last)
		return;
	p->all.at[i].rank = rank;
	if (first < p->all.at[i].first)
		p->all.at[i].first = first;
	*vec_push(&p->programs) = (struct run_programs){ first, last, i };
}

static void add_device(struct run_processes *p, int64_t pid, uint64_t device)
{
	uint32_t i = process_at(p, pid);
	bool added;

	if (i == PROCESSES_MAX || device > DEVICE_MASK)
		return;
	(void)u64map_get_or_put(&p->by_device, (uint64_t)i << DEVICE_BITS | device, 0, &added);
	if (added)
		*vec_push(&p->devices) = (struct run_device){ i, (uint32_t)device };
}

void run_processes_take(struct run_processes *p, struct str line)
{
	struct str word[5], rest = line;
	int64_t pid, rank = -1;
	uint64_t first, last;
	size_t n = 0;

	while (n < 5 && str_split(&rest, ' ', &word[n]))
		n++;
	if (n >= 4 && str_eq(word[0], STR("ops")) && number_i64(word[1], &pid) &&
	    number_u64(word[2], &first) && number_u64(word[3], &last) && last <= UINT32_MAX) {
		if (n < 5 || !number_i64(word[4], &rank))
			rank = -1;
		add_programs(p, pid, rank, first << DEVICE_BITS, last << DEVICE_BITS | DEVICE_MASK);
	} else if (n >= 3 && str_eq(word[0], STR("device")) && number_i64(word[1], &pid) &&
		   number_u64(word[2], &first)) {
		add_device(p, pid, first);
	}
}

ORDER_BY(by_first, struct run_programs, first)
ORDER_BY(by_rank, struct run_process, rank, first)

static void put_in_order(struct run_processes *p)
{
	SCOPED(mem) uint32_t *now = mem_alloc(p->all.len + 1, sizeof(*now));

	vec_sort(&p->all, by_rank);
	for (size_t i = 0; i < p->all.len; i++) {
		uint32_t was = 0;

		(void)u64map_get(&p->by_pid, (uint64_t)p->all.at[i].pid, &was);
		now[was] = (uint32_t)i;
	}
	for (size_t i = 0; i < p->all.len; i++)
		u64map_put(&p->by_pid, (uint64_t)p->all.at[i].pid, (uint32_t)i);
	vec_each (r, &p->programs)
		r->process = now[r->process];
	vec_each (d, &p->devices)
		d->process = now[d->process];
	for (int kind = 0; kind < RUN_MOMENT_KINDS; kind++)
		vec_each (m, &p->moments[kind].list)
			m->process = now[m->process];
	vec_sort(&p->programs, by_first);
}

void run_processes_finish(struct run_processes *p)
{
	bool taken[DEVICE_MASK + 1] = { false }, shared = false;
	uint32_t most = 0;

	put_in_order(p);
	vec_each (d, &p->devices) { /* a process has each device once */
		most = d->device > most ? d->device : most;
		shared |= taken[d->device];
		taken[d->device] = true;
	}
	p->stride = shared ? most + 1 : 0;
}

static void set_name(struct run_process *p, struct str program)
{
	size_t n = 0;

	for (size_t i = 0; i < program.len && n + 1 < sizeof(p->program); i++)
		p->program[n++] = (unsigned char)program.at[i] < ' ' || program.at[i] == ','
					  ? '_'
					  : program.at[i];
	p->program[n] = 0;
}

void run_processes_name(struct run_processes *p, int64_t pid, struct str program)
{
	uint32_t i;

	if (u64map_get(&p->by_pid, (uint64_t)pid, &i))
		set_name(&p->all.at[i], program);
}

void run_processes_moment(struct run_processes *p, enum run_moment_kind kind, int64_t pid,
			  int64_t time_ns)
{
	uint32_t i;

	if (u64map_get(&p->by_pid, (uint64_t)pid, &i))
		*vec_push(&p->moments[kind].list) = (struct run_moment){ time_ns, i };
}

ORDER_BY(by_time, struct run_moment, time_ns, process)

void run_processes_named(struct run_processes *p)
{
	for (int kind = 0; kind < RUN_MOMENT_KINDS; kind++)
		vec_sort(&p->moments[kind].list, by_time);
}

static void put_moments(const struct run_moments *all, uint32_t process, struct buf *to)
{
	bool any = false;

	vec_each (m, &all->list)
		if (m->process == process) {
			buf_printf(to, any ? " %lld" : "%lld", (long long)m->time_ns);
			any = true;
		}
}

void run_processes_put(const struct run_processes *p, struct buf *to)
{
	buf_text(
		to,
		"process,rank,devices,first run id,last run id,program,signposts,trace messages\n");
	vec_each (r, &p->programs) {
		const struct run_process *of = &p->all.at[r->process];
		bool any = false;

		buf_printf(to, "%lld,", (long long)of->pid);
		if (of->rank >= 0)
			buf_printf(to, "%lld", (long long)of->rank);
		buf_char(to, ',');
		vec_each (d, &p->devices)
			if (d->process == r->process) {
				buf_printf(to, any ? " %u" : "%u", d->device);
				any = true;
			}
		buf_printf(to, ",%llu,%llu,%s,", (unsigned long long)r->first,
			   (unsigned long long)r->last, of->program);
		/* once, in the first of its rows */
		for (int kind = 0; kind < RUN_MOMENT_KINDS; kind++) {
			buf_text(to, kind ? "," : "");
			if (r->first == of->first)
				put_moments(&p->moments[kind], r->process, to);
		}
		buf_char(to, '\n');
	}
}

static bool read_row(struct run_processes *p, struct str line)
{
	/* before processes had names, and before messages of traces had processes */
	enum { UNNAMED = 5, WITH_SIGNPOSTS = 7, CELLS = 8 };
	struct str cell[CELLS], rest = line, word;
	int64_t pid, rank = -1, ns;
	uint64_t first, last, device;
	size_t n = 0;

	while (n < CELLS && str_split(&rest, ',', &cell[n]))
		n++;
	if ((n != UNNAMED && n < WITH_SIGNPOSTS) || !number_i64(cell[0], &pid) ||
	    !number_u64(cell[3], &first) || !number_u64(str_trim(cell[4]), &last) ||
	    (cell[1].len && (!number_i64(cell[1], &rank) || rank < 0)))
		return false;
	add_programs(p, pid, rank, first, last);
	while (str_split(&cell[2], ' ', &word))
		if (number_u64(word, &device))
			add_device(p, pid, device);
	if (n > UNNAMED)
		run_processes_name(p, pid, cell[UNNAMED]);
	for (size_t i = UNNAMED + 1; i < n; i++)
		while (str_split(&cell[i], ' ', &word))
			if (number_i64(str_trim(word), &ns))
				run_processes_moment(p, (enum run_moment_kind)(i - UNNAMED - 1),
						     pid, ns);
	return true;
}

/* False, and nothing, of a text that is damaged. */
static bool run_processes_read(struct run_processes *p, struct str text)
{
	struct str line;
	bool good = str_split(&text, '\n', &line) && str_starts(line, STR("process,"));

	while (good && str_split(&text, '\n', &line))
		good = !line.len || read_row(p, line);
	if (good) {
		run_processes_finish(p);
		run_processes_named(p);
	}
	if (!good)
		run_processes_release(p);
	return good;
}

struct run_processes *run_processes_find(struct inputs *files, const char *folder,
					 struct ttp_err *e)
{
	SCOPED(buf) struct buf path = { 0 };
	struct run_processes *p;
	struct input in;

	e->rc = TTP_OK;
	buf_printf(&path, "%s/" RUN_PROCESSES, folder);
	if (input_is_odd(path.at, e) || access(path.at, F_OK) ||
	    inputs_open(files, path.at, NULL, &in, e))
		return NULL;
	p = mem_zero(1, sizeof(*p));
	if (!run_processes_read(p, in.data))
		(void)ttp_fail(e, TTP_FORMAT, "%s: can't be read", path.at);
	input_close(&in);
	if (!p->all.len) {
		free(p);
		p = NULL;
	}
	return p;
}

void run_processes_free(struct run_processes *p)
{
	if (p)
		run_processes_release(p);
	free(p);
}

bool run_has_processes(const struct run_processes *p)
{
	return p && p->all.len > 1;
}

void run_processes_release(struct run_processes *p)
{
	RELEASE(vec, &p->all, &p->programs, &p->devices);
	for (int kind = 0; kind < RUN_MOMENT_KINDS; kind++)
		vec_release(&p->moments[kind].list);
	RELEASE(u64map, &p->by_pid, &p->by_device);
	*p = (struct run_processes){ 0 };
}

const struct run_process *run_process_of(const struct run_processes *p, uint64_t run_id)
{
	size_t low = order_first(i, p ? p->programs.len : 0, p->programs.at[i].last < run_id);

	return p && low < p->programs.len && p->programs.at[low].first <= run_id
		       ? &p->all.at[p->programs.at[low].process]
		       : NULL;
}

const struct run_process *run_process_at(const struct run_processes *p, enum run_moment_kind kind,
					 int64_t time_ns)
{
	const struct run_moments *m = p ? &p->moments[kind] : NULL;
	size_t low = order_first(i, m ? m->list.len : 0, m->list.at[i].time_ns < time_ns);

	return m && low < m->list.len && m->list.at[low].time_ns == time_ns
		       ? &p->all.at[m->list.at[low].process]
		       : NULL;
}

uint32_t run_chip(const struct run_processes *p, uint64_t run_id, uint32_t device)
{
	const struct run_process *of =
		p && p->stride && device < p->stride ? run_process_of(p, run_id) : NULL;

	return of ? (uint32_t)(of - p->all.at) * p->stride + device : device;
}

uint32_t run_chip_of(const struct run_processes *p, int64_t pid, uint32_t device)
{
	for (size_t i = 0; p && device < p->stride && i < p->all.len; i++)
		if (p->all.at[i].pid == pid)
			return (uint32_t)i * p->stride + device;
	return device;
}
