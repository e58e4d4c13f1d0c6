// SPDX-License-Identifier: Apache-2.0
#include "client/life/client_settings.h"

#include <arpa/inet.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "wire/tracy.h"

enum { BUFFER_LEAST = 256 * 1024 }; /* four chunks: pool.h */

struct settings settings;

const char *settings_value(const char *name)
{
	/* Read once, when nobody can have changed it but the program itself.  A program that has more rights than its
	 * caller is not directed by it what to write, or where to listen. */
	const char *v = secure_getenv(name); // NOLINT(concurrency-mt-unsafe)

	return v && *v ? v : NULL;
}

static bool flag_of(const char *name)
{
	const char *v = settings_value(name);

	return v && strcmp(v, "0") != 0;
}

/* "256M": a number with K, M or G behind it; false if it is none, or more than there can be. */
static bool parse_size(const char *text, uint64_t *n)
{
	static const char units[] = "kKmMgG";
	const char *unit;
	char *end;

	if (*text < '0' || *text > '9')
		return false;
	errno = 0;
	*n = strtoull(text, &end, 10);
	unit = *end ? strchr(units, *end) : NULL;
	if (errno || *n > UINT64_C(1) << 47 || (*end && (!unit || end[1])))
		return false;
	if (unit)
		*n <<= 10 * ((unit - units) / 2 + 1);
	return *n <= UINT64_C(1) << 47;
}

/* A whole number from `least` up to `most` and nothing else; `fallback` if it is none. */
static long whole_of(const char *name, long least, long most, long fallback, const char *fault,
		     const char *instead)
{
	const char *v = settings_value(name);
	char *end = NULL;
	long n = 0;

	if (!v)
		return fallback;
	errno = 0;
	if (*v >= '0' && *v <= '9')
		n = strtol(v, &end, 10);
	if (!end || *end || errno || n < least || n > most) {
		complain(name, v, fault, instead);
		return fallback;
	}
	return n;
}

/* False, and nothing, if there is more of it than room. */
static bool text_of(const char *name, char *out, size_t room)
{
	const char *v = settings_value(name);

	*out = 0;
	if (v && strlen(v) < room)
		memcpy(out, v, strlen(v) + 1);
	return !v || *out;
}

static bool is_one_of(const char *name, const char *first, const char *second, const char *fault,
		      const char *instead)
{
	const char *v = settings_value(name);

	if (!v || !strcmp(v, second))
		return false;
	if (!strcmp(v, first))
		return true;
	complain(name, v, fault, instead);
	return false;
}

static void load_listen(struct settings *s)
{
	unsigned char address[16];
	bool fits = text_of("TTP_LISTEN", s->listen, sizeof(s->listen));

	if (fits && *s->listen && inet_pton(AF_INET, s->listen, address) != 1 &&
	    inet_pton(AF_INET6, s->listen, address) != 1)
		fits = false;
	if (!fits)
		complain("TTP_LISTEN", settings_value("TTP_LISTEN"),
			 "no address such as 0.0.0.0 or ::1", "127.0.0.1 is used");
	if (!fits || !*s->listen || flag_of("TRACY_ONLY_LOCALHOST"))
		memcpy(s->listen, "127.0.0.1", 10);
	s->listen_fd =
		(int)whole_of("TTP_LISTEN_FD", 0, INT_MAX, -1, "no number of a file", "not used");
	/* It is ours alone: in a program that we execute this number is something else. */
	if (settings_value("TTP_LISTEN_FD"))
		unsetenv("TTP_LISTEN_FD"); // NOLINT(concurrency-mt-unsafe)
}

static void load_protocol(struct settings *s)
{
	bool fits = text_of("TTP_PROTOCOL", s->protocol, sizeof(s->protocol));
	enum wire_key key;

	if (!strcmp(s->protocol, "66"))
		memcpy(s->protocol, "TT66", 5);
	if (fits &&
	    (!*s->protocol || !strcmp(s->protocol, "tt") || !strcmp(s->protocol, "upstream")))
		return;
	if (fits && wire_key_parse(s->protocol, strlen(s->protocol), &key))
		return;
	complain("TTP_PROTOCOL", settings_value("TTP_PROTOCOL"),
		 "no protocol such as 66, TT66 or 82, nor tt or upstream",
		 "the server chooses, and files have TT66");
	*s->protocol = 0;
}

static void load_storage(struct settings *s)
{
	const char *v = settings_value("TTP_BUFFER");
	uint64_t n = UINT64_C(256) << 20;

	if (v && !parse_size(v, &n)) {
		complain("TTP_BUFFER", v, "no size such as 64M", "256M are used");
		n = UINT64_C(256) << 20;
	} else if (v && n < BUFFER_LEAST) {
		complain("TTP_BUFFER", v, "less than the least, 256K", "these are used");
	}
	s->pool_bytes = (size_t)n;
	s->block = is_one_of("TTP_FULL", "block", "drop", "not drop or block", "drop is used");
}

static void load_exit(struct settings *s)
{
	const char *v = settings_value("TTP_EXIT_WAIT");
	char *end = NULL;
	double wait = v ? strtod(v, &end) : 5.0;

	if (v && (end == v || *end || !(wait >= 0 && wait < 1e6))) {
		complain("TTP_EXIT_WAIT", v, "no number of seconds", "5 are used");
		wait = 5.0;
	}
	s->exit_wait_ms = (int)(wait * 1000);
	s->no_exit = flag_of("TRACY_NO_EXIT");
}

void settings_load(void)
{
	struct settings *s = &settings;

	memset(s, 0, sizeof(*s));
	s->listen_fd = -1;
	s->off = flag_of("TTP_OFF");
	if (s->off)
		return;
	s->port = (uint16_t)whole_of("TRACY_PORT", 1, UINT16_MAX, 0, "no port, 1 to 65535",
				     "the first free one of 8086 to 8105 is used");
	load_listen(s);
	if (!text_of("TTP_SESSION", s->session, sizeof(s->session)))
		complain("TTP_SESSION", settings_value("TTP_SESSION"),
			 "longer than a socket's path can be", "nobody is told of this process");
	if (!text_of("TTP_FILE", s->file, sizeof(s->file))) {
		complain("TTP_FILE", settings_value("TTP_FILE"), "longer than a path can be",
			 "events are kept for a server");
		memcpy(s->file, SETTINGS_NO_FILE, sizeof(SETTINGS_NO_FILE));
	}
	load_protocol(s);
	load_storage(s);
	s->on_demand = flag_of("TTP_ON_DEMAND");
	s->scripted = is_one_of("TTP_CLOCK", "scripted", "real", "not real or scripted",
				"the real one is used");
	s->broadcast = !flag_of("TRACY_NO_BROADCAST");
	s->listen_anyone = flag_of("TTP_LISTEN_ANYONE");
	load_exit(s);
}

bool settings_ask_for_start(void)
{
	return settings_value("TRACY_PORT") || settings_value("TTP_FILE") ||
	       settings_value("TTP_SESSION") || settings_value("TTP_LISTEN_FD") ||
	       settings_value("TTP_LISTEN");
}
