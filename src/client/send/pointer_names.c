// SPDX-License-Identifier: Apache-2.0
#include "client/send/pointer_names.h"

#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "client/life/lifecycle.h"
#include "client/life/system_memory.h"
#include "client/record/intern.h"
#include "client/record/ticks.h"
#include "ttp/client.h"

enum { LOADER_WAIT_NS = 200000000 };

static OWN_LIST(struct names_string) strings;
static OWN_LIST(struct names_location) locations;
static struct names_map by_text, by_location;    /* hash → first number; `next` on a clash */
static struct names_map literal_at, location_at; /* address → number */
static int probe[2] = { -1, -1 };
static dev_t probe_device;
static ino_t probe_inode;
static unsigned long long unloads;

static uint32_t home(const struct names_map *m, uint64_t key, uint32_t beside)
{
	key = (key ^ (uint64_t)beside << 48) * UINT64_C(0x9E3779B97F4A7C15);
	return (uint32_t)(key >> 32) & (m->cap - 1);
}

/* In a map that has room. */
static struct names_pair *find(const struct names_map *m, uint64_t key, uint32_t beside)
{
	uint32_t i = home(m, key, beside);

	while (m->at[i].value && (m->at[i].key != key || m->at[i].beside != beside))
		i = (i + 1) & (m->cap - 1);
	return &m->at[i];
}

uint32_t names_map_get(const struct names_map *m, uint64_t key)
{
	return m->cap ? find(m, key, 0)->value : 0;
}

static bool grow(struct names_map *m)
{
	struct names_map larger = { .cap = m->cap ? m->cap * 2 : 256, .len = m->len };

	larger.at = own_grow(NULL, 0, larger.cap * sizeof(*larger.at));
	if (!larger.at)
		return false;
	for (uint32_t i = 0; i < m->cap; i++)
		if (m->at[i].value)
			*find(&larger, m->at[i].key, m->at[i].beside) = m->at[i];
	own_free(m->at, m->cap * sizeof(*m->at));
	*m = larger;
	return true;
}

struct names_pair *names_map_at(struct names_map *m, uint64_t key, uint32_t beside)
{
	struct names_pair *p;

	if (m->len * 2 >= m->cap && !grow(m))
		return NULL;
	p = find(m, key, beside);
	p->key = key;
	p->beside = beside;
	return p;
}

bool names_map_put(struct names_map *m, uint64_t key, uint32_t value)
{
	struct names_pair *p = names_map_at(m, key, 0);

	if (!p)
		return false;
	m->len += !p->value;
	p->value = value;
	return true;
}

/* Open addressing: those behind it move forward, as a hole would end the search for them. */
void names_map_remove(struct names_map *m, struct names_pair *p)
{
	uint32_t hole = (uint32_t)(p - m->at), last = m->cap - 1;

	for (uint32_t i = (hole + 1) & last; m->at[i].value; i = (i + 1) & last) {
		/* May it move to the hole?  Not if its home lies behind the hole. */
		if (((i - home(m, m->at[i].key, m->at[i].beside)) & last) < ((i - hole) & last))
			continue;
		m->at[hole] = m->at[i];
		hole = i;
	}
	m->at[hole].value = 0;
	m->len--;
}

void names_map_clear(struct names_map *m)
{
	if (m->at)
		memset(m->at, 0, m->cap * sizeof(*m->at));
	m->len = 0;
}

/* Daemons and workers close whatever descriptors they find, and what they open next has these numbers. */
static bool probe_is_ours(void)
{
	struct stat st;

	for (int i = 0; i < 2; i++)
		if (probe[i] < 0 || fstat(probe[i], &st) || st.st_ino != probe_inode ||
		    st.st_dev != probe_device)
			return false;
	return true;
}

static bool probe_open(void)
{
	struct stat st;

	if (pipe2(probe, O_CLOEXEC | O_NONBLOCK) < 0) {
		probe[0] = probe[1] = -1;
		return false;
	}
	for (int i = 0; i < 2; i++)
		probe[i] = fd_apart(probe[i], S_IFIFO);
	if (probe[0] < 0 || fstat(probe[0], &st))
		return false;
	probe_device = st.st_dev;
	probe_inode = st.st_ino;
	return probe_is_ours();
}

bool names_init(void)
{
	/* After fork: the parent's tables may be half changed, and are left to it. */
	memset(&strings, 0, sizeof(strings));
	memset(&locations, 0, sizeof(locations));
	by_text = by_location = literal_at = location_at = (struct names_map){ 0 };
	if (probe_is_ours()) {
		close(probe[0]);
		close(probe[1]);
	}
	return probe_open();
}

/* Copies n ≤ 4096 bytes, none of them across a page's end if `n` was chosen so; false if they can't be read. */
static bool peek(uint64_t address, void *out, size_t n)
{
	ssize_t got;

	if (!probe_is_ours() && !probe_open())
		return false;
	/* Not write(): a sanitizer of the program would look at what we read past a text's end. */
	if (syscall(SYS_write, probe[1], (const void *)(uintptr_t)address, n) != (long)n) {
		/* A part may have gone in. */
		while (read(probe[0], out, n) > 0)
			;
		return false;
	}
	got = read(probe[0], out, n);
	return got == (ssize_t)n;
}

/* Copies a text that ends with NUL; what can't be read is skipped.  Returns its length. */
static size_t peek_text(uint64_t address, char *out, size_t room)
{
	size_t len = 0;

	while (len < room) {
		uint64_t at = address + len;
		size_t n = 4096 - (at & 4095);
		char *nul;

		if (n > 256)
			n = 256 - (at & 255); /* texts are short; stay in aligned steps */
		if (n > room - len)
			n = room - len;
		if (!peek(at, out + len, n))
			break;
		nul = memchr(out + len, 0, n);
		if (nul)
			return (size_t)(nul - out);
		len += n;
	}
	return len;
}

static uint64_t hash_bytes(const void *bytes, size_t len)
{
	const uint8_t *p = bytes;
	uint64_t h = UINT64_C(0xCBF29CE484222325);

	for (size_t i = 0; i < len; i++)
		// NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult): the kernel wrote it
		h = (h ^ p[i]) * UINT64_C(0x100000001B3);
	return h;
}

uint32_t names_string(const char *text, size_t len)
{
	uint64_t hash = hash_bytes(text, len);
	uint32_t number;
	const char *copy;

	/* Two texts with one hash: try the next hash. */
	for (;; hash++) {
		number = names_map_get(&by_text, hash);
		if (!number)
			break;
		if (strings.at[number - 1].len == len &&
		    !memcmp(strings.at[number - 1].text, text, len))
			return number;
	}
	if (!own_has_room(&strings))
		return 0;
	copy = intern_copy(text, len);
	if (!copy)
		return 0;
	strings.at[strings.len] = (struct names_string){ .text = copy, .len = (uint32_t)len };
	if (!names_map_put(&by_text, hash, strings.len + 1))
		return 0;
	return ++strings.len;
}

struct names_string *names_string_at(uint64_t number)
{
	return number && number <= strings.len ? &strings.at[number - 1] : NULL;
}

struct names_location *names_location_at(uint64_t number)
{
	return number && number <= locations.len ? &locations.at[number - 1] : NULL;
}

static uint32_t string_from(uint64_t address)
{
	static char text[8192];
	size_t len;

	if (!address)
		return 0;
	len = peek_text(address, text, sizeof(text));
	return names_string(text, len);
}

uint32_t names_literal(uint64_t address)
{
	uint32_t number = names_map_get(&literal_at, address);

	if (number)
		return number;
	number = string_from(address);
	if (number)
		names_map_put(&literal_at, address, number);
	return number;
}

uint32_t names_location(uint64_t address)
{
	uint32_t number = names_map_get(&location_at, address);
	struct ttp_location raw = { 0 };
	struct names_location l = { 0 };
	uint64_t hash;

	if (number)
		return number;
	if (peek(address, &raw, sizeof(raw))) {
		l.name = string_from((uint64_t)(uintptr_t)raw.name);
		l.function = string_from((uint64_t)(uintptr_t)raw.function);
		l.file = string_from((uint64_t)(uintptr_t)raw.file);
		if (l.name && !strings.at[l.name - 1].len)
			l.name = 0; /* as no name: the function's is shown */
	}
	if (!l.name && !l.function) {
		static const char gone[] = "(unloaded)";

		raw = (struct ttp_location){ 0 };
		l.name = l.function = l.file = names_string(gone, sizeof(gone) - 1);
	}
	l.line = raw.line;
	l.color = raw.color;
	for (hash = hash_bytes(&l, 20);; hash++) {
		number = names_map_get(&by_location, hash);
		if (!number || !memcmp(&locations.at[number - 1], &l, 20))
			break;
	}
	if (!number) {
		if (!own_has_room(&locations) ||
		    !names_map_put(&by_location, hash, locations.len + 1))
			return 0;
		locations.at[locations.len] = l;
		number = ++locations.len;
	}
	names_map_put(&location_at, address, number);
	return number;
}

static void forget_in(struct names_map *m, uint64_t from, uint64_t to)
{
	struct names_map kept = { 0 };

	/* What stays is put anew. */
	for (uint32_t i = 0; i < m->cap; i++)
		if (m->at[i].value && (m->at[i].key < from || m->at[i].key >= to) &&
		    !names_map_put(&kept, m->at[i].key, m->at[i].value))
			break; /* without memory all are forgotten, and read again */
	own_free(m->at, m->cap * sizeof(*m->at));
	*m = kept;
}

void names_forget(uint64_t from, uint64_t to)
{
	forget_in(&literal_at, from, to);
	forget_in(&location_at, from, to);
}

static int see_library(struct dl_phdr_info *info, size_t size, void *subs)
{
	(void)size;
	*(unsigned long long *)subs = info->dlpi_subs;
	return 1;
}

/*
 * Held while the loader's own lock is: a child of fork would find that one locked for ever.  But whoever forks may
 * hold the loader's, from a callback of dl_iterate_phdr: then the sender waits for it with ours, and after a while
 * fork goes on without.
 */
static pthread_mutex_t looking = PTHREAD_MUTEX_INITIALIZER;
static bool fork_has_it;

void names_lock(void)
{
	struct timespec until = realtime_in(LOADER_WAIT_NS);

	fork_has_it = pthread_mutex_timedlock(&looking, &until) == 0;
}

void names_unlock(void)
{
	if (fork_has_it)
		pthread_mutex_unlock(&looking);
}

void names_unlock_in_child(void)
{
	pthread_mutex_init(&looking, NULL); /* whoever held it is not here */
}

void names_check_libraries(void)
{
	unsigned long long now = unloads;

	pthread_mutex_lock(&looking);
	dl_iterate_phdr(see_library, &now);
	pthread_mutex_unlock(&looking);
	if (now == unloads)
		return;
	unloads = now;
	names_map_clear(&literal_at);
	names_map_clear(&location_at);
}
