// SPDX-License-Identifier: Apache-2.0
#include "cmd/history_add.h"

#include <stdlib.h>
#include <sys/stat.h>

#include "base/json.h"
#include "base/width.h"
#include "cmd/compare_inputs.h"
#include "history/history_out.h"
#include "history/run_origin.h"

/* Of a run without run.json, when its first file was written. */
static int64_t time_of_file(const struct run_parts *p)
{
	const struct buf *names[] = { &p->ops, &p->log, &p->trace };
	struct stat st;

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (names[i]->len && !stat(names[i]->at, &st))
			return st.st_mtime;
	return 0;
}

static void read_run_json(const struct run_parts *p, struct run_origin *o)
{
	struct ttp_err unused;
	struct input in;

	if (!p->run_json.len || input_open_file(&in, p->run_json.at, &unused))
		return;
	run_origin_read(o, in.data);
	input_close(&in);
}

static void put_versions(struct buf *b, const struct history_add_options *u,
			 const struct run_origin *o)
{
	struct json_writer w = { .to = b };

	json_open_object(&w);
	json_put_text(&w, "ttprof", str_of(cmd_version_text()));
	if (o->recorder.len)
		json_put_text(&w, "recorded by", buf_view(&o->recorder));
	for (size_t i = 0; i < u->versions.len; i++) {
		struct str word = str_of(u->versions.at[i]);
		size_t is = str_find_char(word, '=');

		json_write_key(&w, str_head(word, is));
		json_write_str(&w, str_from(word, is + 1));
	}
	json_close_object(&w);
}

static enum ttp_rc ask_git(const char *prog, const struct history_add_options *u,
			   struct run_origin *o, struct ttp_err *e)
{
	enum ttp_rc rc;

	if (u->no_git || (u->commit && u->commit_time))
		return TTP_OK;
	rc = run_origin_ask_git(o, u->commit, e);
	if (!rc || u->commit)
		return rc;
	cmd_warn(prog, "%s", e->msg);
	return TTP_OK;
}

/* What runs are, as far as it is not given: of run.json, and of git. */
static struct history_facts facts_of(const struct history_add_options *u,
				     const struct run_origin *o, const struct compare_input *in)
{
	struct history_facts f = { .name = u->name ? str_of(u->name) : buf_view(&o->name),
				   .machine =
					   u->machine ? str_of(u->machine) : buf_view(&o->machine),
				   .branch = u->branch ? str_of(u->branch) : buf_view(&o->branch),
				   .commit_id = o->commit.len ? buf_view(&o->commit)
							      : str_of(u->commit ? u->commit : ""),
				   .command = buf_view(&o->command),
				   .source = buf_view(&in->name),
				   .commit_s = u->commit_time ? u->commit_time : o->commit_s,
				   .dirty = o->dirty,
				   .commit_given = u->commit || u->commit_time };

	f.time_s = u->time ? u->time : o->time_s ? o->time_s : time_of_file(&in->run.parts);
	return f;
}

/* Of which commit it is there; what is checked out may be another one. */
static void say_where(struct buf *b, const struct history_run *there, const struct history_run *run)
{
	SCOPED(buf) struct buf commit = { 0 };

	history_commit(&commit, there);
	buf_printf(b, " (%s", there->commit_id.len ? "commit " : "");
	width_clean(b, buf_view(&commit));
	if (there->time_s > 0) {
		buf_text(b, ", recorded ");
		history_date(b, there->time_s);
	}
	if (!str_eq(there->commit_id, run->commit_id))
		buf_text(b, "; --commit adds it to another one");
	buf_char(b, ')');
}

static enum ttp_rc add_one(const char *prog, const struct history_add_options *u, struct history *h,
			   const struct run_origin *git, const struct compare_input *in,
			   struct ttp_err *e)
{
	SCOPED(run_origin) struct run_origin o = { 0 };
	SCOPED(buf) struct buf versions = { 0 }, line = { 0 };
	struct history_facts f;
	struct history_run there;

	read_run_json(&in->run.parts, &o);
	buf_str(&o.commit, buf_view(&git->commit));
	buf_str(&o.branch, buf_view(&git->branch));
	o.commit_s = git->commit_s;
	o.dirty = git->dirty;
	put_versions(&versions, u, &o);
	f = facts_of(u, &o, in);
	f.versions = buf_view(&versions);
	if (f.commit_s > f.time_s && f.time_s)
		cmd_warn(
			prog,
			"%s: it was recorded before its commit was made: is it of another one (--commit)?",
			in->name.at);
	history_run_make(h, &in->calls, &f);
	TTP_TRY(history_add(h, &h->runs.at[h->runs.len - 1], &there, e));
	buf_text(&line, there.id ? "already there: " : "added ");
	width_clean(&line, buf_view(&in->name));
	if (there.id)
		say_where(&line, &there, &h->runs.at[h->runs.len - 1]);
	buf_char(&line, '\n');
	out_buf(cmd_stdout(), &line);
	return TTP_OK;
}

int history_add_runs(const char *prog, const struct history_add_options *u,
		     const struct store_ask *ask, const char *const *runs, size_t n)
{
	const struct call_options o = { .start_signpost = u->start,
					.end_signpost = u->end,
					.whole_file = u->whole_file };
	struct compare_inputs in = { 0 };
	struct run_origin git = { 0 };
	struct history h = { 0 };
	struct ttp_err e;
	enum ttp_rc rc = ask_git(prog, u, &git, &e);
	int status = 0;

	if (!rc)
		rc = compare_inputs_open(&in, runs, n, &o, &e);
	if (!rc)
		rc = history_open(&h, ask, &e);
	for (size_t i = 0; i < in.all.len && !rc; i++)
		rc = add_one(prog, u, &h, &git, in.all.at[i], &e);
	history_release(&h);
	run_origin_release(&git);
	if (compare_inputs_close(&in, cmd_console(prog), u->strict))
		status = 1;
	return rc == TTP_USAGE ? cmd_misused(prog, &e) : rc ? cmd_fail(prog, &e) : status;
}
