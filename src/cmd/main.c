// SPDX-License-Identifier: Apache-2.0
/*
 * The process around the commands: descriptors that can be trusted, and an exit status that is true
 * only if the output was really written.
 *
 * SIGPIPE gets a handler that does nothing, rather than being ignored: writes then fail with EPIPE, so
 * that commands can tidy up, while programs that we start get the default back at exec.  In the end
 * the signal is raised for real, so that `ttprof ... | head` dies as quietly as any other tool.
 * SIGXFSZ gets the same handler: a file that may not grow (ulimit -f) is an error like a full disk.
 */
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <signal.h>
#include <unistd.h>

#include "base/exhausted.h"
#include "cmd/cmd.h"

static void nothing(int sig)
{
	(void)sig;
}

/* A descriptor that was closed when we started would be given to the next file we open, and results
 * would end up in it.  It is filled so that using it fails, as it should. */
static void fill_standard_fds(void)
{
	for (int fd = 0; fd <= 2; fd++)
		if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", fd ? O_RDONLY : O_WRONLY) != fd)
			_exit(1);
}

static void die_of_sigpipe(void)
{
	sigset_t set;

	signal(SIGPIPE, SIG_DFL);
	sigemptyset(&set);
	sigaddset(&set, SIGPIPE);
	pthread_sigmask(SIG_UNBLOCK, &set, NULL);
	raise(SIGPIPE);
	_exit(128 + SIGPIPE);
}

int main(int argc, char **argv)
{
	struct sigaction quiet = { .sa_handler = nothing, .sa_flags = SA_RESTART };
	const char *prog = cmd_prog(argc, argv);
	struct out *out = cmd_stdout();
	struct ttp_err e;
	enum ttp_rc rc;
	int status;

#ifdef M_MMAP_THRESHOLD
	/* Large arrays grow by remapping, always: left to itself malloc moves the border up, and they leave holes. */
	(void)mallopt(M_MMAP_THRESHOLD, 128 << 10);
#endif
	exhausted_exits(prog);
	fill_standard_fds();
	sigaction(SIGPIPE, &quiet, NULL);
	sigaction(SIGXFSZ, &quiet, NULL);
	status = cmd_dispatch(argc, argv);

	rc = out_finish(out, &e);
	/* Some file systems tell of a full disk only when the file is closed. */
	if (!rc && out->total_bytes && close(STDOUT_FILENO) != 0)
		rc = ttp_fail_errno(&e, "stdout");
	if (!rc)
		return status;
	if (e.sys_errno == EPIPE)
		die_of_sigpipe();
	cmd_fail(prog, &e);
	return status ? status : cmd_status_of_lost_output;
}
