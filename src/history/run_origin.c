// SPDX-License-Identifier: Apache-2.0
#include "history/run_origin.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/wait.h>

#include "base/json.h"
#include "base/number.h"
#include "base/paths.h"
#include "device/spawn.h"

static void take_command(struct run_origin *o, struct json_reader *r)
{
	bool options = true, interpreter = false;
	enum json_event ev;

	while ((ev = json_next(r)) == JSON_STRING) {
		SCOPED(buf) struct buf word = { 0 };
		struct str name;

		json_unescape(r, &word);
		if (o->command.len)
			buf_char(&o->command, ' ');
		buf_str(&o->command, buf_view(&word));
		name = path_name(word.at ? word.at : "");
		/* what python runs is the program */
		if (!options || !word.len || word.at[0] == '-')
			continue;
		if (!interpreter && str_starts(name, STR("python"))) {
			interpreter = true;
			continue;
		}
		buf_set_str(&o->name, name);
		options = false;
	}
}

static void take_text(struct buf *to, const struct json_reader *r)
{
	buf_clear(to);
	json_unescape(r, to);
}

void run_origin_read(struct run_origin *o, struct str run_json)
{
	struct json_reader r = json_reader_of(run_json);
	bool good = json_next(&r) == JSON_OBJECT_BEGIN;

	while (good && json_next(&r) == JSON_KEY) {
		struct buf *text = json_text_is(&r, STR("host"))     ? &o->machine
				   : json_text_is(&r, STR("ttprof")) ? &o->recorder
								     : NULL;
		bool is_command = json_text_is(&r, STR("command"));
		bool is_time = json_text_is(&r, STR("began_s"));
		enum json_event ev = json_next(&r);

		if (text && ev == JSON_STRING)
			take_text(text, &r);
		else if (is_command && ev == JSON_ARRAY_BEGIN)
			take_command(o, &r);
		else if (is_time && ev == JSON_NUMBER)
			(void)!json_i64(&r, &o->time_s);
		else
			good = json_skip_value(&r);
	}
}

/* One call of git, which must run nothing that a repository's settings name. */
static enum ttp_rc git(const char *const *words, struct buf *out, int *status, struct ttp_err *e)
{
	const char *argv[16] = { "git",       "--no-optional-locks",
				 "-c",        "core.fsmonitor=false",
				 "-c",        "log.showSignature=false",
				 "--no-pager" };
	SCOPED(buf) struct buf err = { 0 };
	size_t n = 7;

	while (*words)
		argv[n++] = *words++;
	argv[n] = NULL;
	buf_clear(out);
	TTP_TRY(spawn_wait(argv, STR(""), out, &err, status, e));
	return TTP_OK;
}

/* "HASH SECONDS" */
static bool take_commit(struct run_origin *o, struct str line)
{
	size_t blank = str_find_char(str_trim(line), ' ');

	line = str_trim(line);
	if (blank == STR_NONE || !number_i64(str_from(line, blank + 1), &o->commit_s))
		return false;
	buf_set_str(&o->commit, str_head(line, blank));
	return true;
}

enum ttp_rc run_origin_ask_git(struct run_origin *o, const char *commit, struct ttp_err *e)
{
	SCOPED(buf) struct buf out = { 0 };
	const char *const show[] = {
		"log", "-1", "--format=%H %ct", "--end-of-options", commit ? commit : "HEAD",
		"--",  NULL
	};
	static const char *const branch[] = { "symbolic-ref", "--quiet", "--short", "HEAD", NULL };
	static const char *const changed[] = { "diff-index", "--quiet", "HEAD", "--", NULL };
	enum ttp_rc rc;
	int status;

	rc = git(show, &out, &status, e);
	if (rc)
		return e->sys_errno == ENOENT
			       ? ttp_fail(
					 e, TTP_USAGE,
					 "git is not installed: give the commit and its time by --commit and --commit-time, or --no-git")
			       : rc;
	if (status || !take_commit(o, buf_view(&out)))
		return commit ? ttp_fail(
					e, TTP_USAGE,
					"git knows no commit \"%s\" in this folder; give its time, too (--commit-time), or none (--no-git)",
					commit)
			      : TTP_OK;
	if (commit)
		return TTP_OK;
	TTP_TRY(git(branch, &out, &status, e));
	if (!status)
		buf_set_str(&o->branch, str_trim(buf_view(&out)));
	TTP_TRY(git(changed, &out, &status, e));
	o->dirty = WIFEXITED(status) && WEXITSTATUS(status) == 1;
	return TTP_OK;
}

void run_origin_release(struct run_origin *o)
{
	RELEASE(buf, &o->name, &o->machine, &o->command, &o->recorder, &o->commit, &o->branch);
}
