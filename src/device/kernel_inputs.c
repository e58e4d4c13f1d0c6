// SPDX-License-Identifier: Apache-2.0
#include "device/kernel_inputs.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/exhausted.h"

#define HEAD "ttprof kernel inputs 1\n"

enum { FILE_MAX = 64 << 20 };

void inputs_hash(uint64_t hash[2], struct str bytes)
{
	hash[0] = hash[0] * 31 + str_hash(bytes);
	hash[1] = (hash[1] ^ bytes.len) * 1099511628211ull;
	for (size_t i = 0; i < bytes.len; i++)
		hash[1] = (hash[1] ^ (uint8_t)bytes.at[i]) * 1099511628211ull;
}

void inputs_release(struct kernel_inputs *in)
{
	intern_release(&in->paths);
	vec_release(&in->states);
	buf_release(&in->result);
	*in = (struct kernel_inputs){ 0 };
}

/* ---- one file ---- */

static bool read_all(const char *path, struct buf *to)
{
	/* It was a regular file a moment ago; should it be a pipe now, nobody waits. */
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	ssize_t n = -1;

	if (fd < 0)
		return false;
	held_fd(fd);
	do {
		buf_reserve(to, 65536);
		n = read(fd, to->at + to->len, 65536);
		if (n > 0)
			to->len += (size_t)n;
	} while ((n > 0 && to->len < FILE_MAX) || (n < 0 && errno == EINTR));
	(void)held_close(fd);
	return n == 0;
}

/* A state without its hash; false if it is not known. */
static bool look(const char *path, struct input_state *s)
{
	struct timespec now;
	struct stat st;

	*s = (struct input_state){ 0 };
	clock_gettime(CLOCK_REALTIME, &now);
	if (stat(path, &st))
		return errno == ENOENT || errno == ENOTDIR;
	if (S_ISDIR(st.st_mode)) /* a compiler looks on */
		return true;
	if (!S_ISREG(st.st_mode))
		return false;
	s->there = true;
	s->size = (uint64_t)st.st_size;
	s->number = (uint64_t)st.st_ino;
	s->mtime_ns = (int64_t)st.st_mtim.tv_sec * 1000000000 + st.st_mtim.tv_nsec;
	s->ctime_ns = (int64_t)st.st_ctim.tv_sec * 1000000000 + st.st_ctim.tv_nsec;
	s->young = st.st_mtim.tv_sec >= now.tv_sec - INPUTS_YOUNG_S ||
		   st.st_ctim.tv_sec >= now.tv_sec - INPUTS_YOUNG_S;
	return true;
}

static bool same_stamp(const struct input_state *a, const struct input_state *b)
{
	return a->size == b->size && a->number == b->number && a->mtime_ns == b->mtime_ns &&
	       a->ctime_ns == b->ctime_ns;
}

bool inputs_hold(struct kernel_inputs *in, bool *renewed)
{
	SCOPED(buf) struct buf bytes = { 0 };
	bool good = true;

	*renewed = false;
	for (uint32_t i = 0; good && i < in->states.len; i++) {
		struct input_state *was = &in->states.at[i], is;
		const char *path = intern_get(&in->paths, i).at;

		good = look(path, &is) && is.there == was->there && is.size == was->size;
		if (!good || !is.there || (same_stamp(was, &is) && !was->young))
			continue;
		buf_clear(&bytes);
		good = read_all(path, &bytes);
		inputs_hash(is.hash, buf_view(&bytes));
		good = good && is.hash[0] == was->hash[0] && is.hash[1] == was->hash[1];
		*renewed |= !same_stamp(was, &is) || was->young != is.young;
		*was = is;
	}
	return good;
}

/* ---- all of them ---- */

struct collecting {
	struct kernel_inputs *in;
	const char *const *folders;
	size_t folders_n;
	bool known;
};

/* Adds a path if it is new; true if there is such a file. */
static bool add_path(struct collecting *c, struct str path)
{
	uint32_t before = intern_count(&c->in->paths), id = intern_copy(&c->in->paths, path);

	if (id == before) {
		struct input_state *s = vec_push(&c->in->states);

		if (!look(intern_get(&c->in->paths, id).at, s) || id >= INPUTS_MAX ||
		    str_find_char(path, '\n') != STR_NONE)
			c->known = false;
	}
	return c->in->states.at[id].there;
}

static bool add_in(struct collecting *c, struct str folder, struct str name)
{
	SCOPED(buf) struct buf b = { 0 };

	buf_str(&b, folder);
	if (folder.len && folder.at[folder.len - 1] != '/')
		buf_char(&b, '/');
	buf_str(&b, name);
	return add_path(c, buf_view(&b));
}

static void add_name(struct collecting *c, struct str includer, const struct scan_name *n)
{
	size_t slash = str_rfind_char(includer, '/');

	if (n->name.at[0] == '/') {
		(void)add_path(c, n->name);
		return;
	}
	if (n->quoted &&
	    add_in(c, str_head(includer, slash == STR_NONE ? 0 : slash + 1), n->name) && !n->next)
		return;
	for (size_t i = 0; i < c->folders_n; i++)
		if (add_in(c, str_of(c->folders[i]), n->name) && !n->next)
			return;
}

static void add_names_of(struct collecting *c, struct str path, struct str text)
{
	SCOPED(scan) struct scan s = { 0 };

	if (!scan_includes(&s, text))
		c->known = false;
	vec_each (n, &s.names)
		add_name(c, path, n);
}

bool inputs_collect(struct kernel_inputs *in, const char *source, const char *text,
		    const char *const *folders, size_t folders_n)
{
	struct collecting c = { in, folders, folders_n, true };
	/* gcc reads it before anything else, where there is one. */
	const struct scan_name first = { STR("stdc-predef.h"), false, false };
	SCOPED(buf) struct buf bytes = { 0 };

	add_name(&c, str_n("", 0), &first);
	if (text)
		add_names_of(&c, str_n("", 0), str_of(text));
	else if (!add_path(&c, str_of(source)))
		c.known = false;
	for (uint32_t i = 0; c.known && i < in->states.len; i++) {
		struct str path = intern_get(&in->paths, i);

		if (!in->states.at[i].there)
			continue;
		buf_clear(&bytes);
		if (!read_all(path.at, &bytes) || bytes.len != in->states.at[i].size) {
			c.known = false;
			break;
		}
		inputs_hash(in->states.at[i].hash, buf_view(&bytes));
		add_names_of(&c, path, buf_view(&bytes));
	}
	return c.known;
}

/* Another spelling of a path may be the same file. */
static bool is_known(const struct kernel_inputs *in, const char *path)
{
	struct input_state s;

	if (intern_find(&in->paths, str_of(path)) != INTERN_NONE)
		return true;
	if (!look(path, &s))
		return false;
	vec_each (k, &in->states)
		if (k->there && same_stamp(k, &s))
			return true;
	return false;
}

bool inputs_cover(const struct kernel_inputs *in, struct str preprocessed)
{
	struct str line;
	SCOPED(buf) struct buf path = { 0 };
	bool good = true;

	/* # 1 "path" 1 ...: a file begins. */
	while (good && preprocessed.len && str_split(&preprocessed, '\n', &line)) {
		size_t open, close;

		if (!str_starts(line, STR("# 1 \"")))
			continue;
		open = 5;
		close = str_rfind_char(line, '"');
		if (close < open || !str_starts(str_from(line, close), STR("\" 1")))
			continue;
		line = str_n(line.at + open, close - open);
		if (str_starts(line, STR("<")))
			continue;
		buf_set_str(&path, line);
		good = path.len && str_find_char(line, '\\') == STR_NONE && is_known(in, path.at);
	}
	return good;
}

/* ---- on disk ---- */

bool inputs_write(const struct kernel_inputs *in, const char *path)
{
	SCOPED(buf) struct buf b = { 0 };
	uint64_t hash[2] = { 0 };

	buf_printf(&b, HEAD "%s\n", in->result.at ? in->result.at : "");
	for (uint32_t i = 0; i < in->states.len; i++) {
		const struct input_state *s = &in->states.at[i];
		struct str name = intern_get(&in->paths, i);

		if (s->there)
			buf_printf(&b,
				   "%c%" PRIx64 " %" PRIx64 " %" PRIx64 " %" PRIx64 " %" PRIx64
				   " %" PRIx64 " %.*s\n",
				   s->young ? '?' : '=', s->size, s->number, (uint64_t)s->mtime_ns,
				   (uint64_t)s->ctime_ns, s->hash[0], s->hash[1], STR_ARG(name));
		else
			buf_printf(&b, "-%.*s\n", STR_ARG(name));
	}
	inputs_hash(hash, buf_view(&b));
	buf_printf(&b, "end %016" PRIx64 "%016" PRIx64 "\n", hash[0], hash[1]);
	return !cache_write(path, buf_view(&b), NULL);
}

/* The next hexadecimal number and the blank behind it. */
static bool take_number(struct str *s, uint64_t *to)
{
	size_t i = 0;

	for (*to = 0; i < s->len && i < 17 && s->at[i] != ' '; i++) {
		char c = s->at[i];

		if (c >= '0' && c <= '9')
			*to = *to << 4 | (uint64_t)(c - '0');
		else if (c >= 'a' && c <= 'f')
			*to = *to << 4 | (uint64_t)(c - 'a' + 10);
		else
			return false;
	}
	if (!i || i > 16 || i >= s->len)
		return false;
	*s = str_from(*s, i + 1);
	return true;
}

static bool take_line(struct kernel_inputs *in, struct str line)
{
	char kind = line.len ? line.at[0] : 0;
	struct input_state s = { .there = kind != '-', .young = kind == '?' };
	uint32_t before = intern_count(&in->paths);
	uint64_t n[6] = { 0 };

	if (kind != '-' && kind != '=' && kind != '?')
		return false;
	line = str_from(line, 1);
	for (int i = 0; s.there && i < 6; i++)
		if (!take_number(&line, &n[i]))
			return false;
	s.size = n[0];
	s.number = n[1];
	s.mtime_ns = (int64_t)n[2];
	s.ctime_ns = (int64_t)n[3];
	s.hash[0] = n[4];
	s.hash[1] = n[5];
	if (!line.len || before >= INPUTS_MAX || intern_copy(&in->paths, line) != before)
		return false;
	*vec_push(&in->states) = s;
	return true;
}

/* The text without its last line, if that is right about it. */
static bool take_end(struct str *text)
{
	uint64_t hash[2] = { 0 };
	SCOPED(buf) struct buf end = { 0 };
	size_t at;
	bool good;

	if (!text->len || text->at[text->len - 1] != '\n')
		return false;
	at = str_rfind_char(str_head(*text, text->len - 1), '\n');
	if (at == STR_NONE)
		return false;
	inputs_hash(hash, str_head(*text, at + 1));
	buf_printf(&end, "end %016" PRIx64 "%016" PRIx64 "\n", hash[0], hash[1]);
	good = str_eq(str_from(*text, at + 1), buf_view(&end));
	*text = str_head(*text, at);
	return good;
}

bool inputs_read(struct kernel_inputs *in, const char *path)
{
	SCOPED(buf) struct buf b = { 0 };
	struct str rest, line;
	bool good = read_all(path, &b);

	rest = buf_view(&b);
	good = good && str_starts(rest, STR(HEAD)) && take_end(&rest);
	rest = str_from(rest, strlen(HEAD));
	good = good && str_split(&rest, '\n', &line) && line.len &&
	       str_find_char(line, '/') == STR_NONE;
	if (good)
		buf_str(&in->result, line);
	while (good && rest.len && str_split(&rest, '\n', &line))
		good = take_line(in, line);
	return good && in->states.len;
}
