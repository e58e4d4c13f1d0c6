// SPDX-License-Identifier: Apache-2.0
/*
 * A run from beginning to end: the recorder on a thread of its own, the child, then the trace, the CSVs and the report.
 *
 * Every process that the child starts finds the recorder by TTP_SESSION; a client that does not know it (Tracy's own, in
 * tt-metal) listens at TRACY_PORT, where we look as well.  Whatever ends the child or us, what was recorded is in the spool.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/json.h"
#include "cmd/capture_run.h"
#include "cmd/cmd.h"
#include "cmd/ops_files.h"
#include "cmd/ops_run.h"
#include "cmd/run.h"
#include "export/csv_export.h"
#include "ops/ops_logs.h"

static const char prog[] = "ttprof run";

enum {
	SILENT_NS = 5,    /* seconds without a client before we say why */
	TERM_WAIT_NS = 4, /* seconds that a child has to end after SIGTERM */
	LAST_WAIT_NS = 5, /* seconds for clients that outlive the child */
};
#define SECONDS INT64_C(1000000000)

struct job {
	const struct run_request *q;
	struct buf folder, logs, spool, trace, socket_dir, socket;
	char address[32];
	int port;
	const char *addresses[1];
	int spool_fd, stop_fd, last_fd, lock_fd;
	struct capture_request request;
	struct capture_result result;
	struct ttp_err error; /* of the recorder */
	enum ttp_rc rc;
	pthread_t thread;
	_Atomic int recorded, over;
	struct run_child child;
	int64_t began_ns;
};

static void progress(void *ctx, const struct capture_client *c, size_t n, bool welcomed)
{
	struct job *j = ctx;

	(void)c;
	(void)n;
	if (welcomed)
		j->recorded++;
}

static void *record(void *ctx)
{
	struct job *j = ctx;

	j->rc = capture_run(&j->request, j->spool_fd, &j->result, &j->error);
	j->over = 1;
	return NULL;
}

/* Logs of an earlier run would be taken for this one's.  Its report has copies. */
static void remove_old_logs(const char *logs)
{
	static const char *const names[] = {
		"profile_log_device.csv",       "profile_log_device.csv.state",
		"cpp_device_perf_report.csv",   "sync_device_info.csv",
		"tracy_profile_log_host.tracy", "tracy_profile_log_host.tracy.ttpr",
		"tracy_ops_times.csv",          "tracy_ops_data.csv",
		"zone_src_locations.log",       "new_zone_src_locations.log",
		"profiler_overhead.json"
	};
	struct buf path = { 0 };

	DIR *dir = opendir(logs);
	const struct dirent *d;

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		buf_clear(&path);
		buf_printf(&path, "%s/%s", logs, names[i]);
		(void)unlink(path.at);
	}
	while (dir && (d = readdir(dir))) { // NOLINT(concurrency-mt-unsafe)
		if (!str_starts(str_of(d->d_name), STR("noc_trace_")) ||
		    !str_ends(str_of(d->d_name), STR(".json")))
			continue;
		buf_clear(&path);
		buf_printf(&path, "%s/%s", logs, d->d_name);
		(void)unlink(path.at);
	}
	if (dir)
		closedir(dir);
	buf_release(&path);
}

static enum ttp_rc make_places(struct job *j, struct ttp_err *e)
{
	const char *tmp = getenv("TMPDIR"); // NOLINT(concurrency-mt-unsafe)
	enum ttp_rc rc;

	buf_printf(&j->logs, "%s/.logs", j->folder.at);
	rc = folder_make(j->logs.at, e);
	if (rc)
		return rc;
	/* Two runs at a time would remove each other's logs. */
	j->lock_fd = open(j->logs.at, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (j->lock_fd >= 0 && flock(j->lock_fd, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK)
		return ttp_fail(e, TTP_USAGE,
				"%s: another `ttprof run` writes there; -o names another folder",
				j->logs.at);
	remove_old_logs(j->logs.at);
	buf_printf(&j->trace, "%s/%s", j->logs.at, OPS_LOGS_TRACY);
	buf_printf(&j->spool, "%s.ttpr", j->trace.at);
	/* The path of a socket is short; a folder of ours keeps others out. */
	buf_printf(&j->socket_dir, "%s/ttprof-XXXXXX", tmp && strlen(tmp) < 60 ? tmp : "/tmp");
	if (!mkdtemp(j->socket_dir.at))
		return ttp_fail_errno(e, "%s", j->socket_dir.at);
	buf_printf(&j->socket, "%s/session", j->socket_dir.at);
	j->spool_fd = open(j->spool.at, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	if (j->spool_fd < 0)
		return ttp_fail_errno(e, "%s", j->spool.at);
	j->stop_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	j->last_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (j->stop_fd < 0 || j->last_fd < 0)
		return ttp_fail_errno(e, "an event");
	return TTP_OK;
}

static enum ttp_rc choose_port(struct job *j, struct ttp_err *e)
{
	struct buf who = { 0 };
	char text[16];

	j->port = j->q->port ? (int)j->q->port : port_free();
	port_holder(j->port, &who);
	if (who.len) {
		enum ttp_rc rc =
			ttp_fail(e, TTP_GONE, "port %d is taken (%s): choose another by -t",
				 j->port, who.at);

		buf_release(&who);
		return rc;
	}
	buf_release(&who);
	(void)snprintf(text, sizeof(text), "%d", j->port);
	setenv("TRACY_PORT", text, 1);          // NOLINT(concurrency-mt-unsafe)
	setenv("TTP_SESSION", j->socket.at, 1); // NOLINT(concurrency-mt-unsafe)
	unsetenv("TTP_FILE");                   // NOLINT(concurrency-mt-unsafe)
	/* Or a `capture --all` of somebody else on this machine would take the program's only session. */
	setenv("TRACY_NO_BROADCAST", "1", 1); // NOLINT(concurrency-mt-unsafe)
	/* A short program waits at its end until it was heard, for a few seconds at most. */
	setenv("TRACY_NO_EXIT", "1", 0); // NOLINT(concurrency-mt-unsafe)
	(void)snprintf(j->address, sizeof(j->address), "127.0.0.1:%d", j->port);
	j->addresses[0] = j->address;
	j->request = (struct capture_request){ .addresses = j->addresses,
					       .n_addresses = 1,
					       .session = j->socket.at,
					       .again = true,
					       .stop_fd = j->stop_fd,
					       .last_fd = j->last_fd,
					       .progress = progress,
					       .ctx = j };
	return TTP_OK;
}

static void poke(int fd)
{
	const uint64_t one = 1;

	(void)!write(fd, &one, sizeof(one));
}

/* A signal for us is one for the child.  One from the terminal it has got already. */
static void pass_on(struct job *j, int signals, int64_t *kill_ns)
{
	struct signalfd_siginfo s;

	while (read(signals, &s, sizeof(s)) == (ssize_t)sizeof(s)) {
		if (s.ssi_signo == SIGCHLD || j->child.ended)
			continue;
		if (*kill_ns && s.ssi_signo != SIGQUIT) {
			(void)kill(j->child.pid, SIGKILL); /* asked twice */
			continue;
		}
		if (s.ssi_code != SI_KERNEL)
			(void)kill(j->child.pid, (int)s.ssi_signo);
		if (s.ssi_signo == SIGINT)
			*kill_ns = INT64_MAX; /* may take as long as its clean-up does */
		else if (s.ssi_signo == SIGTERM || s.ssi_signo == SIGHUP)
			*kill_ns = clock_mono_ns() + TERM_WAIT_NS * SECONDS;
	}
}

/* After some seconds without a client: the likely reason. */
static void say_why_silent(struct job *j)
{
	struct buf path = { 0 }, who = { 0 };
	FILE *maps;
	char line[512];
	bool client = false;

	buf_printf(&path, "/proc/%d/maps", (int)j->child.pid);
	maps = fopen(path.at, "re");
	while (maps && !client && fgets(line, sizeof(line), maps))
		client = strstr(line, "libttp") || strstr(line, "racy");
	if (maps)
		(void)fclose(maps);
	port_holder(j->port, &who);
	if (who.len)
		cmd_warn(prog, "%s listens at port %d, and does not answer as a Tracy client does",
			 who.at, j->port);
	else if (client)
		cmd_warn(prog,
			 "nothing was recorded for %d s: the program has a client that has not "
			 "started yet (it starts with the first event)",
			 SILENT_NS);
	else
		cmd_warn(
			prog,
			"nothing was recorded for %d s: no libttp or Tracy client is in the program "
			"(link with -lttp, or start Python through ttprof run)",
			SILENT_NS);
	buf_release(&path);
	buf_release(&who);
}

/* Until the child has ended, and what it started is quiet. */
static void wait_for_end(struct job *j, int signals)
{
	int64_t kill_ns = 0, last_ns = 0;
	bool silent_told = j->q->quiet;

	for (;;) {
		struct pollfd fds[2] = { { .fd = signals, .events = POLLIN },
					 { .fd = j->child.ended ? -1 : j->child.pid_fd,
					   .events = POLLIN } };
		int64_t now;

		(void)poll(fds, 2, j->child.ended ? 10 : 100);
		pass_on(j, signals, &kill_ns);
		now = clock_mono_ns();
		if (kill_ns && now >= kill_ns && !j->child.ended)
			(void)kill(j->child.pid, SIGKILL);
		if (!silent_told && !j->child.ended && now - j->began_ns > SILENT_NS * SECONDS) {
			silent_told = true;
			if (!j->recorded)
				say_why_silent(j);
		}
		if (!child_look(&j->child))
			continue;
		if (!last_ns) {
			last_ns = now;
			poke(j->last_fd);
		}
		if (j->over)
			return;
		if (now - last_ns > LAST_WAIT_NS * SECONDS) {
			cmd_warn(prog,
				 "a process that was started still runs; recording ends here");
			poke(j->stop_fd);
			return;
		}
	}
}

static enum ttp_rc export_to(const char *trace, const char *path, const struct export_request *q,
			     struct ttp_err *e)
{
	struct out_file file;
	struct trace t;
	enum ttp_rc rc = trace_open(&t, trace, e);

	if (rc)
		return rc;
	rc = out_file_open(&file, path, e);
	if (!rc) {
		rc = export_csv(&t, q, &file.out, e);
		if (rc)
			out_file_abandon(&file);
		else
			rc = out_file_commit(&file, e);
	}
	trace_close(&t);
	return rc;
}

/* The two CSVs that tt-metal's scripts read. */
static enum ttp_rc write_csvs(const struct job *j, struct ttp_err *e)
{
	struct buf path = { 0 }, children = { 0 };
	struct export_request q = {
		.style = EXPORT_TT_0_10, .what = EXPORT_ZONES, .separator = ",", .parent = "TT_"
	};
	enum ttp_rc rc;

	buf_printf(&children, "CompileProgram,HWCommandQueue_write_buffer%s%s",
		   j->q->children ? "," : "", j->q->children ? j->q->children : "");
	q.specials = children.at;
	buf_printf(&path, "%s/%s", j->logs.at, OPS_LOGS_ZONES);
	rc = export_to(j->spool.at, path.at, &q, e);
	buf_clear(&path);
	buf_printf(&path, "%s/%s", j->logs.at, OPS_LOGS_MESSAGES);
	q = (struct export_request){ .style = EXPORT_TT_0_10,
				     .what = EXPORT_MESSAGES,
				     .separator = ";" };
	if (!rc)
		rc = export_to(j->spool.at, path.at, &q, e);
	buf_release(&path);
	buf_release(&children);
	return rc;
}

static void write_run_json(const struct job *j, const char *dir, const char *report)
{
	struct json_writer w = { .pretty = true };
	struct buf text = { 0 }, path = { 0 };
	struct out_file file;
	struct ttp_err e;

	w.to = &text;
	json_open_object(&w);
	json_write_key(&w, STR("ttprof"));
	json_write_str(&w, str_of(cmd_version_text()));
	json_write_key(&w, STR("command"));
	json_open_array(&w);
	for (int i = 0; i < j->q->n_words; i++)
		json_write_str(&w, str_of(j->q->words[i]));
	json_close_array(&w);
	json_write_key(&w, STR("exit_status"));
	json_write_u64(&w, (uint64_t)child_status(&j->child));
	json_write_key(&w, STR("report"));
	json_write_str(&w, str_of(report));
	json_write_key(&w, STR("trace"));
	json_write_str(&w, str_of(j->trace.at));
	json_write_key(&w, STR("programs"));
	json_open_array(&w);
	vec_each (c, &j->result.clients)
		if (c->recorded)
			tell_client(&w, c, NULL);
	json_close_array(&w);
	json_close_object(&w);
	buf_char(&text, '\n');
	buf_printf(&path, "%s/run.json", dir);
	if (!out_file_open(&file, path.at, &e)) {
		out_buf(&file.out, &text);
		(void)!out_file_commit(&file, &e);
	}
	buf_release(&text);
	buf_release(&path);
}

/* Beside the report, where users look: what the ops command does not copy. */
static void copy_csvs(const char *logs, const char *dir)
{
	static const char *const names[] = { OPS_LOGS_ZONES, OPS_LOGS_MESSAGES, OPS_LOGS_TRACY };
	struct buf from = { 0 }, to = { 0 };
	struct ttp_err e;

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		buf_clear(&from);
		buf_clear(&to);
		buf_printf(&from, "%s/%s", logs, names[i]);
		buf_printf(&to, "%s/%s", dir, names[i]);
		if (!access(from.at, R_OK) && access(to.at, F_OK) && file_copy(from.at, to.at, &e))
			(void)cmd_fail(prog, &e);
	}
	buf_release(&from);
	buf_release(&to);
}

/* The verdict, then where everything is. */
static void show(struct buf *report)
{
	static char name[] = "ttprof report", top[] = "--top", n[] = "5";
	char *argv[] = { name, report->at, top, n, NULL };

	(void)cmd_report(4, argv);
}

/* Is there anything that an ops report could be made of? */
static bool has_ops(const char *logs)
{
	static const char *const devices[] = { OPS_LOGS_DEVICE, OPS_LOGS_PERF_REPORT };
	struct buf path = { 0 };
	bool found = false;
	char *line = NULL;
	size_t cap = 0;
	FILE *f;

	for (size_t i = 0; i < 2 && !found; i++) {
		buf_clear(&path);
		buf_printf(&path, "%s/%s", logs, devices[i]);
		found = !access(path.at, F_OK);
	}
	buf_clear(&path);
	buf_printf(&path, "%s/%s", logs, OPS_LOGS_MESSAGES);
	f = found ? NULL : fopen(path.at, "re");
	while (f && !found && getline(&line, &cap, f) >= 0)
		found = strstr(line, "TT_DNN") || strstr(line, "TT_METAL");
	if (f)
		(void)fclose(f);
	free(line);
	buf_release(&path);
	return found;
}

/* A run without ops: who was recorded, and where it is, in a folder that the next run leaves alone. */
static void tell(const struct job *j)
{
	struct buf dir = { 0 };
	struct ttp_err e;
	char date[32];

	vec_each (c, &j->result.clients)
		if (c->recorded)
			out_printf(cmd_stdout(), "%s, pid %llu: %llu zones, %llu messages\n",
				   c->program, (unsigned long long)c->pid,
				   (unsigned long long)c->zones, (unsigned long long)c->messages);
	if (access(j->trace.at, F_OK))
		return;
	date_text(date);
	buf_printf(&dir, "%s/reports/%s%s%s", j->folder.at, j->q->name ? j->q->name : "",
		   j->q->name ? "/" : "", date);
	if (folder_make(dir.at, &e)) {
		(void)cmd_fail(prog, &e);
	} else {
		copy_csvs(j->logs.at, dir.at);
		write_run_json(j, dir.at, "");
		out_printf(
			cmd_stdout(),
			"no op was run, so there is no ops report; `ttprof info %s/%s` shows the trace\n",
			dir.at, OPS_LOGS_TRACY);
	}
	buf_release(&dir);
}

/* The runtime's own report has no times per core, so the log, where it is, is read. */
static bool has_device_log(const char *folder)
{
	struct buf path = { 0 };
	bool there;

	buf_printf(&path, "%s/.logs/%s", folder, OPS_LOGS_DEVICE);
	there = !access(path.at, R_OK);
	buf_release(&path);
	return there;
}

static int make_report(const struct run_request *q, const char *folder, const struct job *j,
		       struct buf *report)
{
	struct ops_request o = { .prog = prog,
				 .folder = folder,
				 .name = q->name,
				 .date = true,
				 .keep_logs = true,
				 .use_markers = has_device_log(folder),
				 .analyses = q->analyses,
				 .rules = &report_rules };
	struct ops_result r = { 0 };
	int status = ops_run(&o, &r);

	if (!status && r.path.len) {
		struct buf dir = { 0 }, logs = { 0 };
		const char *slash = strrchr(r.path.at, '/');

		buf_add(&dir, r.path.at, (size_t)(slash - r.path.at));
		buf_printf(&logs, "%s/.logs", folder);
		copy_csvs(logs.at, dir.at);
		if (j)
			write_run_json(j, dir.at, r.path.at);
		if (!q->quiet)
			show(&r.path);
		out_printf(cmd_stdout(), "OPs csv generated at: %s\n", r.path.at);
		if (report)
			buf_text(report, r.path.at);
		buf_release(&dir);
		buf_release(&logs);
	}
	ops_result_release(&r);
	return status;
}

int run_report(const struct run_request *q, const char *folder)
{
	return make_report(q, folder, NULL, NULL);
}

/* The trace and its tables; what fails is told, the rest is made all the same. */
static int save(struct job *j)
{
	struct capture_outcome out = { 0 };
	struct ttp_err e;
	int status = 0;
	bool any = false;

	vec_each (c, &j->result.clients)
		any |= c->recorded;
	if (!any) {
		cmd_warn(
			prog, "nothing of the host was recorded: %s",
			WIFSIGNALED(j->child.status)
				? "the program was killed before anything was sent, or has no libttp or Tracy client"
				: "no libttp or Tracy client ran in the program");
		(void)unlink(j->spool.at);
		return 0;
	}
	if (j->result.disk_failed)
		status = cmd_fail(prog, &j->result.error);
	if (capture_save(j->spool.at, j->spool.at, j->trace.at, 0, &out, &e) || write_csvs(j, &e)) {
		status = cmd_fail(prog, &e);
		cmd_warn(prog, "%s has all that was recorded", j->spool.at);
	} else if (!status) {
		(void)unlink(j->spool.at);
	}
	return status;
}

static void release(struct job *j)
{
	if (j->spool_fd >= 0)
		close(j->spool_fd);
	if (j->stop_fd >= 0)
		close(j->stop_fd);
	if (j->last_fd >= 0)
		close(j->last_fd);
	if (j->lock_fd >= 0)
		close(j->lock_fd);
	if (j->socket_dir.len)
		(void)rmdir(j->socket_dir.at);
	capture_result_release(&j->result);
	buf_release(&j->folder);
	buf_release(&j->logs);
	buf_release(&j->spool);
	buf_release(&j->trace);
	buf_release(&j->socket_dir);
	buf_release(&j->socket);
}

/* As execvp finds it. */
static bool program_is_there(const char *name, struct ttp_err *e)
{
	const char *path = getenv("PATH"); // NOLINT(concurrency-mt-unsafe)
	struct str rest = str_of(path ? path : "/bin:/usr/bin"), dir;
	struct buf file = { 0 };
	bool found = false;

	if (strchr(name, '/')) {
		found = !access(name, X_OK);
	} else {
		while (!found && str_split(&rest, ':', &dir)) {
			buf_clear(&file);
			buf_printf(&file, "%.*s/%s", dir.len ? (int)dir.len : 1,
				   dir.len ? dir.at : ".", name);
			found = !access(file.at, X_OK);
		}
		errno = ENOENT;
	}
	if (!found)
		(void)ttp_fail_errno(e, "%s can't be run", name);
	buf_release(&file);
	return found;
}

int run_job(const struct run_request *q, const char *folder, struct buf *report)
{
	struct job j = { .q = q, .spool_fd = -1, .stop_fd = -1, .last_fd = -1, .lock_fd = -1 };
	struct buf interpreter = { 0 };
	struct ttp_err e;
	sigset_t ours;
	char **argv;
	int signals, status = 0;

	buf_text(&j.folder, folder);
	/* Before anything of an earlier run is touched. */
	if (!run_command(q, &interpreter, &argv, &e)) {
		bool there = program_is_there(argv[0], &e);

		if (argv != q->words)
			free(argv);
		if (!there) {
			(void)cmd_fail(prog, &e);
			release(&j);
			buf_release(&interpreter);
			return 127;
		}
	}
	buf_clear(&interpreter);
	if (make_places(&j, &e) || choose_port(&j, &e) || run_environment(q, folder, &e) ||
	    run_command(q, &interpreter, &argv, &e)) {
		status = cmd_fail(prog, &e);
		release(&j);
		return status;
	}
	sigemptyset(&ours);
	sigaddset(&ours, SIGINT);
	sigaddset(&ours, SIGTERM);
	sigaddset(&ours, SIGHUP);
	sigaddset(&ours, SIGQUIT);
	sigaddset(&ours, SIGCHLD);
	(void)pthread_sigmask(SIG_BLOCK, &ours, NULL);
	signals = signalfd(-1, &ours, SFD_CLOEXEC | SFD_NONBLOCK);
	out_flush(cmd_stdout());
	j.began_ns = clock_mono_ns();
	if (pthread_create(&j.thread, NULL, record, &j)) {
		(void)ttp_fail(&e, TTP_SYS, "no thread for the recorder");
		status = cmd_fail(prog, &e);
		release(&j);
		return status;
	}
	if (child_start(&j.child, argv, &e)) {
		poke(j.stop_fd);
		(void)pthread_join(j.thread, NULL);
		(void)unlink(j.spool.at);
		(void)cmd_fail(prog, &e);
		release(&j);
		return 127;
	}
	wait_for_end(&j, signals);
	(void)pthread_join(j.thread, NULL);
	if (j.rc)
		status = cmd_fail(prog, &j.error);
	else
		status = save(&j);
	if (q->check_exit && child_status(&j.child))
		cmd_warn(prog, "no report, as --check-exit-code asks; the logs are in %s",
			 j.logs.at);
	else if (!has_ops(j.logs.at))
		tell(&j);
	else if (make_report(q, folder, &j, report))
		status = 1;
	if (signals >= 0)
		close(signals);
	if (child_status(&j.child)) {
		cmd_warn(prog, "%s ended with status %d", q->words[0], child_status(&j.child));
		status = child_status(&j.child);
	}
	release(&j);
	buf_release(&interpreter);
	if (argv != q->words)
		free(argv);
	return status;
}
