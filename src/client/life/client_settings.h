// SPDX-License-Identifier: Apache-2.0
/* The environment, read once; docs/guide/client.md explains each variable. */
#ifndef TTP_CLIENT_LIFE_CLIENT_SETTINGS_H
#define TTP_CLIENT_LIFE_CLIENT_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* For one that is too long, which was reported: it can't be written. */
#define SETTINGS_NO_FILE "/dev/null/"

struct settings {
	uint16_t port;     /* TRACY_PORT; 0: search */
	char listen[48];   /* TTP_LISTEN, an address; loopback otherwise */
	int listen_fd;     /* TTP_LISTEN_FD, or -1 */
	char session[108]; /* TTP_SESSION: a datagram socket to announce ourselves at */
	char file[1024];   /* TTP_FILE */
	char protocol
		[12]; /* TTP_PROTOCOL: the key of the only one to speak, or whose: tt, upstream */
	size_t pool_bytes; /* TTP_BUFFER */
	bool block;        /* TTP_FULL=block: wait when storage is full and somebody reads */
	bool on_demand;    /* TTP_ON_DEMAND: record only while a server is there */
	bool scripted;     /* TTP_CLOCK=scripted */
	bool broadcast;    /* not TRACY_NO_BROADCAST */
	bool listen_anyone; /* TTP_LISTEN_ANYONE: users of this machine other than ours may connect */
	int exit_wait_ms;   /* TTP_EXIT_WAIT */
	bool no_exit;       /* TRACY_NO_EXIT: exit waits for a server, within the same time */
	bool off;           /* TTP_OFF: as if not there */
};

extern struct settings settings;

/* The text of a variable that is set and not empty, else NULL. */
const char *settings_value(const char *name);
void settings_load(void);
/* Does the environment want us from the start, and not only from the first event? */
bool settings_ask_for_start(void);

/*
 * The only lines that libttp prints: what the environment asks for and cannot be had, once, on stderr, with what is done
 * instead.  A stderr that is gone, or that nobody empties, is left alone: no signal, no wait.
 */
/* ttp: NAME="value": `fault`; `instead` */
void complain(const char *name, const char *value, const char *fault, const char *instead);
/* TTP_FILE could not be made, by this error; a server may come to `port`, unless that is 0. */
void complain_of_file(const char *path, int error, unsigned port);

#endif /* TTP_CLIENT_LIFE_CLIENT_SETTINGS_H */
