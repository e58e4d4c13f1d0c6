// SPDX-License-Identifier: Apache-2.0
#include "cmd/compare_inputs.h"

#include <dirent.h>
#include <sys/stat.h>

#include "base/paths.h"
#include "compare/run_identity.h"
#include "runs/run_files.h"

static void add(struct compare_inputs *in, const char *name)
{
	struct compare_input *i = mem_zero(1, sizeof(*i));

	buf_text(&i->name, name);
	*vec_push(&in->all) = i;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Files that are ops reports, and folders that have one.  Folders of ranks are parts of one run. */
static bool is_run(const char *folder, const char *name, struct buf *path)
{
	SCOPED(buf) struct buf report = { 0 };
	struct ttp_err why;
	struct stat st;

	if (name[0] == '.' || !strncmp(name, "rank", 4))
		return false;
	buf_set(path, "%s/%s", folder, name);
	if (stat(path->at, &st))
		return false;
	if (S_ISDIR(st.st_mode))
		return !run_ops_file(path->at, &report, &why);
	return S_ISREG(st.st_mode) && str_has(str_of(name), STR("ops_perf_results")) &&
	       str_has(str_of(name), STR(".csv")) && !str_has(str_of(name), STR(".json"));
}

/* A folder that has two runs and more is a folder of runs; else it is one, or none. */
static void expand(struct compare_inputs *in, const char *name)
{
	VEC(char *) found = { 0 };
	SCOPED(buf) struct buf path = { 0 };
	SCOPED(dir) DIR *dir = opendir(name);
	struct dirent *entry;

	while (dir && (entry = readdir(dir)))
		if (is_run(name, entry->d_name, &path))
			*vec_push(&found) = mem_text(path.at);
	vec_sort(&found, by_name);
	if (found.len < 2)
		add(in, name);
	vec_each (f, &found) {
		if (found.len > 1)
			add(in, *f);
		free(*f);
	}
	vec_release(&found);
}

static enum ttp_rc open_one(struct compare_input *i, const struct call_options *o,
			    struct ttp_err *e)
{
	const struct ops_table *t;
	struct call_options with_host = *o;
	struct ttp_err why;

	TTP_TRY(run_open(&i->run, i->name.at, e));
	e->rc = TTP_OK;
	t = run_ops(&i->run, &compare_want, e);
	if (!t && e->rc)
		return ttp_wrap(e, e->rc, "%s", i->name.at);
	if (!t || !t->rows)
		return ttp_fail(
			e, TTP_USAGE,
			"%s: it has no ops, nor logs to make them from: there is nothing to compare",
			i->name.at);
	TTP_TRY(ops_table_check(t, e));
	with_host.host = run_host_gaps(&i->run, &why);
	calls_make(&i->calls, t, &with_host);
	i->has_calls = true;
	return TTP_OK;
}

static void identify(struct compare_input *i)
{
	struct op_keys keys = { 0 };
	struct op_sequence s;

	op_sequence_make(&s, &i->calls, &keys);
	run_identity(&i->identity, &s, &keys);
	op_sequence_release(&s);
	op_keys_release(&keys);
}

static void close_one(struct compare_input *i)
{
	if (i->has_calls)
		calls_release(&i->calls);
	run_close(&i->run);
	RELEASE(buf, &i->name, &i->identity);
	free(i);
}

static bool is_among(const struct compare_input *i, const struct compare_inputs *in, size_t n)
{
	for (size_t k = 0; k < n; k++)
		if (str_eq(buf_view(&in->all.at[k]->identity), buf_view(&i->identity)))
			return true;
	return false;
}

static void leave_out_equal(struct compare_inputs *in)
{
	size_t kept = 0;

	vec_each (i, &in->all) {
		identify(*i);
		if (is_among(*i, in, kept)) {
			*vec_push(&in->equal) = *i;
		} else {
			in->all.at[kept++] = *i;
		}
	}
	in->all.len = kept;
}

enum ttp_rc compare_inputs_open(struct compare_inputs *in, const char *const *names, size_t n,
				const struct call_options *o, struct ttp_err *e)
{
	for (size_t i = 0; i < n; i++)
		expand(in, names[i]);
	vec_each (i, &in->all)
		TTP_TRY(open_one(*i, o, e));
	leave_out_equal(in);
	vec_each (i, &in->all)
		*vec_push(&in->calls) = &(*i)->calls;
	return TTP_OK;
}

void compare_inputs_ask(struct compare_ask *ask, const struct compare_inputs in[SIDES])
{
	for (int side = BASE; side < SIDES; side++) {
		ask->runs[side] = in[side].calls.at;
		ask->n[side] = in[side].calls.len;
		ask->not_counted[side] = (uint32_t)in[side].equal.len;
	}
	vec_each (i, &in[NEW].all)
		ask->shared += is_among(*i, &in[BASE], in[BASE].all.len);
}

static enum ttp_rc spare(const struct compare_input *i, const char *path, struct ttp_err *e)
{
	TTP_TRY(run_parts_spare(&i->run.parts, path, e));
	/* reports of ranks are several files */
	vec_each (f, &i->calls.table->files)
		if (path_is_same(f->in.name, path))
			return ttp_fail(
				e, TTP_USAGE,
				"%s is of the run itself, and would be gone: name another file",
				path);
	return TTP_OK;
}

enum ttp_rc compare_inputs_spare(const struct compare_inputs *in, const char *option,
				 const char *path, struct ttp_err *e)
{
	enum ttp_rc rc = TTP_OK;

	if (!path || !path_is_file(path))
		return TTP_OK;
	vec_each (i, &in->all)
		if (!rc)
			rc = spare(*i, path, e);
	vec_each (i, &in->equal)
		if (!rc)
			rc = spare(*i, path, e);
	return rc ? ttp_wrap(e, rc, "%s", option) : TTP_OK;
}

static int tell_damage(struct compare_input *i, const struct console *console, bool strict)
{
	const struct run_parts *parts = &i->run.parts;

	run_find_damage(&i->run);
	return run_notes_tell(parts->left_out.at, parts->left_out.len, console, NULL, strict) ? 1
											      : 0;
}

int compare_inputs_close(struct compare_inputs *in, const struct console *console, bool strict)
{
	int status = 0;

	vec_each (i, &in->all)
		status |= tell_damage(*i, console, strict);
	vec_each (i, &in->equal)
		status |= tell_damage(*i, console, strict);
	compare_inputs_release(in);
	return status;
}

void compare_inputs_release(struct compare_inputs *in)
{
	vec_each (i, &in->all)
		close_one(*i);
	vec_each (i, &in->equal)
		close_one(*i);
	vec_release(&in->all);
	vec_release(&in->equal);
	vec_release(&in->calls);
}

char **compare_words(int *argc, char **argv)
{
	char **to = mem_alloc(2 * (size_t)*argc + 1, sizeof(*to)), *option = NULL;
	bool first = false;
	int n = 0;

	for (int i = 0; i < *argc; i++) {
		bool is_option = argv[i][0] == '-' && argv[i][1];

		if (is_option)
			option = !strcmp(argv[i], "--base") || !strcmp(argv[i], "--new") ? argv[i]
											 : NULL;
		else if (option && !first)
			to[n++] = option;
		first = is_option && option;
		to[n++] = argv[i];
	}
	to[n] = NULL;
	*argc = n;
	return to;
}

void compare_inputs_name(struct buf *b, const struct compare_inputs *in)
{
	buf_str(b, buf_view(&in->all.at[0]->name));
	if (in->all.len > 1)
		buf_printf(b, " and %zu more", in->all.len - 1);
}
