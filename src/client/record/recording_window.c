// SPDX-License-Identifier: Apache-2.0
/*
 * Three gates, which must all be open: what was commanded last (by ttp_pause and ttp_resume, or by `ttprof run` through a
 * page that it shares with all its programs), the steps that were asked for, and signposts.
 */
#include "client/record/recording_window.h"

#include <fcntl.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "client/life/client_settings.h"
#include "client/life/lifecycle.h"
#include "client/life/system_memory.h"
#include "client/record/stream.h"
#include "client/record/ticks.h"
#include "ttp/client.h"
#include "wire/control.h"

enum {
	EDGES_MAX = 1 << 20, /* 500,000 parts; what follows stays as it is then */
	NAME_MAX_BYTES = 256,
	PATIENCE = 1000 /* looks at a lock that the interrupted thread itself may hold */
};

static const char signpost_head[] = "`TT_SIGNPOST: ";

struct edge {
	int64_t ticks;
	uint64_t steps;
};

_Atomic bool window_in_use;
bool window_reads_signposts;

/* From the environment, before anybody records. */
static uint64_t warmup, record, every; /* steps; record 0: until the end, every 0: once */
static bool counts_steps;
static char step_post[NAME_MAX_BYTES], start_post[NAME_MAX_BYTES], end_post[NAME_MAX_BYTES];
static const struct control *control;

static _Atomic bool commanded = true, between_posts = true;
static _Atomic uint64_t steps, steps_recorded;
static _Atomic uint64_t commands_seen;
static bool on_at_first = true; /* before the first edge */
static _Atomic(struct edge *) edges;
static _Atomic uint32_t edges_n;
static _Atomic bool busy;

/* ---- the list ---- */

static bool take(void)
{
	for (int i = 0; atomic_exchange_explicit(&busy, true, memory_order_acquire); i++) {
		if (i == PATIENCE)
			return false; /* we are a handler that interrupted the owner: it looks again */
		sched_yield();
	}
	return true;
}

static void let_go(void)
{
	atomic_store_explicit(&busy, false, memory_order_release);
}

bool window_is_on(uint32_t n)
{
	return on_at_first != (n & 1);
}

/* Is the step that follows `n` others one of those that were asked for? */
static bool wants_step(uint64_t n)
{
	if (n < warmup)
		return false;
	n -= warmup;
	if (every)
		n %= every;
	return !record || n < record;
}

static bool wanted(void)
{
	return atomic_load(&commanded) && atomic_load(&between_posts) &&
	       (!counts_steps || wants_step(atomic_load(&steps)));
}

static bool is_on_now(void)
{
	return window_is_on(atomic_load_explicit(&edges_n, memory_order_acquire));
}

/* With the lock: it is as it should be from `ticks` on. */
static void turn(int64_t ticks)
{
	uint32_t n = atomic_load_explicit(&edges_n, memory_order_relaxed);
	struct edge *all = atomic_load_explicit(&edges, memory_order_relaxed);

	if (window_is_on(n) == wanted() || n == EDGES_MAX)
		return;
	if (!all) {
		all = own_space(EDGES_MAX * sizeof(*all));
		if (!all)
			return;
		atomic_store_explicit(&edges, all, memory_order_relaxed);
	}
	if (n && ticks <= all[n - 1].ticks)
		ticks = all[n - 1].ticks + 1;
	all[n] = (struct edge){ ticks, atomic_load(&steps) };
	/* Pairs with the acquire of who reads. */
	atomic_store_explicit(&edges_n, n + 1, memory_order_release);
}

void window_settle(void)
{
	KEEP_ERRNO;

	if (take()) {
		life_clock();
		turn(ticks_peek() +
		     1); /* behind what was recorded last, also by a clock that stands */
		let_go();
	}
}

int64_t window_edge(uint32_t i, uint64_t *at)
{
	const struct edge *all = atomic_load_explicit(&edges, memory_order_relaxed);

	*at = all[i].steps;
	return all[i].ticks;
}

/* ---- commands of ttprof ---- */

/* Our ticks at a moment of CLOCK_MONOTONIC_RAW, a little ago. */
static int64_t ticks_at(int64_t raw_ns)
{
	struct ticks_pair now;

	ticks_pair_take(&now);
	if (ticks_kind())
		return now.ticks; /* another clock: now */
	return now.ticks - (int64_t)((double)(now.mono_ns - raw_ns) / ticks_ns_per_tick());
}

bool window_scale(int64_t age_ns, double *ns_per_tick)
{
	struct ticks_pair now;

	if (!control || !control->ticks || ticks_hook)
		return false;
	ticks_pair_take(&now);
	if (now.mono_ns - control->raw_ns < age_ns || now.ticks <= control->ticks)
		return false;
	*ns_per_tick =
		(double)(now.mono_ns - control->raw_ns) / (double)(now.ticks - control->ticks);
	return true;
}

static void take_commands(void)
{
	uint64_t n = control ? atomic_load_explicit(&control->n, memory_order_acquire) : 0;
	uint64_t seen = atomic_load_explicit(&commands_seen, memory_order_relaxed);

	if (n == seen || !take())
		return;
	life_clock();
	seen = atomic_load(&commands_seen);
	if (n - seen > CONTROL_COMMANDS && n > seen)
		seen = n - 1; /* what came between was overwritten: the last one counts */
	for (; seen < n; seen++) {
		uint64_t command = atomic_load_explicit(&control->commands[seen % CONTROL_COMMANDS],
							memory_order_relaxed);

		atomic_store(&commanded, command & 1);
		turn(ticks_at((int64_t)(command >> 1)));
	}
	atomic_store(&commands_seen, seen);
	let_go();
}

uint32_t window_look(void)
{
	take_commands();
	return atomic_load_explicit(&edges_n, memory_order_acquire);
}

/* ---- steps and signposts ---- */

static bool step_ends(void)
{
	if (is_on_now())
		atomic_fetch_add(&steps_recorded, 1);
	atomic_fetch_add(&steps, 1);
	if (!is_on_now() && wanted())
		window_settle(); /* the mark is the first of the part that begins */
	return is_on_now() && !wanted();
}

bool window_step(void)
{
	take_commands();
	return !*step_post && step_ends();
}

/* A name, or with "*" at its end how it begins. */
static bool is_named(const char *want, const char *name, size_t len)
{
	size_t n = strlen(want);

	if (n && want[n - 1] == '*')
		return len >= n - 1 && !memcmp(want, name, n - 1);
	return n && len == n && !memcmp(want, name, n);
}

bool window_message(const char *text, size_t len)
{
	const size_t head = sizeof(signpost_head) - 1;
	size_t n = 0;
	bool settle = false;

	if (len <= head || memcmp(text, signpost_head, head) != 0)
		return false;
	text += head;
	len -= head;
	while (n < len && text[n] != '\n' && text[n] != '`')
		n++;
	take_commands();
	if (is_named(start_post, text, n) && !atomic_exchange(&between_posts, true) &&
	    !is_on_now() && wanted())
		window_settle();
	else if (is_named(end_post, text, n) && atomic_exchange(&between_posts, false))
		settle = true;
	if (is_named(step_post, text, n))
		settle |= step_ends();
	return settle;
}

bool window_count(uint64_t *all, uint64_t *recorded)
{
	*all = atomic_load(&steps);
	*recorded = atomic_load(&steps_recorded);
	return counts_steps || window_reads_signposts || !on_at_first || atomic_load(&edges_n);
}

/* ---- the program's own word ---- */

static void command(bool on)
{
	take_commands(); /* those that were given before */
	if (!atomic_exchange(&window_in_use, true)) {
		/* Nobody has counted until now. */
		atomic_store(&steps, atomic_load(&events_frames));
		atomic_store(&steps_recorded, atomic_load(&events_frames));
	}
	atomic_store(&commanded, on);
	window_settle();
}

void ttp_pause(void)
{
	command(false);
}

void ttp_resume(void)
{
	command(true);
}

bool ttp_recording(void)
{
	if (!atomic_load_explicit(&window_in_use, memory_order_relaxed))
		return true;
	take_commands();
	return is_on_now();
}

/* ---- the environment ---- */

static uint64_t number_of(const char *name)
{
	const char *v = settings_value(name);
	char *end;
	unsigned long long n;

	if (!v || *v < '0' || *v > '9')
		return 0;
	n = strtoull(v, &end, 10);
	return *end ? 0 : n;
}

static bool name_of(const char *name, char *to)
{
	const char *v = settings_value(name);

	if (!v || strlen(v) >= NAME_MAX_BYTES)
		return false;
	memcpy(to, v, strlen(v) + 1);
	return true;
}

static void map_control(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	const struct control *c;
	struct stat st;

	if (fd < 0)
		return;
	if (!fstat(fd, &st) && st.st_size >= (off_t)sizeof(*c)) {
		c = mmap(NULL, sizeof(*c), PROT_READ, MAP_SHARED, fd, 0);
		if (c != MAP_FAILED && c->magic == CONTROL_MAGIC)
			control = c;
	}
	close(fd);
}

/* What this process begins with. */
static void begin(void)
{
	uint64_t n = control ? atomic_load_explicit(&control->n, memory_order_acquire) : 0;

	if (n)
		atomic_store(&commanded,
			     atomic_load(&control->commands[(n - 1) % CONTROL_COMMANDS]) & 1);
	atomic_store(&commands_seen, n);
	atomic_store(&between_posts, !*start_post);
	atomic_store(&steps, 0);
	atomic_store(&steps_recorded, 0);
	atomic_store(&edges_n, 0);
	on_at_first = wanted();
}

void window_in_child(void)
{
	atomic_store(&busy, false);
	begin();
}

/* Before everybody who may record. */
__attribute__((constructor(101))) static void load(void)
{
	const char *path = settings_value("TTP_CONTROL"), *paused = settings_value("TTP_PAUSED");
	KEEP_ERRNO;

	warmup = number_of("TTP_WARMUP");
	record = number_of("TTP_RECORD");
	every = number_of("TTP_EVERY");
	if (every && !record)
		record = 1;
	counts_steps = warmup || record || every;
	window_reads_signposts = name_of("TTP_START_SIGNPOST", start_post);
	window_reads_signposts |= name_of("TTP_END_SIGNPOST", end_post);
	window_reads_signposts |= name_of("TTP_STEP_SIGNPOST", step_post);
	if (paused && strcmp(paused, "0") != 0)
		atomic_store(&commanded, false);
	if (path)
		map_control(path);
	begin();
	atomic_store(&window_in_use,
		     counts_steps || window_reads_signposts || control || !wanted());
}
