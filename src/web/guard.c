// SPDX-License-Identifier: Apache-2.0
#include "web/guard.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <sys/random.h>

#include "base/number.h"

bool guard_make_token(struct guard *g)
{
	unsigned char bytes[TOKEN_DIGITS / 2];

	if (getrandom(bytes, sizeof(bytes), 0) != (ssize_t)sizeof(bytes))
		return false;
	for (size_t i = 0; i < sizeof(bytes); i++)
		(void)snprintf(g->token + 2 * i, 3, "%02x", bytes[i]);
	return true;
}

bool guard_token_ok(const struct guard *g, struct str token)
{
	unsigned differs = token.len != TOKEN_DIGITS;

	for (size_t i = 0; i < TOKEN_DIGITS; i++)
		differs |= (unsigned char)g->token[i] ^
			   (unsigned char)(i < token.len ? token.at[i] : 0);
	return !differs;
}

/* "127.0.0.1:8050", "[::1]:8050", "localhost:8050" → the part before the port, without brackets. */
static bool split_port(struct str host, struct str *name, int64_t *port)
{
	size_t colon;

	*port = 80;
	if (str_starts(host, STR("["))) {
		size_t end = str_find_char(host, ']');

		if (end == STR_NONE)
			return false;
		*name = str_n(host.at + 1, end - 1);
		host = str_from(host, end + 1);
		if (!host.len)
			return true;
		if (host.at[0] != ':')
			return false;
		colon = 0;
	} else {
		colon = str_find_char(host, ':');
		*name = str_head(host, colon == STR_NONE ? host.len : colon);
		if (colon == STR_NONE)
			return true;
	}
	return number_digits(str_from(host, colon + 1), 5, port);
}

bool guard_host_ok(const struct guard *g, struct str host)
{
	struct in6_addr six;
	struct in_addr four;
	struct str name = { 0 };
	char text[64];
	int64_t port;

	if (!split_port(host, &name, &port) || port != g->port || !name.len)
		return false;
	if (str_eq_nocase(name, STR("localhost")))
		return true;
	if (!g->loopback && g->hostname[0] && str_eq_nocase(name, str_of(g->hostname)))
		return true;
	if (name.len >= sizeof(text) || memchr(name.at, 0, name.len))
		return false;
	memcpy(text, name.at, name.len);
	text[name.len] = 0;
	if (inet_pton(AF_INET, text, &four) == 1)
		return !g->loopback || (ntohl(four.s_addr) >> 24) == 127;
	if (inet_pton(AF_INET6, text, &six) == 1)
		return !g->loopback || IN6_IS_ADDR_LOOPBACK(&six);
	return false;
}

bool guard_origin_ok(struct str origin, struct str host)
{
	return str_starts(origin, STR("http://")) && str_eq_nocase(str_from(origin, 7), host);
}

static int hex_digit(char c)
{
	return c >= '0' && c <= '9'                 ? c - '0'
	       : (c | 32) >= 'a' && (c | 32) <= 'f' ? (c | 32) - 'a' + 10
						    : -1;
}

size_t guard_unescape(char *s)
{
	size_t n = 0;

	for (const char *from = s; *from;) {
		int high = from[0] == '%' ? hex_digit(from[1]) : -1;
		int low = high >= 0 ? hex_digit(from[2]) : -1;

		if (low >= 0 && (high || low)) {
			s[n++] = (char)(high << 4 | low);
			from += 3;
		} else {
			s[n++] = *from++;
		}
	}
	s[n] = 0;
	return n;
}
