// SPDX-License-Identifier: Apache-2.0
#include "device/kernel_inputs.h"

#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/exhausted.h"
#include "base/vec.h"
#include "device/spawn.h"

#define LOG_AREA "device"
#include "base/arena.h"
#include "base/log.h"
#include "base/paths.h"

/* Goes up when the key or what is collected is made in another way. */
enum { RECALL = 1 };

/* The compiler looks into these, too, in an order of its own. */
static const char *const more_folders[] = { "CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", NULL };
/* These decide what it calls and reads. */
static const char *const more_settings[] = { "PATH",
					     "GCC_EXEC_PREFIX",
					     "COMPILER_PATH",
					     "SOURCE_DATE_EPOCH",
					     "CCC_OVERRIDE_OPTIONS",
					     "CLANG_CONFIG_FILE_SYSTEM_DIR",
					     NULL };

/* ---- the compiler ---- */

static bool find_program(const char *command, struct buf *path)
{
	struct str rest = str_of(getenv("PATH")), folder;

	if (strchr(command, '/')) {
		buf_text(path, command);
		return true;
	}
	while (rest.len && str_split(&rest, ':', &folder)) {
		buf_set_str(path, folder);
		buf_text(path, folder.len ? "/" : "./");
		buf_text(path, command);
		if (!access(path->at, X_OK))
			return true;
	}
	return false;
}

/* What a script calls, and with what, is nothing that its file tells. */
static bool is_binary(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	char head[4] = { 0 };
	bool good = fd >= 0 && read(fd, head, 4) == 4 && !memcmp(head, "\177ELF", 4);

	fd_release(&fd);
	return good;
}

static bool describe_compiler(const char *command, struct buf *to)
{
	SCOPED(buf) struct buf path = { 0 };
	struct stat st;
	SCOPED(mem) char *real = NULL;
	bool good = find_program(command, &path) && (real = realpath(path.at, NULL)) &&
		    !stat(real, &st) && S_ISREG(st.st_mode) && is_binary(real);

	if (good)
		buf_printf(to, "%s %llu %llu %lld.%09ld %lld.%09ld", real,
			   (unsigned long long)st.st_size, (unsigned long long)st.st_ino,
			   (long long)st.st_mtim.tv_sec, st.st_mtim.tv_nsec,
			   (long long)st.st_ctim.tv_sec, st.st_ctim.tv_nsec);
	return good;
}

/* ---- the folders that it searches by itself ---- */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of `known` */
static struct {
	struct buf key, said;
} known;

/* What "-v" says, once for all kernels in one language. */
static bool ask(const char *const *call, struct buf *said)
{
	SCOPED(vec) VEC(const char *) argv = { 0 };
	SCOPED(buf) struct buf key = { 0 };
	int status = 0;
	bool good = true;

	for (const char *const *a = call; *a; a++) {
		bool value = a > call && !strcmp(a[-1], "-x");

		/* The rest is about one kernel. */
		if (a == call || value || !strcmp(*a, "-x") || !strncmp(*a, "--target", 8) ||
		    !strncmp(*a, "-m", 2) || !strncmp(*a, "-std", 4) ||
		    !strcmp(*a, "-ffreestanding") || !strcmp(*a, "-nostdlib")) {
			*vec_push(&argv) = *a;
			buf_text(&key, *a);
			buf_char(&key, '\n');
		}
	}
	for (const char *const *a = (const char *const[]){ "-E", "-v", "/dev/null", NULL }; *a; a++)
		*vec_push(&argv) = *a;
	*vec_push(&argv) = NULL;
	held_lock(&lock);
	if (!str_eq(buf_view(&key), buf_view(&known.key))) {
		buf_clear(&known.said);
		buf_clear(&known.key);
		good = !spawn_wait(argv.at, str_n("", 0), NULL, &known.said, &status, NULL) &&
		       !status;
		if (good)
			buf_str(&known.key, buf_view(&key));
	}
	if (good)
		buf_str(said, buf_view(&known.said));
	held_unlock(&lock);
	return good;
}

/* In the order in which their files are looked for. */
enum { OWN, MISSING, THERE, SORTS };
struct folders {
	VEC(const char *) of[SORTS];
	struct arena texts;
};

/* Whatever language the compiler speaks: a path behind one blank is searched, one in quotes is not there. */
static void take_said(struct folders *f, struct str said)
{
	struct str line;

	while (said.len && str_split(&said, '\n', &line)) {
		size_t quote = str_find(line, STR("\"/"));
		bool searched = str_starts(line, STR(" /"));
		const char *path;

		if (!searched && (quote == STR_NONE || line.at[line.len - 1] != '"'))
			continue;
		path = searched ? arena_dup(&f->texts, line.at + 1, line.len - 1)
				: arena_dup(&f->texts, line.at + quote + 1, line.len - quote - 2);
		if (path_is_folder(path) == searched)
			*vec_push(&f->of[searched ? THERE : MISSING]) = path;
	}
}

/* A folder that is the compiler's own as well is searched in another order. */
static bool is_plain(const struct folders *f)
{
	vec_each (own, &f->of[OWN])
		vec_each (there, &f->of[THERE])
			if (path_is_same(*own, *there))
				return false;
	return f->of[THERE].len > 0;
}

static void folders_release(struct folders *f)
{
	for (int i = 0; i < SORTS; i++)
		vec_release(&f->of[i]);
	arena_release(&f->texts);
}

/* ---- one kernel ---- */

void recall_begin(struct recall *r, const char *kernels, const struct recall_call *call)
{
	uint64_t hash[2] = { 0 };
	SCOPED(buf) struct buf compiler = { 0 };
	char *here;

	*r = (struct recall){ .call = *call };
	for (const char *const *v = more_folders; *v; v++)
		if (getenv(*v) && *getenv(*v))
			return;
	here = getcwd(NULL, 0);
	if (here && describe_compiler(call->argv[0], &compiler)) {
		buf_printf(&compiler, " %d %d", RECALL, call->recipe);
		inputs_hash(hash, buf_view(&compiler));
		inputs_hash(hash, str_of(call->version));
		inputs_hash(hash, str_of(here)); /* paths may begin there */
		for (const char *const *v = more_settings; *v; v++)
			inputs_hash(hash, str_of(getenv(*v) ? getenv(*v) : "-"));
		for (const char *const *a = call->argv; *a; a++)
			inputs_hash(hash, str_of(*a));
		inputs_hash(hash, str_of(call->source));
		inputs_hash(hash, str_of(call->text ? call->text : ""));
		buf_printf(&r->path, "%s/%016" PRIx64 "%016" PRIx64 ".inputs", kernels, hash[0],
			   hash[1]);
	}
	free(here);
}

const char *recall_find(struct recall *r)
{
	bool renewed = false;

	if (r->path.len && inputs_read(&r->inputs, r->path.at) &&
	    inputs_hold(&r->inputs, &renewed)) {
		if (renewed)
			(void)inputs_write(&r->inputs, r->path.at);
		return r->inputs.result.at;
	}
	inputs_release(&r->inputs);
	return NULL;
}

void recall_collect(struct recall *r)
{
	SCOPED(buf) struct buf said = { 0 };
	SCOPED(folders) struct folders f = { 0 };
	SCOPED(vec) VEC(const char *) all = { 0 };

	inputs_release(&r->inputs);
	if (!r->path.len || !ask(r->call.argv, &said))
		return;
	for (const char *const *a = r->call.argv; *a; a++)
		if (!strncmp(*a, "-I", 2))
			*vec_push(&f.of[OWN]) = *a + 2;
	take_said(&f, buf_view(&said));
	for (int i = 0; i < SORTS; i++)
		vec_each (x, &f.of[i])
			*vec_push(&all) = *x;
	r->collected = is_plain(&f) &&
		       inputs_collect(&r->inputs, r->call.source, r->call.text, all.at, all.len);
	if (!r->collected)
		log_debug("%s: what it is made of is not known without the compiler",
			  r->call.source);
}

bool recall_keep(struct recall *r, struct str preprocessed, const char *elf)
{
	bool renewed;

	if (!r->collected)
		return true;
	if (!inputs_hold(&r->inputs, &renewed))
		return false;
	if (!inputs_cover(&r->inputs, preprocessed)) {
		log_debug("%s: the compiler read files that were not expected", elf);
		return true;
	}
	buf_set_str(&r->inputs.result, str_of(strrchr(elf, '/') ? strrchr(elf, '/') + 1 : elf));
	if (!inputs_write(&r->inputs, r->path.at))
		log_debug("can't write %s", r->path.at);
	return true;
}

void recall_release(struct recall *r)
{
	buf_release(&r->path);
	inputs_release(&r->inputs);
}
