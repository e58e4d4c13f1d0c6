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
	enum ttp_rc rc = trace_open(&t, spool, e);

	if (rc)
		return rc;
	t.in.name = shown;
	if (!t.processes.len) {
		trace_close(&t);
		return ttp_fail(e, TTP_FORMAT, "%s: no client's session is in it", shown);
	}
	rc = out_file_open(&file, output, e);
	if (!rc) {
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
	*fd = open(out->spool, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
	for (int n = 1; *fd < 0 && errno == EEXIST && n < SPOOLS_MAX; n++) {
		if ((size_t)snprintf(out->spool, sizeof(out->spool), "%s.%d", first, n) >=
		    sizeof(out->spool))
			break; /* can't be: there is room for the number */
		*fd = open(out->spool, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
	}
	if (*fd < 0)
		return ttp_fail_errno(e, "%s", out->spool);
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

static bool folder_is_there(const char *path)
{
	const char *slash = strrchr(path, '/');
	char folder[4096];
	struct stat st;

	if (!slash)
		return !stat(".", &st) && st.st_nlink;
	(void)snprintf(folder, sizeof(folder), "%.*s", slash == path ? 1 : (int)(slash - path),
		       path);
	return !stat(folder, &st) && S_ISDIR(st.st_mode);
}

/* Where to put what has lost its folder: the first of these that takes it. */
static const char *shelter(size_t n)
{
	const char *dir = getenv("TMPDIR");

	switch (n) {
	case 0:
		return ".";
	case 1:
		return dir && *dir ? dir : "/tmp";
	case 2:
		return "/var/tmp";
	default:
		return NULL;
	}
}

/* The folder of the output is gone: the file goes to another one, under a name that is not taken. */
static bool save_elsewhere(const struct capture_job *job, const char *spool,
			   struct capture_outcome *out)
{
	const char *folder;
	struct ttp_err e;

	if (folder_is_there(job->output))
		return false;
	for (size_t n = 0; (folder = shelter(n)); n++) {
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

static bool copy_all(int from, int to)
{
	char *chunk = mem_alloc(1 << 20, 1);
	off_t at = 0;
	ssize_t n;

	while ((n = pread(from, chunk, 1 << 20, at)) > 0) {
		for (ssize_t done = 0; done < n;) {
			ssize_t k = write(to, chunk + done, (size_t)(n - done));

			if (k < 0 && errno == EINTR)
				continue;
			if (k <= 0) {
				free(chunk);
				return false;
			}
			done += k;
		}
		at += n;
	}
	free(chunk);
	return n == 0;
}

/* The spool has lost its name, which can't be given back: it is copied while we still hold it. */
static void rescue_spool(const struct capture_job *job, int fd, struct capture_outcome *out)
{
	char lost[sizeof(out->spool)];
	bool beside = folder_is_there(job->output);

	memcpy(lost, out->spool, sizeof(lost));
	for (size_t n = 0; beside || shelter(n); n++) {
		for (int k = 0; k < 100; k++) {
			int len = beside ? snprintf(out->spool, sizeof(out->spool),
						    "%.4000s.saved%d", lost, k)
					 : snprintf(out->spool, sizeof(out->spool), "%s/%s.saved%d",
						    shelter(n), base_name(lost), k);
			int to = len < 0 || (size_t)len >= sizeof(out->spool)
					 ? -1
					 : open(out->spool, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
						0644);
			bool good = to >= 0 && copy_all(fd, to);

			if (to < 0 && errno == EEXIST)
				continue;
			if (to >= 0 && close(to))
				good = false;
			if (good) {
				console_warn(job->console, "%s was removed: its copy is %s", lost,
					     out->spool);
				return;
			}
			if (to >= 0)
				unlink(out->spool);
			break;
		}
		if (beside) { /* no room there: elsewhere from the first on */
			beside = false;
			n = (size_t)-1;
		}
	}
	memcpy(out->spool, lost, sizeof(lost));
	out->spool_kept = false;
	console_warn(job->console, "%s was removed, and there is no room for a copy: it is lost",
		     lost);
}

enum ttp_rc capture_record(const struct capture_job *job, struct capture_outcome *out,
			   void (*saving)(void *ctx, const struct capture_outcome *out), void *ctx,
			   struct ttp_err *e)
{
	struct capture_request request = job->request;
	bool recorded = false;
	char mine[64];
	sigset_t stops, before;
	struct stat st;
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
	/* By descriptor: somebody may have removed the name meanwhile. */
	(void)snprintf(mine, sizeof(mine), "/proc/self/fd/%d", fd);
	(void)snprintf(out->file, sizeof(out->file), "%s", job->output);
	if (capture_save(job->console, mine, out->spool, job->output, job->version, out,
			 &out->save_error) &&
	    !save_elsewhere(job, mine, out)) {
		out->spool_kept = true;
	} else if (!job->keep_spool && !out->result.disk_failed) {
		unlink(out->spool);
	} else {
		out->spool_kept = true;
	}
out:
	if (out->spool_kept && !fstat(fd, &st) && !st.st_nlink)
		rescue_spool(job, fd, out);
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
	json_put_count(w, "zones", c->zones);
	json_put_count(w, "device_zones", c->device_zones);
	json_put_count(w, "messages", c->messages);
	json_close_object(w);
}
