// SPDX-License-Identifier: Apache-2.0
#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cmd/run.h"

/* In the child; does not come back. */
_Noreturn static void become(char **argv, int told)
{
	sigset_t none;
	int why;

	sigemptyset(&none);
	(void)sigprocmask(SIG_SETMASK, &none, NULL);
	/* Nobody is left behind when we are killed. */
	(void)prctl(PR_SET_PDEATHSIG, SIGTERM);
	execvp(argv[0], argv);
	why = errno;
	(void)!write(told, &why, sizeof(why));
	_exit(127);
}

enum ttp_rc child_start(struct run_child *c, char **argv, struct ttp_err *e)
{
	int told[2], why = 0;
	ssize_t n;

	*c = (struct run_child){ .pid_fd = -1 };
	if (pipe2(told, O_CLOEXEC))
		return ttp_fail_errno(e, "a pipe");
	c->pid = fork();
	if (c->pid < 0) {
		close(told[0]);
		close(told[1]);
		return ttp_fail_errno(e, "a process for %s", argv[0]);
	}
	if (!c->pid)
		become(argv, told[1]);
	close(told[1]);
	do
		n = read(told[0], &why, sizeof(why));
	while (n < 0 && errno == EINTR);
	close(told[0]);
	if (n == (ssize_t)sizeof(why)) {
		(void)waitpid(c->pid, NULL, 0);
		errno = why;
		return ttp_fail_errno(e, "%s can't be run", argv[0]);
	}
	c->pid_fd = (int)syscall(SYS_pidfd_open, c->pid, 0);
	return TTP_OK;
}

bool child_look(struct run_child *c)
{
	if (!c->ended && waitpid(c->pid, &c->status, WNOHANG) == c->pid) {
		c->ended = true;
		if (c->pid_fd >= 0)
			close(c->pid_fd);
		c->pid_fd = -1;
	}
	return c->ended;
}

int child_status(const struct run_child *c)
{
	return WIFSIGNALED(c->status) ? 128 + WTERMSIG(c->status) : WEXITSTATUS(c->status);
}

/* The socket that listens at a port, by its inode; 0: none. */
static unsigned long inode_at(const char *table, int port)
{
	FILE *f = fopen(table, "re");
	unsigned long found = 0;
	char line[512];

	while (f && !found && fgets(line, sizeof(line), f)) {
		unsigned at, state;
		unsigned long inode;

		/* sl local rem st queues tr:when retrnsmt uid timeout inode */
		if (sscanf(line,
			   " %*d: %*[0-9A-Fa-f]:%x %*[0-9A-Fa-f]:%*x %x %*s %*s %*s %*d %*d %lu",
			   &at, &state, &inode) == 3 &&
		    state == 0x0A && (int)at == port)
			found = inode;
	}
	if (f)
		(void)fclose(f);
	return found;
}

static bool has_socket(const char *pid, unsigned long inode)
{
	char path[300], want[64], is[64];
	struct dirent *d;
	bool found = false;
	DIR *fds;

	(void)snprintf(path, sizeof(path), "/proc/%s/fd", pid);
	(void)snprintf(want, sizeof(want), "socket:[%lu]", inode);
	fds = opendir(path);
	while (fds && !found && (d = readdir(fds))) { // NOLINT(concurrency-mt-unsafe)
		ssize_t n = readlinkat(dirfd(fds), d->d_name, is, sizeof(is) - 1);

		is[n > 0 ? n : 0] = '\0';
		found = !strcmp(is, want);
	}
	if (fds)
		closedir(fds);
	return found;
}

void port_holder(int port, struct buf *who)
{
	unsigned long inode = inode_at("/proc/net/tcp", port);
	struct dirent *d;
	DIR *all;

	buf_clear(who);
	buf_text(who, "");
	if (!inode)
		inode = inode_at("/proc/net/tcp6", port);
	if (!inode)
		return;
	all = opendir("/proc");
	while (all && !who->len && (d = readdir(all))) { // NOLINT(concurrency-mt-unsafe)
		char path[300], name[64] = "";
		FILE *f;

		if (d->d_name[0] < '0' || d->d_name[0] > '9' || !has_socket(d->d_name, inode))
			continue;
		(void)snprintf(path, sizeof(path), "/proc/%s/comm", d->d_name);
		f = fopen(path, "re");
		if (f && fgets(name, sizeof(name), f))
			name[strcspn(name, "\n")] = '\0';
		if (f)
			(void)fclose(f);
		buf_printf(who, "pid %s, %s", d->d_name, name);
	}
	if (all)
		closedir(all);
	if (!who->len)
		buf_text(who, "a process of somebody else");
}

int port_free(void)
{
	struct sockaddr_in a = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t len = sizeof(a);
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), port = 0;

	if (fd >= 0 && !bind(fd, (struct sockaddr *)&a, sizeof(a)) &&
	    !getsockname(fd, (struct sockaddr *)&a, &len))
		port = ntohs(a.sin_port);
	if (fd >= 0)
		close(fd);
	return port;
}
