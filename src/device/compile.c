// SPDX-License-Identifier: Apache-2.0
#include "device/compile.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <ttp/kernel/layout.h>

#include "base/arena.h"
#include "base/exhausted.h"
#include "device/kernel_inputs.h"
#include "device/markers.h"
#include "device/ready_kernel.h"
#include "device/spawn.h"

#define LOG_AREA "device"
#include "base/log.h"

/* RECIPE goes up when a kernel is put together in another way. */
enum { ARGV_MAX = 512, RECIPE = 3 };

struct toolchain {
	char command[512];
	char version[256];
	bool clang;
	int gcc; /* its major version; 0: not known */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of `found` */
static struct toolchain found;

/* ---- the compiler ---- */

/* "riscv64-unknown-elf-gcc (12.2.0-14+deb12u1+11+b2) 12.2.0": the last word. */
static int major_of(const char *version)
{
	const char *at = strrchr(version, ' ');
	int n = 0;

	for (at = at ? at + 1 : ""; *at >= '0' && *at <= '9' && n < 1000; at++)
		n = n * 10 + *at - '0';
	return n;
}

static bool probe(struct toolchain *t, const char *command, bool clang)
{
	const char *const argv[] = { command, "--version", NULL };
	SCOPED(buf) struct buf out = { 0 };
	int status = 0;
	bool good;

	good = !spawn_wait(argv, str_n("", 0), &out, NULL, &status, NULL) && !status && out.len;
	if (good) {
		struct str rest = buf_view(&out), first;

		snprintf(t->command, sizeof(t->command), "%s", command);
		if (str_split(&rest, '\n', &first))
			snprintf(t->version, sizeof(t->version), "%.*s",
				 (int)(first.len < 200 ? first.len : 200), first.at);
		t->clang = clang || strstr(t->version, "clang");
		t->gcc = t->clang ? 0 : major_of(t->version);
	}
	return good;
}

static enum ttp_rc find_toolchain(struct toolchain *t, struct ttp_err *e)
{
	static const char *const gccs[] = { "riscv64-unknown-elf-gcc", "riscv32-unknown-elf-gcc",
					    "riscv64-elf-gcc", "riscv32-elf-gcc" };
	const char *asked = getenv("TTP_RISCV_CC");
	enum ttp_rc rc = TTP_OK;

	held_lock(&lock);
	if (asked && *asked && strcmp(found.command, asked)) {
		if (!probe(&found, asked, false))
			rc = ttp_fail(e, TTP_USAGE, "TTP_RISCV_CC=%s can't be run", asked);
	} else if (!found.command[0]) {
		for (size_t i = 0; !found.command[0] && i < sizeof(gccs) / sizeof(gccs[0]); i++)
			probe(&found, gccs[i], false);
		const char *const lld[] = { "ld.lld", "--version", NULL };
		int status = 0;

		if (!found.command[0] &&
		    !spawn_wait(lld, str_n("", 0), NULL, NULL, &status, NULL) && !status)
			probe(&found, "clang", true);
		if (!found.command[0])
			rc = ttp_fail(
				e, TTP_USAGE,
				"no RISC-V compiler to compile kernels with: install "
				"gcc-riscv64-unknown-elf (Debian, Ubuntu), or set TTP_RISCV_CC");
	}
	*t = found;
	held_unlock(&lock);
	return rc;
}

enum ttp_rc compile_toolchain(const char **command, const char **version, struct ttp_err *e)
{
	static struct toolchain t;
	enum ttp_rc rc = find_toolchain(&t, e);

	*command = t.command;
	*version = t.version;
	return rc;
}

enum ttp_rc compile_cache(struct buf *path, struct ttp_err *e)
{
	return cache_folder(path, e);
}

/* ---- one kernel ---- */

struct call {
	const char *argv[ARGV_MAX];
	size_t n;
	struct arena text;
	bool full;
};

static void call_release(struct call *c)
{
	arena_release(&c->text);
}

static void __attribute__((format(printf, 2, 3))) arg(struct call *c, const char *fmt, ...)
{
	SCOPED(buf) struct buf b = { 0 };
	va_list ap;

	va_start(ap, fmt);
	buf_vprintf(&b, fmt, ap);
	va_end(ap);
	if (c->n + 1 < ARGV_MAX)
		c->argv[c->n++] = arena_dup(&c->text, b.at ? b.at : "", b.len);
	else
		c->full = true;
}

static void arg_prefix_map(struct call *c, const char *root)
{
	SCOPED(mem) char *from = root ? realpath(root, NULL) : getcwd(NULL, 0);

	if (from && from[1])
		arg(c, "-fmacro-prefix-map=%s/=", from);
}

/* gcc 12, and the linker of its time: older ones refuse what they don't know. */
static bool has_options_of_12(const struct toolchain *t)
{
	return !t->clang && (!t->gcc || t->gcc >= 12);
}

static void common_options(struct call *c, const struct compile_request *q,
			   const struct toolchain *t, const char *runtime)
{
	int noc = q->noc >= 0 ? q->noc : q->risc == RISC_NC;

	arg(c, "%s", t->command);
	if (t->clang) {
		arg(c, "--target=riscv32-unknown-elf");
		arg(c, "-fuse-ld=lld");
	} else if (has_options_of_12(t)) {
		arg(c, "--param=min-pagesize=0");
	}
	for (const char *const *o =
		     (const char *const[]){ "-march=rv32im", "-mabi=ilp32", "-O2", "-g",
					    "-ffreestanding", "-nostdlib", "-fno-common",
					    "-msmall-data-limit=0", "-Wall", "-Wno-array-bounds",
					    "-Wno-unknown-pragmas", NULL };
	     *o; o++)
		arg(c, "%s", *o);
	if (!t->clang)
		arg(c, "-fno-tree-loop-distribute-patterns");
	/* gcc 12 moves a counter out of a loop, and then repeats the volatile stores that follow it. */
	if (has_options_of_12(t))
		arg(c, "-fno-move-loop-stores");
	arg(c, "-DTTP_RISC=%d", (int)q->risc);
	if (q->risc == RISC_B)
		arg(c, "-DCOMPILE_FOR_BRISC");
	else if (q->risc == RISC_NC)
		arg(c, "-DCOMPILE_FOR_NCRISC");
	else
		arg(c, "-DCOMPILE_FOR_TRISC=%d", (int)q->risc - RISC_T0);
	if (q->risc >= RISC_T0)
		arg(c, "-DTRISC_%s",
		    q->risc == RISC_T0   ? "UNPACK"
		    : q->risc == RISC_T1 ? "MATH"
					 : "PACK");
	arg(c, "-DNOC_INDEX=%d", noc);
	arg(c, "-DARCH_WORMHOLE");
	arg(c, "-DMATH_FIDELITY=%d", q->fidelity ? q->fidelity : 4);
	if (q->profile)
		arg(c, "-DPROFILE_KERNEL=%u", q->profile);
	if (q->noc_events)
		arg(c, "-DPROFILE_NOC_EVENTS=1");
	if (q->print)
		arg(c, "-DTTP_KERNEL_PRINT=1");
	if (q->delay)
		arg(c, "-DTTP_DEBUG_DELAY=1");
	if (q->delay && q->delay_outline)
		arg(c, "-DTTP_DEBUG_DELAY_NOINLINE=1");
	if (q->dram_banks)
		arg(c, "-DNUM_DRAM_BANKS=%d", q->dram_banks);
	if (q->columns)
		arg(c, "-DTTP_GRID_COLUMNS=%du", q->columns);
	if (q->l1_banks)
		arg(c, "-DNUM_L1_BANKS=%d", q->l1_banks);
	for (size_t i = 0; i < q->defines_n; i++)
		arg(c, "-D%s=%s", q->defines[i].name, q->defines[i].value);
	if (q->args_n) {
		SCOPED(buf) struct buf b = { 0 };

		for (size_t i = 0; i < q->args_n; i++)
			buf_printf(&b, "%s%uu", i ? "," : "", q->args[i]);
		arg(c, "-DKERNEL_COMPILE_TIME_ARGS=%s", b.at);
	}
	arg(c, "-I%s/include", runtime);
	arg(c, "-I%s/include/compat", runtime);
	for (const char *const *i = q->include; i && *i; i++)
		arg(c, "-I%s", *i);
	arg_prefix_map(c, q->root);
	/* The runtime's own paths: the same wherever it was unpacked. */
	arg(c, "-fmacro-prefix-map=%s/=ttprof/", runtime);
	/* A kernel for other machines is the same bytes wherever it was compiled. */
	if (ready_kernels_are_kept()) {
		SCOPED(mem) char *here = getcwd(NULL, 0);

		arg(c, "-fdebug-prefix-map=%s=.", here ? here : "/");
		arg(c, "-fdebug-prefix-map=%s=ttprof", runtime);
	}
}

static bool is_c(const char *path)
{
	return str_ends(str_of(path), STR(".c"));
}

static void language_options(struct call *c, bool c_source)
{
	static const char *const cxx[] = { "-x",
					   "c++",
					   "-std=c++17",
					   "-fno-exceptions",
					   "-fno-rtti",
					   "-fno-threadsafe-statics",
					   "-fno-use-cxa-atexit",
					   NULL };
	static const char *const plain[] = { "-x", "c", "-std=gnu11",
					     "-Werror=implicit-function-declaration", NULL };

	for (const char *const *o = c_source ? plain : cxx; *o; o++)
		arg(c, "%s", *o);
}

/* From the first error on, which says most; of the linker, what it says and not where it is. */
static struct str first_error(struct str text)
{
	size_t at = str_find(text, STR("error:")), line;

	if ((at != STR_NONE && !str_has(str_head(text, at), STR("collect2"))) ||
	    (at = str_find(text, STR("undefined reference"))) != STR_NONE) {
		line = str_rfind_char(str_head(text, at), '\n');
		text = str_from(text, line == STR_NONE ? 0 : line + 1);
	} else if ((at = str_find(text, STR("ld: "))) != STR_NONE) {
		text = str_from(text, at + 4);
	}
	while (text.len && text.at[text.len - 1] == '\n')
		text.len--;
	return text;
}

/* Whole lines, as many as fit; of one that is too long, whole words. */
static struct str cut_lines(struct str text, size_t most)
{
	size_t end;

	if (text.len <= most)
		return text;
	text = str_head(text, most);
	end = str_rfind_char(text, '\n');
	if (end == STR_NONE)
		end = str_rfind_char(text, ' ');
	return end == STR_NONE ? text : str_head(text, end);
}

/* A text's messages and zones carry its name. */
static void as_if_from(struct buf *to, const char *name, const char *text)
{
	buf_text(to, "#line 1 \"");
	for (const char *at = name; *at; at++) {
		if (*at == '"' || *at == '\\')
			buf_char(to, '\\');
		buf_char(to, *at == '\n' ? ' ' : *at);
	}
	buf_text(to, "\"\n");
	buf_text(to, text);
}

static enum ttp_rc run_compiler(struct call *c, const struct compile_request *q, struct buf *out,
				struct ttp_err *e)
{
	SCOPED(buf) struct buf err = { 0 }, text_in = { 0 };
	int status = 0;
	enum ttp_rc rc;

	c->argv[c->n] = NULL;
	if (c->full)
		return ttp_fail(e, TTP_LIMIT, "%s: more than %d options for the compiler", q->path,
				ARGV_MAX);
	if (q->text)
		as_if_from(&text_in, q->path, q->text);
	rc = spawn_wait(c->argv, buf_view(&text_in), out, &err, &status, e);
	if (!rc && WIFSIGNALED(status)) /* Ctrl-C is for all that runs */
		return ttp_fail(e, TTP_GONE,
				"%s is not compiled for %s: signal %d ended the compiler", q->path,
				risc_label((int)q->risc), WTERMSIG(status));
	if (!rc && status) {
		struct str text = first_error(buf_view(&err)), rest = buf_view(&err), line, shown;
		size_t head = strlen(q->path) + 80; /* and what stands around it */

		if (head > 180 && str_starts(text, str_of(q->path))) /* once is enough */
			text = str_from(text, strlen(q->path) + 1);
		shown = cut_lines(text, head < 300 ? sizeof(e->msg) - head : 180);
		rc = ttp_fail(e, TTP_FORMAT, "%s does not compile for %s: %.*s%s", q->path,
			      risc_label((int)q->risc), STR_ARG(shown),
			      shown.len < text.len ? " ... (TTP_LOG=device:debug tells all)" : "");
		while (rest.len && str_split(&rest, '\n', &line))
			log_debug("%.*s", STR_ARG(line));
	}
	return rc;
}

/* What the result depends on, in 128 bits. */
static void key_of(const struct call *c, const struct toolchain *t, const char *runtime,
		   struct str preprocessed, struct buf *key)
{
	uint64_t a = str_hash(preprocessed), b = 14695981039346656037ull;

	for (size_t i = 0; i < preprocessed.len; i++)
		b = (b ^ (uint8_t)preprocessed.at[i]) * 1099511628211ull;
	for (size_t i = 0; i < c->n; i++) {
		a = a * 31 + str_hash(str_of(c->argv[i]));
		b = b * 1099511628211ull ^ str_hash(str_of(c->argv[i]));
	}
	a ^= str_hash(str_of(t->version)) + RECIPE;
	b ^= str_hash(str_of(runtime));
	buf_printf(key, "%016llx%016llx", (unsigned long long)a, (unsigned long long)b);
}

/* The object of the kernel alone: what it is written in says nothing about the rest. */
static enum ttp_rc compile_object(const struct compile_request *q, const struct toolchain *t,
				  const char *runtime, const char *object, struct ttp_err *e)
{
	SCOPED(call) struct call c = { 0 };

	common_options(&c, q, t, runtime);
	language_options(&c, is_c(q->path));
	arg(&c, "-c");
	arg(&c, "-o");
	arg(&c, "%s", object);
	arg(&c, "%s", q->text ? "-" : q->path);
	return run_compiler(&c, q, NULL, e);
}

static enum ttp_rc link_kernel(const struct compile_request *q, const struct toolchain *t,
			       const char *runtime, const char *object, const char *elf,
			       struct ttp_err *e)
{
	uint32_t local = q->risc < RISC_T0 ? TTP_LOCAL_BYTES_B : TTP_LOCAL_BYTES_T;
	SCOPED(call) struct call c = { 0 };

	common_options(&c, q, t, runtime);
	arg(&c, "-I%s/fw", runtime);
	language_options(&c, true);
	arg(&c, "%s/fw/kernel_start.c", runtime);
	arg(&c, "-x");
	arg(&c, "none");
	arg(&c, "%s", object);
	arg(&c, "-T%s/fw/image.ld", runtime);
	arg(&c, "-Wl,--build-id=none");
	if (has_options_of_12(t))
		arg(&c, "-Wl,--no-warn-rwx-segments");
	arg(&c, "-Wl,--defsym=ttp_text=0x%x",
	    TTP_L1_KERNELS + (unsigned)q->risc * TTP_KERNEL_BYTES);
	arg(&c, "-Wl,--defsym=ttp_text_bytes=0x%x", TTP_KERNEL_BYTES);
	arg(&c, "-Wl,--defsym=ttp_data=0x%x", TTP_LOCAL_KERNEL);
	arg(&c, "-Wl,--defsym=ttp_data_bytes=0x%x", local - (TTP_LOCAL_KERNEL - TTP_LOCAL));
	if (!t->clang)
		arg(&c, "-lgcc");
	arg(&c, "-o");
	arg(&c, "%s", elf);
	return run_compiler(&c, q, NULL, e);
}

static void remove_it(void *path)
{
	(void)unlink(path);
}

static enum ttp_rc build(const struct compile_request *q, const struct toolchain *t,
			 const char *runtime, const char *target, struct ttp_err *e)
{
	SCOPED(buf) struct buf elf = { 0 }, object = { 0 };
	enum ttp_rc rc = TTP_OK;
	int fd;

	/* Names of our own, so that nobody else writes them. */
	buf_printf(&elf, "%s.%ld.XXXXXX", target, (long)getpid());
	fd = mkostemp(elf.at, O_CLOEXEC);
	if (fd < 0)
		return ttp_fail_errno(e, "can't write %s", elf.at);
	close(fd);
	exhausted_undo(remove_it, elf.at);
	buf_printf(&object, "%s.o", elf.at);
	exhausted_undo(remove_it, object.at);
	rc = compile_object(q, t, runtime, object.at, e);
	if (!rc)
		rc = link_kernel(q, t, runtime, object.at, elf.at, e);
	if (!rc)
		rc = cache_seal(elf.at, e);
	if (!rc && rename(elf.at, target))
		rc = ttp_fail_errno(e, "can't make %s", target);
	if (rc)
		unlink(elf.at);
	unlink(object.at);
	exhausted_done(remove_it, object.at);
	exhausted_done(remove_it, elf.at);
	return rc;
}

/* The runtime does without one, so the linker does not complain of a name that is spelt wrong. */
static bool has_main(const struct elf_image *img)
{
	vec_each (symbol, &img->symbols)
		if (str_eq(symbol->name, STR("kernel_main")) ||
		    str_eq(symbol->name, STR("_Z11kernel_mainv")) ||
		    str_eq(symbol->name, STR("_ZN11ttp_compute8run_mainEv")))
			return true;
	return false;
}

/* By what the preprocessor makes of it: it sees every change, and takes its time. */
static enum ttp_rc compile_checked(const struct compile_request *q, struct call *c,
				   const struct toolchain *t, const char *runtime,
				   const char *kernels, struct recall *r, struct elf_image *out,
				   struct ttp_err *e)
{
	SCOPED(buf) struct buf target = { 0 }, preprocessed = { 0 };
	bool built = false;

	recall_collect(r);
	TTP_TRY(run_compiler(c, q, &preprocessed, e));
	TTP_TRY(cache_make_folders(kernels, e));
	buf_printf(&target, "%s/", kernels);
	key_of(c, t, runtime, buf_view(&preprocessed), &target);
	buf_text(&target, ".elf");
	/* One that can't be read, or is damaged, is made again. */
	if (cache_read_kernel(out, target.at, NULL)) {
		built = true;
		TTP_TRY(build(q, t, runtime, target.at, e));
		TTP_TRY(cache_read_kernel(out, target.at, e));
	}
	TTP_TRY(ready_kernel_keep(q, RECIPE, target.at, e));
	/* The preprocessor may have seen the one and the compiler the other: it is not what its name says. */
	if (!recall_keep(r, buf_view(&preprocessed), target.at) && built)
		unlink(target.at);
	return TTP_OK;
}

static bool compile_recalled(struct recall *r, const char *kernels, struct elf_image *out)
{
	SCOPED(buf) struct buf target = { 0 };
	const char *name = recall_find(r);

	buf_printf(&target, "%s/%s", kernels, name ? name : "");
	return name && !cache_read_kernel(out, target.at, NULL);
}

enum ttp_rc compile_kernel(const struct compile_request *q, struct elf_image *out,
			   struct ttp_err *e)
{
	SCOPED(buf) struct buf cache = { 0 }, runtime = { 0 }, kernels = { 0 };
	SCOPED(recall) struct recall r = { 0 };
	SCOPED(call) struct call c = { 0 };
	struct toolchain t;
	struct stat st;

	if (!q->text && (access(q->path, R_OK) || stat(q->path, &st)))
		return ttp_fail_errno(e, "kernel %s", q->path);
	if (!q->text && !S_ISREG(st.st_mode)) /* the compiler might read it for ever */
		return ttp_fail(e, TTP_USAGE, "kernel %s is no regular file", q->path);
	/* The same kernel wherever a release runs, and nothing to wait for; a compiler that somebody names is the one that is meant. */
	if (!getenv("TTP_RISCV_CC") && !ready_kernels_are_kept() &&
	    ready_kernel_find(q, RECIPE, out))
		return TTP_OK;
	if (find_toolchain(&t, e))
		return ttp_wrap(e, e->rc, "kernel %s, which did not come compiled", q->path);
	TTP_TRY(cache_folder(&cache, e));
	cache_name_runtime(cache.at, &runtime);
	buf_printf(&kernels, "%s/kernels", cache.at);
	common_options(&c, q, &t, runtime.at);
	language_options(&c, is_c(q->path));
	arg(&c, "-E");
	arg(&c, "%s", q->text ? "-" : q->path);
	c.argv[c.n] = NULL;
	recall_begin(&r, kernels.at,
		     &(struct recall_call){ c.argv, t.version, RECIPE, q->path, q->text });
	if (c.full || ready_kernels_are_kept() || !compile_recalled(&r, kernels.at, out)) {
		TTP_TRY(cache_unpack_runtime(cache.at, &runtime, e));
		TTP_TRY(compile_checked(q, &c, &t, runtime.at, kernels.at, &r, out, e));
	}
	if (has_main(out))
		return TTP_OK;
	elf_release(out);
	return ttp_fail(e, TTP_FORMAT, "%s has no kernel_main(): it would do nothing", q->path);
}
