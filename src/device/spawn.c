// SPDX-License-Identifier: Apache-2.0
#include "device/spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/exhausted.h"
#include "base/paths.h"

extern char **environ;

enum { IN, OUT, ERR, PIPES, OUTPUT_MAX = 64 << 20 };

/* False: there is no memory for it.  The child is waited for before anybody hears of that. */
static bool keep(struct buf *to, const char *at, size_t n)
{
	struct exhausted_point point;

	if (exhausted_catch(&point))
		return false;
	buf_add(to, at, n);
	exhausted_end(&point);
	return true;
}

/* Feeds and drains until all ends are closed; what is past OUTPUT_MAX is dropped.  False: so was more. */
static bool pump(int fd[PIPES], struct str input, struct buf *out, struct buf *err)
{
	char chunk[4096];
	bool whole = true;

	while (fd[IN] >= 0 || fd[OUT] >= 0 || fd[ERR] >= 0) {
		struct pollfd p[PIPES] = { { fd[IN], POLLOUT, 0 },
					   { fd[OUT], POLLIN, 0 },
					   { fd[ERR], POLLIN, 0 } };

		if (fd[IN] >= 0 && !input.len)
			fd_release(&fd[IN]);
		if (poll(p, PIPES, -1) < 0 && errno != EINTR)
			break;
		if (fd[IN] >= 0 && p[IN].revents) {
			/* No more than surely fits: a write that waits would not drain the others. */
			ssize_t n = write(fd[IN], input.at,
					  input.len < PIPE_BUF ? input.len : PIPE_BUF);

			if (n > 0)
				input = str_from(input, (size_t)n);
			else if (n < 0 && errno != EINTR && errno != EAGAIN)
				fd_release(&fd[IN]);
		}
		for (int i = OUT; i <= ERR; i++) {
			struct buf *to = i == OUT ? out : err;

			if (fd[i] < 0 || !p[i].revents)
				continue;
			ssize_t n = read(fd[i], chunk, sizeof(chunk));

			if (n > 0 && to && to->len < OUTPUT_MAX)
				whole &= keep(to, chunk, (size_t)n);
			else if (n == 0 || (n < 0 && errno != EINTR && errno != EAGAIN))
				fd_release(&fd[i]);
		}
	}
	return whole;
}

enum ttp_rc spawn_wait(const char *const *argv, struct str input, struct buf *out, struct buf *err,
		       int *status, struct ttp_err *e)
{
	int pipes[PIPES][2] = { { -1, -1 }, { -1, -1 }, { -1, -1 } }, ours[PIPES], failed;
	posix_spawn_file_actions_t actions;
	sigset_t pipe_only, before, pending;
	pid_t pid = 0;
	bool whole;

	for (int i = 0; i < PIPES; i++)
		if (pipe2(pipes[i], O_CLOEXEC)) {
			enum ttp_rc rc = ttp_fail_errno(e, "pipe");

			for (int k = 0; k < i; k++) {
				fd_release(&pipes[k][0]);
				fd_release(&pipes[k][1]);
			}
			return rc;
		}
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, pipes[IN][0], 0);
	posix_spawn_file_actions_adddup2(&actions, pipes[OUT][1], 1);
	posix_spawn_file_actions_adddup2(&actions, pipes[ERR][1], 2);
	/* posix_spawn takes char *const *, and changes nothing. */
	failed = posix_spawnp(&pid, argv[0], &actions, NULL, (char *const *)(uintptr_t)argv,
			      environ);
	posix_spawn_file_actions_destroy(&actions);
	fd_release(&pipes[IN][0]);
	fd_release(&pipes[OUT][1]);
	fd_release(&pipes[ERR][1]);
	ours[IN] = pipes[IN][1];
	ours[OUT] = pipes[OUT][0];
	ours[ERR] = pipes[ERR][0];
	if (failed) {
		for (int i = 0; i < PIPES; i++)
			fd_release(&ours[i]);
		errno = failed;
		return ttp_fail_errno(e, "%s", argv[0]);
	}
	/* A child that does not read its input must not end us; other threads are left as they are. */
	sigemptyset(&pipe_only);
	sigaddset(&pipe_only, SIGPIPE);
	sigpending(&pending);
	pthread_sigmask(SIG_BLOCK, &pipe_only, &before);
	whole = pump(ours, input, out, err);
	if (!sigismember(&pending, SIGPIPE))
		while (sigtimedwait(&pipe_only, NULL, &(struct timespec){ 0 }) < 0 &&
		       errno == EINTR)
			;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	for (int i = 0; i < PIPES; i++)
		fd_release(&ours[i]);
	while (waitpid(pid, status, 0) < 0)
		if (errno != EINTR)
			return ttp_fail_errno(e, "waiting for %s", argv[0]);
	if (!whole)
		exhausted(0);
	return TTP_OK;
}
