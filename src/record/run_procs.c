// SPDX-License-Identifier: Apache-2.0
/* What /proc says of processes: who belongs to whom, who has a client, who listens where. */
#include <arpa/inet.h>
#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/paths.h"
#include "record/run_guard.h"

/* The beginning of a small file; false if it can't be read. */
static bool read_small(const char *path, char *text, size_t room)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n;

	if (fd < 0)
		return false;
	n = read(fd, text, room - 1);
	close(fd);
	text[n > 0 ? n : 0] = '\0';
	return n > 0;
}

/* "7 (a name) S 6 ...": the name may hold anything. */
static bool read_process(const char *pid, struct process *p)
{
	char path[64], text[512];
	const char *open, *close;
	size_t n;

	(void)snprintf(path, sizeof(path), "/proc/%.20s/stat", pid);
	if (!read_small(path, text, sizeof(text)))
		return false;
	open = strchr(text, '(');
	close = strrchr(text, ')');
	if (!open || !close || close[1] != ' ' || close[2] == 'Z' || close[2] == 'X')
		return false;
	p->pid = (pid_t)strtol(pid, NULL, 10);
	p->parent = (pid_t)strtol(close + 3, NULL, 10);
	n = (size_t)(close - open - 1);
	n = n < sizeof(p->name) - 1 ? n : sizeof(p->name) - 1;
	memcpy(p->name, open + 1, n);
	p->name[n] = '\0';
	return true;
}

bool process_is_below(pid_t pid, pid_t top)
{
	enum { DEPTH_MAX = 10000 };

	for (int i = 0; i < DEPTH_MAX && pid > 1; i++) {
		struct process p;
		char text[16];

		if (pid == top)
			return true;
		(void)snprintf(text, sizeof(text), "%d", (int)pid);
		if (!read_process(text, &p))
			return false;
		pid = p.parent;
	}
	return false;
}

void processes_below(process_vec *p, pid_t top)
{
	SCOPED(vec) process_vec all = { 0 };
	SCOPED(dir) DIR *proc = opendir("/proc");
	const struct dirent *d;

	while (proc && (d = readdir(proc))) { // NOLINT(concurrency-mt-unsafe)
		struct process one;

		if (isdigit((unsigned char)d->d_name[0]) && read_process(d->d_name, &one))
			*vec_push(&all) = one;
	}
	vec_clear(p);
	for (size_t i = 0; i <= p->len; i++) {
		pid_t parent = i ? p->at[i - 1].pid : top;

		vec_each (a, &all)
			if (a->parent == parent)
				*vec_push(p) = *a;
	}
}

enum process_client process_client(pid_t pid)
{
	enum process_client found = CLIENT_NONE;
	char path[300], name[64];
	const struct dirent *d;
	SCOPED(dir) DIR *tasks = NULL;

	(void)snprintf(path, sizeof(path), "/proc/%d/task", (int)pid);
	tasks = opendir(path);
	while (tasks && !found && (d = readdir(tasks))) { // NOLINT(concurrency-mt-unsafe)
		(void)snprintf(path, sizeof(path), "/proc/%d/task/%.200s/comm", (int)pid,
			       d->d_name);
		if (d->d_name[0] == '.' || !read_small(path, name, sizeof(name)))
			continue;
		if (!strncmp(name, "Tracy ", 6))
			found = CLIENT_TRACY;
		else if (!strncmp(name, "ttp sender", 10))
			found = CLIENT_OURS;
	}
	return found;
}

bool process_has_library(pid_t pid)
{
	char path[64], line[512];
	bool found = false;
	FILE *maps;

	(void)snprintf(path, sizeof(path), "/proc/%d/maps", (int)pid);
	maps = fopen(path, "re");
	while (maps && !found && fgets(line, sizeof(line), maps)) {
		const char *file = strrchr(line, '/');

		found = file && (strstr(file, "libttp") || strstr(file, "racy"));
	}
	if (maps)
		(void)fclose(maps);
	return found;
}

/* Sockets that listen at ports of a range, in one of the kernel's tables. */
static void listening(const char *table, int first, int last,
		      void (*each)(void *ctx, int port, unsigned long socket), void *ctx)
{
	FILE *f = fopen(table, "re");
	char line[512];

	while (f && fgets(line, sizeof(line), f)) {
		unsigned at, state;
		unsigned long inode;

		/* sl local rem st queues tr:when retrnsmt uid timeout inode */
		/* NOLINTNEXTLINE(cert-err34-c): the kernel's own numbers */
		if (sscanf(line,
			   " %*d: %*[0-9A-Fa-f]:%x %*[0-9A-Fa-f]:%*x %x %*s %*s %*s %*d %*d %lu",
			   &at, &state, &inode) == 3 &&
		    state == 0x0A && (int)at >= first && (int)at <= last)
			each(ctx, (int)at, inode);
	}
	if (f)
		(void)fclose(f);
}

static bool has_socket(const char *pid, unsigned long inode)
{
	char path[300], want[64], is[64];
	const struct dirent *d;
	bool found = false;
	SCOPED(dir) DIR *fds = NULL;

	(void)snprintf(path, sizeof(path), "/proc/%.20s/fd", pid);
	(void)snprintf(want, sizeof(want), "socket:[%lu]", inode);
	fds = opendir(path);
	while (fds && !found && (d = readdir(fds))) { // NOLINT(concurrency-mt-unsafe)
		ssize_t n = readlinkat(dirfd(fds), d->d_name, is, sizeof(is) - 1);

		is[n > 0 ? n : 0] = '\0';
		found = !strcmp(is, want);
	}
	return found;
}

struct filter {
	char pid[16];
	void (*each)(void *ctx, int port, unsigned long socket);
	void *ctx;
};

static void if_its(void *ctx, int port, unsigned long socket)
{
	const struct filter *f = ctx;

	if (has_socket(f->pid, socket))
		f->each(f->ctx, port, socket);
}

void process_listens(pid_t pid, int first, int last,
		     void (*each)(void *ctx, int port, unsigned long socket), void *ctx)
{
	struct filter f = { .each = each, .ctx = ctx };
	char path[64];

	/* Its own tables: it may be in a network of its own, where we can't reach it, or in ours. */
	(void)snprintf(f.pid, sizeof(f.pid), "%d", (int)pid);
	for (int i = 0; i < 2; i++) {
		(void)snprintf(path, sizeof(path), "/proc/%d/net/tcp%s", (int)pid, i ? "6" : "");
		listening(path, first, last, if_its, &f);
	}
}

static void take_socket(void *ctx, int port, unsigned long socket)
{
	(void)port;
	*(unsigned long *)ctx = socket;
}

bool ports_in_use(int first, int last)
{
	unsigned long any = 0;

	listening("/proc/net/tcp", first, last, take_socket, &any);
	if (!any)
		listening("/proc/net/tcp6", first, last, take_socket, &any);
	return any;
}

void port_holder(int port, struct buf *who)
{
	unsigned long inode = 0;
	const struct dirent *d;
	SCOPED(dir) DIR *all = NULL;

	buf_clear(who);
	buf_text(who, "");
	listening("/proc/net/tcp", port, port, take_socket, &inode);
	if (!inode)
		listening("/proc/net/tcp6", port, port, take_socket, &inode);
	if (!inode)
		return;
	all = opendir("/proc");
	while (all && !who->len && (d = readdir(all))) { // NOLINT(concurrency-mt-unsafe)
		struct process p;

		if (isdigit((unsigned char)d->d_name[0]) && has_socket(d->d_name, inode) &&
		    read_process(d->d_name, &p))
			buf_printf(who, "pid %d, %s", (int)p.pid, p.name);
	}
	if (!who->len)
		buf_text(who, "a process of somebody else");
}
