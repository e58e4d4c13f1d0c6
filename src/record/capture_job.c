// SPDX-License-Identifier: Apache-2.0
#include "record/capture_job.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/out.h"
#include "trace/trace_warnings.h"
#include "trace/tracy/tracy_write.h"

enum ttp_rc capture_save(const struct console *console, const char *spool, const char *shown,
			 const char *output, uint32_t version, struct capture_outcome *out,
			 struct ttp_err *e)
{
	struct tracy_written written;
	struct out_file file;
	struct trace t;
	enum ttp_rc rc;

	TTP_TRY(trace_open(&t, spool, e));
	t.in.name = shown;
	if (!t.processes.len) {
		trace_close(&t);
		return ttp_fail(e, TTP_FORMAT, "%s: no client's session is in it", shown);
	}
	rc = out_file_open(&file, output, e);
	if (!rc) {
		file.durable = true; /* the spool will be removed */
		uint32_t v = version ? version : tracy_write_version(&t);

		rc = tracy_write(&t, v, tracy_write_container(v), &file.out, &written, e);
		if (rc)
			out_file_abandon(&file);
		else {
			out->file_bytes = file.out.total_bytes;
			out->raw_bytes = written.raw_bytes;
			rc = out_file_commit(&file, e);
		}
	}
	if (!rc) {
		out->saved = true;
		out->zones = t.zones;
		trace_warn(console, &t);
		trace_warn_written(console, &t, &written);
	}
	trace_close(&t);
	return rc;
}

/* A spool that is there may be all that a killed capture left: ours gets a number behind its name. */
static enum ttp_rc make_spool(const struct capture_job *job, struct capture_outcome *out, int *fd,
			      struct ttp_err *e)
{
	enum { SPOOLS_MAX = 1000 };
	char first[sizeof(out->spool) - 8];

	if ((size_t)snprintf(first, sizeof(first), "%s.ttpr", job->output) >= sizeof(first))
		return ttp_fail(e, TTP_USAGE, "the name of the output is too long");
	(void)snprintf(out->spool, sizeof(out->spool), "%s", first);
	*fd = out_open(out->spool, O_RDWR | O_CREAT | O_EXCL, 0600);
	for (int n = 1; *fd < 0 && errno == EEXIST && n < SPOOLS_MAX; n++) {
		if ((size_t)snprintf(out->spool, sizeof(out->spool), "%s.%d", first, n) >=
		    sizeof(out->spool))
			break; /* can't be: there is room for the number */
		*fd = out_open(out->spool, O_RDWR | O_CREAT | O_EXCL, 0600);
	}
	if (*fd < 0)
		return ttp_fail_errno(e, "%s", out->spool);
	out_sync_name(out->spool);
	if (strcmp(first, out->spool) != 0)
		console_warn(
			job->console,
			"%s is from an earlier capture, or of one that runs: it is kept (`ttprof capture -o FILE "
			"--recover %s`), and this one goes to %s",
			first, first, out->spool);
	return TTP_OK;
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

/* The folder of the output is gone: the file goes to another one, under a name that is not taken. */
static bool save_elsewhere(const struct capture_job *job, const char *spool,
			   struct capture_outcome *out)
{
	const char *folder;
	struct ttp_err e;

	if (rescue_has_folder(job->output))
		return false;
	for (size_t n = 0; (folder = rescue_folder(n)); n++) {
		for (int k = 0; k < 100; k++) {
			int len = k ? snprintf(out->file, sizeof(out->file), "%s/%d-%s", folder, k,
					       base_name(job->output))
				    : snprintf(out->file, sizeof(out->file), "%s/%s", folder,
					       base_name(job->output));

			if (len < 0 || (size_t)len >= sizeof(out->file))
				break;
			if (access(out->file, F_OK))
				break;
		}
		if (!access(out->file, F_OK) ||
		    capture_save(job->console, spool, out->spool, out->file, job->version, out, &e))
			continue;
		console_warn(job->console, "the folder of %s is gone: the trace is %s", job->output,
			     out->file);
		return true;
	}
	return false;
}

/* The spool has lost its name, which can't be given back. */
static void rescue(const struct capture_job *job, int fd, struct capture_outcome *out)
{
	SCOPED(buf) struct buf saved = { 0 };

	out->spool_kept = spool_rescue(fd, out->spool, &saved) && saved.len < sizeof(out->spool);
	if (out->spool_kept) {
		console_warn(job->console, "%s was removed: its copy is %s", out->spool, saved.at);
		memcpy(out->spool, saved.at, saved.len + 1);
	} else {
		console_warn(job->console,
			     "%s was removed, and there is no room for a copy: it is lost",
			     out->spool);
	}
}

enum ttp_rc capture_record(const struct capture_job *job, struct capture_outcome *out,
			   void (*saving)(void *ctx, const struct capture_outcome *out), void *ctx,
			   struct ttp_err *e)
{
	struct capture_request request = job->request;
	bool recorded = false;
	char mine[64];
	sigset_t stops, before;
	enum ttp_rc rc;
	int fd = -1;

	memset(out, 0, sizeof(*out));
	sigemptyset(&stops);
	sigaddset(&stops, SIGINT);
	sigaddset(&stops, SIGTERM);
	sigaddset(&stops, SIGHUP);
	(void)sigprocmask(SIG_BLOCK, &stops, &before);
	rc = make_spool(job, out, &fd, e);
	if (rc) {
		(void)sigprocmask(SIG_SETMASK, &before, NULL);
		return rc;
	}
	request.stop_fd = signalfd(-1, &stops, SFD_CLOEXEC | SFD_NONBLOCK);
	rc = capture_run(&request, fd, &out->result, e);
	if (rc) {
		unlink(out->spool);
		goto out;
	}
	vec_each (c, &out->result.clients)
		recorded |= c->recorded;
	if (!recorded) {
		unlink(out->spool);
		goto out;
	}
	if (job->spool_only) {
		out->spool_kept = true;
		goto out;
	}
	if (saving)
		saving(ctx, out);
	stop_signals_allow(
		"%s: stopped: %s has all that was recorded: `ttprof capture -o FILE --recover %s` makes "
		"a trace of it",
		job->console->prog, out->spool, out->spool);
	/* By descriptor: somebody may have removed the name meanwhile. */
	(void)snprintf(mine, sizeof(mine), "/proc/self/fd/%d", fd);
	(void)snprintf(out->file, sizeof(out->file), "%s", job->output);
	if (capture_save(job->console, mine, out->spool, job->output, job->version, out,
			 &out->save_error) &&
	    !save_elsewhere(job, mine, out)) {
		/* the disk was full before anybody's session was on it: nothing can be made of that */
		out->spool_kept = !out->result.disk_failed || out->save_error.rc != TTP_FORMAT;
	} else {
		out->spool_kept = job->keep_spool || out->result.disk_failed;
	}
	if (!out->spool_kept)
		unlink(out->spool);
	stop_signals_done();
out:
	if (out->spool_kept)
		(void)fdatasync(fd); /* what the disk refuses is what it has refused before */
	if (out->spool_kept && !spool_has_name(fd))
		rescue(job, fd, out);
	if (request.stop_fd >= 0) {
		struct signalfd_siginfo gone;

		/* What stopped us is done with. */
		while (read(request.stop_fd, &gone, sizeof(gone)) > 0)
			;
		close(request.stop_fd);
	}
	(void)sigprocmask(SIG_SETMASK, &before, NULL);
	close(fd);
	return rc;
}

void capture_outcome_release(struct capture_outcome *out)
{
	capture_result_release(&out->result);
}

void capture_client_json(struct json_writer *w, const struct capture_client *c, const char *end)
{
	json_open_object(w);
	json_put_text(w, "program", str_of(c->program));
	json_put_count(w, "pid", c->pid);
	json_put_text(w, "protocol", str_of(c->key));
	if (end)
		json_put_text(w, "end", str_of(end));
	JSON_MEMBERS(w, c, zones, device_zones, messages);
	json_close_object(w);
}
