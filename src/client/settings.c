// SPDX-License-Identifier: Apache-2.0
#include "client/settings.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

struct settings settings;

static const char *value_of(const char *name)
{
	/* Read once, when nobody can have changed it but the program itself.  A program that has more rights than its
	 * caller is not told by it what to write, or where to listen. */
	const char *v = secure_getenv(name); // NOLINT(concurrency-mt-unsafe)

	return v && *v ? v : NULL;
}

static bool flag_of(const char *name)
{
	const char *v = value_of(name);

	return v && strcmp(v, "0") != 0;
}

/* "256M": a number with K, M or G; `fallback` if it is none. */
static uint64_t size_of(const char *name, uint64_t fallback)
{
	const char *v = value_of(name);
	char *end;
	uint64_t n;

	if (!v || *v < '0' || *v > '9')
		return fallback;
	n = strtoull(v, &end, 10);
	if (*end == 'G' || *end == 'g')
		n <<= 30;
	else if (*end == 'M' || *end == 'm')
		n <<= 20;
	else if (*end == 'K' || *end == 'k')
		n <<= 10;
	return n;
}

/* A whole number up to `most` and nothing else; `fallback` if it is none. */
static long whole_of(const char *name, long most, long fallback)
{
	const char *v = value_of(name);
	char *end;
	long n;

	if (!v || *v < '0' || *v > '9')
		return fallback;
	errno = 0;
	n = strtol(v, &end, 10);
	return *end || errno || n > most ? fallback : n;
}

static void text_of(const char *name, char *out, size_t room)
{
	const char *v = value_of(name);

	if (v && strlen(v) < room)
		memcpy(out, v, strlen(v) + 1);
	else
		*out = 0;
}

void settings_load(void)
{
	struct settings *s = &settings;
	const char *v;
	char *end;
	double wait;

	memset(s, 0, sizeof(*s));
	s->port = (uint16_t)whole_of("TRACY_PORT", UINT16_MAX, 0);
	text_of("TTP_LISTEN", s->listen, sizeof(s->listen));
	if (!*s->listen || flag_of("TRACY_ONLY_LOCALHOST"))
		memcpy(s->listen, "127.0.0.1", 10);
	s->listen_fd = (int)whole_of("TTP_LISTEN_FD", INT_MAX, -1);
	/* It is ours alone: in a program that we execute this number is something else. */
	if (value_of("TTP_LISTEN_FD"))
		unsetenv("TTP_LISTEN_FD"); // NOLINT(concurrency-mt-unsafe)
	text_of("TTP_SESSION", s->session, sizeof(s->session));
	text_of("TTP_FILE", s->file, sizeof(s->file));
	/* One that is too long cannot be written, and that is said; it does not mean that none was asked for. */
	v = value_of("TTP_FILE");
	if (v && *v && !*s->file)
		memcpy(s->file, "/", 2);
	text_of("TTP_PROTOCOL", s->protocol, sizeof(s->protocol));
	if (!strcmp(s->protocol, "66"))
		memcpy(s->protocol, "TT66", 5);
	s->pool_bytes = (size_t)size_of("TTP_BUFFER", UINT64_C(256) << 20);
	v = value_of("TTP_FULL");
	s->block = v && !strcmp(v, "block");
	s->on_demand = flag_of("TTP_ON_DEMAND");
	v = value_of("TTP_CLOCK");
	s->scripted = v && !strcmp(v, "scripted");
	s->broadcast = !flag_of("TRACY_NO_BROADCAST");
	v = value_of("TTP_EXIT_WAIT");
	wait = v ? strtod(v, &end) : 5.0;
	s->exit_wait_ms = (!v || !*end) && wait >= 0 && wait < 1e6 ? (int)(wait * 1000) : 5000;
	s->no_exit = flag_of("TRACY_NO_EXIT");
	s->off = flag_of("TTP_OFF");
}

bool settings_ask_for_start(void)
{
	return value_of("TRACY_PORT") || value_of("TTP_FILE") || value_of("TTP_SESSION") ||
	       value_of("TTP_LISTEN_FD") || value_of("TTP_LISTEN");
}
