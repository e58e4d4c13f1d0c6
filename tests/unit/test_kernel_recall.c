// SPDX-License-Identifier: Apache-2.0
/*
 * Kernels found again without the compiler, and never a stale one.  The compiler here is a copy of this program, which counts its calls
 * and then becomes the real one.
 */
#include <dirent.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "device/compile.h"
#include "device/kernel_inputs.h"

#include "work_folder.h"

static const char *real_compiler;

/* ---- the compiler that counts ---- */

static int be_compiler(char **argv)
{
	const char *edit = getenv("COUNTING_EDIT");
	FILE *f = fopen(getenv("COUNTING_LOG"), "a");
	bool compiles = false;

	for (char **a = argv; *a; a++)
		compiles |= !strcmp(*a, "-c");
	if (f) {
		fputs("called\n", f);
		fclose(f);
	}
	if (edit && compiles && (f = fopen(edit, "w"))) {
		fputs("#define VALUE 77\n", f);
		fclose(f);
	}
	argv[0] = getenv("COUNTING_REAL"); /* finds its parts beside itself */
	execv(argv[0], argv);
	return 127;
}

/* Calls since it was asked before. */
static int calls(void)
{
	FILE *f = fopen(in_work("log"), "r");
	int n = 0;

	for (int c; f && (c = fgetc(f)) != EOF;)
		n += c == '\n';
	if (f)
		fclose(f);
	unlink(in_work("log"));
	return n;
}

/* ---- a kernel ---- */

static struct compile_define define = { "EXTRA", "1" };
static char source[300], folder_a[300], folder_b[300];
static const char *const folders[] = { folder_a, folder_b, NULL };
static struct compile_request request;

/* A new cache; k.cpp includes middle.h, which includes inner.h, which is in the second folder. */
static int begin(void **state)
{
	(void)state;
	if (!real_compiler)
		return 0;
	shell("rm -rf cache k.cpp k.c a b && mkdir a b");
	put("k.cpp", "#include \"middle.h\"\n"
		     "void kernel_main() { *(volatile unsigned *)0x100 = VALUE + EXTRA; }\n");
	put("a/middle.h", "#include \"inner.h\"\n");
	put("b/inner.h", "#define VALUE 10\n");
	snprintf(source, sizeof(source), "%s/k.cpp", work);
	snprintf(folder_a, sizeof(folder_a), "%s/a", work);
	snprintf(folder_b, sizeof(folder_b), "%s/b", work);
	request = (struct compile_request){ .path = source,
					    .risc = RISC_B,
					    .noc = -1,
					    .defines = &define,
					    .defines_n = 1,
					    .include = folders };
	define.value = "1";
	unsetenv("COUNTING_EDIT");
	calls();
	return 0;
}

/* The hash of the image; 0 if it does not compile. */
static uint64_t kernel(void)
{
	struct elf_image img = { 0 };
	struct ttp_err e = { 0 };
	uint64_t hash;

	if (compile_kernel(&request, &img, &e)) {
		print_message("%s\n", e.msg);
		return 0;
	}
	hash = img.hash;
	elf_release(&img);
	return hash;
}

#define NEEDS_COMPILER()            \
	do {                        \
		if (!real_compiler) \
			skip();     \
	} while (0)

/* A kernel that is in the cache, and found there without a call. */
static uint64_t settled(void)
{
	uint64_t first = kernel();

	assert_true(first != 0);
	assert_true(calls() > 0);
	assert_true(kernel() == first);
	assert_int_equal(calls(), 0);
	return first;
}

static void changed(uint64_t before)
{
	uint64_t now = kernel();

	assert_true(now != 0);
	assert_true(now != before);
	assert_true(calls() > 0);
	assert_true(kernel() == now);
	assert_int_equal(calls(), 0);
}

static void test_same(void **state)
{
	uint64_t first;

	(void)state;
	NEEDS_COMPILER();
	first = settled();
	/* Other times, the same bytes. */
	shell("touch -d 2001-01-01 a/middle.h && cp b/inner.h c && mv c b/inner.h");
	assert_true(kernel() == first);
	assert_int_equal(calls(), 0);
}

static void test_source(void **state)
{
	uint64_t first;

	(void)state;
	NEEDS_COMPILER();
	first = settled();
	put("k.cpp", "#include \"middle.h\"\n"
		     "void kernel_main() { *(volatile unsigned *)0x104 = VALUE + EXTRA; }\n");
	changed(first);
}

static void test_text(void **state)
{
	uint64_t first, second;

	(void)state;
	NEEDS_COMPILER();
	request.text = "#include \"middle.h\"\n"
		       "void kernel_main() { *(volatile unsigned *)0x100 = VALUE; }\n";
	first = settled();
	request.text = "#include \"middle.h\"\n"
		       "void kernel_main() { *(volatile unsigned *)0x108 = VALUE; }\n";
	second = settled();
	assert_true(first != second);
	/* Places of zones have its name in them. */
	request.path = "other.cpp";
	assert_true(settled() != second);
}

static void test_indirect_header(void **state)
{
	uint64_t first;

	(void)state;
	NEEDS_COMPILER();
	first = settled();
	/* The same length, at once, and then with the time that it had. */
	put("b/inner.h", "#define VALUE 11\n");
	changed(first);
	first = kernel();
	shell("touch -r b/inner.h stamp && echo '#define VALUE 12' >b/inner.h && "
	      "touch -r stamp b/inner.h");
	changed(first);
	unlink(in_work("b/inner.h"));
	assert_true(kernel() == 0);
}

static void test_define(void **state)
{
	uint64_t first;

	(void)state;
	NEEDS_COMPILER();
	first = settled();
	define.value = "2";
	changed(first);
	define.value = "1";
	assert_true(kernel() == first);
	assert_int_equal(calls(), 0);
}

static void test_compiler(void **state)
{
	uint64_t first;

	(void)state;
	NEEDS_COMPILER();
	first = settled();
	shell("cp counting_cc new && echo >>new && mv new counting_cc");
	assert_true(kernel() == first);
	assert_true(calls() > 0);
	assert_true(kernel() == first);
	assert_int_equal(calls(), 0);
}

static void test_script(void **state)
{
	uint64_t first;

	(void)state;
	NEEDS_COMPILER();
	/* What it does may change without its file. */
	shell("mv counting_cc binary && printf '#!/bin/sh\\nexec \"%s\" $(cat more) \"$@\"\\n' "
	      "\"$PWD/binary\" >counting_cc && sed -i \"s|cat more|cat $PWD/more|\" counting_cc && "
	      "chmod +x counting_cc && echo -DONE >more");
	put("k.cpp", "#ifndef ADDED\n#define ADDED 1\n#endif\n"
		     "void kernel_main() { *(volatile unsigned *)0x100 = ADDED; }\n");
	first = kernel();
	calls();
	shell("echo -DADDED=5 >more");
	assert_true(kernel() != first);
	assert_true(calls() > 0);
	shell("mv binary counting_cc");
}

static void test_shadow(void **state)
{
	uint64_t first;

	(void)state;
	NEEDS_COMPILER();
	shell("rm -r a && mkdir a0 && mv a0 later");
	put("b/middle.h", "#include <inner.h>\n");
	first = settled();
	/* A folder of the path that was not there. */
	shell("mv later a");
	put("a/inner.h", "#define VALUE 20\n");
	changed(first);
	first = kernel();
	/* Beside the source, which comes first. */
	put("middle.h", "#define VALUE 30\n");
	changed(first);
	first = kernel();
	unlink(in_work("middle.h"));
	changed(first);
}

static void test_has_include(void **state)
{
	uint64_t first;

	(void)state;
	NEEDS_COMPILER();
	put("a/middle.h", "#if __has_include(<sub/option.h>)\n#define VALUE 1\n#else\n"
			  "#define VALUE 2\n#endif\n");
	first = settled();
	shell("mkdir b/sub");
	put("b/sub/option.h", "");
	changed(first);
}

static void test_branch(void **state)
{
	uint64_t first;

	(void)state;
	NEEDS_COMPILER();
	/* What is not taken is not read, and may be missing. */
	put("a/middle.h", "#if 0\n#include \"missing.h\"\n#endif\n#include \"inner.h\"\n");
	first = settled();
	put("b/missing.h", "#define VALUE 1\n");
	assert_true(kernel() == first);
}

static void test_not_told(void **state)
{
	static const char *const texts[] = {
		"#define NAME \"inner.h\"\n#include NAME\n",
		"#include \"inner.h\"\nstatic const char *const when = __TIME__;\n",
		"#/* in pieces */include \"inner.h\"\n",
		"#inc\\\nlude \"inner.h\"\n",
	};
	uint64_t first;

	(void)state;
	NEEDS_COMPILER();
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		put("b/inner.h", "#define VALUE 10\n");
		put("a/middle.h", texts[i]);
		first = kernel();
		assert_true(first != 0);
		calls();
		kernel();
		assert_true(calls() > 0);
		put("b/inner.h", "#define VALUE 99\n");
		assert_true(kernel() != first);
	}
}

static void test_environment(void **state)
{
	uint64_t first;

	(void)state;
	NEEDS_COMPILER();
	put("k.cpp", "#include <from_elsewhere.h>\n"
		     "void kernel_main() { *(volatile unsigned *)0x100 = VALUE; }\n");
	shell("mkdir -p c d");
	put("c/from_elsewhere.h", "#define VALUE 1\n");
	put("d/from_elsewhere.h", "#define VALUE 2\n");
	setenv("CPATH", in_work("c"), 1);
	first = kernel();
	assert_true(first != 0);
	setenv("CPATH", in_work("d"), 1);
	assert_true(kernel() != first);
	unsetenv("CPATH");
	assert_true(kernel() == 0);
}

/* ---- the list itself ---- */

static const char *list_path(void)
{
	static char path[600];
	DIR *d = opendir(in_work("cache/kernels"));
	struct dirent *e;

	path[0] = 0;
	while (d && (e = readdir(d)))
		if (strstr(e->d_name, ".inputs")) {
			/* One, and nothing that was left behind. */
			assert_int_equal(strlen(e->d_name), 32 + strlen(".inputs"));
			assert_int_equal(path[0], 0);
			snprintf(path, sizeof(path), "%s/cache/kernels/%s", work, e->d_name);
		}
	if (d)
		closedir(d);
	assert_true(path[0] != 0);
	return path;
}

static size_t read_list(char *to, size_t size)
{
	FILE *f = fopen(list_path(), "r");
	size_t n = fread(to, 1, size, f);

	fclose(f);
	return n;
}

static void write_list(const char *from, size_t n)
{
	FILE *f = fopen(list_path(), "w");

	fwrite(from, 1, n, f);
	fclose(f);
}

static void test_damage(void **state)
{
	static char good[65536], bad[65536];
	uint64_t first;
	size_t n;

	(void)state;
	NEEDS_COMPILER();
	first = settled();
	n = read_list(good, sizeof(good));
	assert_in_range(n, 100, sizeof(good) - 1);
	/* Every byte: none that is changed or missing is believed. */
	for (size_t i = 0; i < n; i++) {
		struct kernel_inputs in = { 0 };

		memcpy(bad, good, n);
		bad[i] ^= (char)(i % 7 + 1);
		write_list(bad, n);
		assert_false(inputs_read(&in, list_path()));
		inputs_release(&in);
		write_list(good, i);
		assert_false(inputs_read(&in, list_path()));
		inputs_release(&in);
	}
	calls();
	write_list(good, n / 2);
	assert_true(kernel() == first);
	assert_true(calls() > 0);
	assert_true(kernel() == first);
	assert_int_equal(calls(), 0);
	/* The kernel is gone, or cut. */
	shell("rm cache/kernels/*.elf");
	assert_true(kernel() == first);
	assert_true(calls() > 0);
	shell("truncate -s 100 cache/kernels/*.elf");
	assert_true(kernel() == first);
	assert_true(calls() > 0);
	/* Another version's, right in itself. */
	uint64_t hash[2] = { 0 };
	size_t last;

	memcpy(bad, good, n);
	strstr(bad, " 1\n")[1] = '9';
	last = str_find(str_n(bad, n), STR("\nend ")) + 1;
	inputs_hash(hash, str_n(bad, last));
	n = last + (size_t)snprintf(bad + last, sizeof(bad) - last, "end %016llx%016llx\n",
				    (unsigned long long)hash[0], (unsigned long long)hash[1]);
	write_list(bad, n);
	assert_true(kernel() == first);
	assert_true(calls() > 0);
}

/* A bit of a kernel that is still an ELF: it would run, and compute something else. */
static void test_flipped_bits(void **state)
{
	uint64_t first;

	(void)state;
	NEEDS_COMPILER();
	first = settled();
	for (int at = 100; at < 1000; at += 150) {
		char line[200];

		snprintf(line, sizeof(line),
			 "f=$(echo cache/kernels/*.elf) && printf '\\252' | "
			 "dd of=$f bs=1 seek=%d conv=notrunc status=none",
			 at);
		shell(line);
		assert_true(kernel() == first);
		assert_true(calls() > 0);
		assert_true(kernel() == first);
		assert_int_equal(calls(), 0);
	}
	/* and one that somebody else made, which has none */
	shell("f=$(echo cache/kernels/*.elf) && head -c -40 $f >new && mv new $f");
	assert_true(kernel() == first);
	assert_true(calls() > 0);
}

static void expect_refused(const char *why)
{
	struct elf_image img = { 0 };
	struct ttp_err e = { 0 };

	assert_int_equal(compile_kernel(&request, &img, &e), TTP_USAGE);
	assert_non_null(strstr(e.msg, why));
}

static void test_cache_of_others(void **state)
{
	(void)state;
	NEEDS_COMPILER();
	(void)settled();
	shell("chmod 0770 cache");
	expect_refused("is not a folder that only this user can write to");
	shell("chmod 0707 cache");
	expect_refused("TTP_CACHE");
	shell("chmod 0755 cache");
	assert_true(kernel() != 0);
	if (getuid())
		return;
	shell("chown 65534 cache");
	expect_refused("is not a folder that only this user can write to");
	/* or in a folder of somebody else, who can put another one there */
	shell("rm -r cache && mkdir theirs && chown 65534 theirs");
	setenv("TTP_CACHE", in_work("theirs/cache"), 1);
	expect_refused("is not a folder that only this user can write to");
	setenv("TTP_CACHE", in_work("cache"), 1);
	shell("rm -r theirs");
}

static void test_runtime(void **state)
{
	uint64_t first;

	(void)state;
	NEEDS_COMPILER();
	put("k.cpp",
	    "#include <dataflow_api.h>\nvoid kernel_main() { *(volatile unsigned *)0x100 = 1; }\n");
	first = settled();
	shell("for f in cache/runtime-*/include/ttp/kernel/dataflow.h; do echo '#error damaged' >\"$f\" || exit; done");
	assert_true(kernel() == first);
	shell("rm -r cache/runtime-*");
	assert_true(kernel() == first);
}

static void test_read_only(void **state)
{
	uint64_t first;
	int status = 0;
	pid_t pid;

	(void)state;
	NEEDS_COMPILER();
	first = settled();
	shell("rm cache/kernels/*.inputs && chmod -R a+rX,a-w cache");
	/* Nobody may write there, and nobody fails because of it; the owner of all disks is somebody else first. */
	fflush(NULL);
	pid = fork();
	if (!pid) {
		if (!getuid() && (setgid(65534) || setuid(65534)))
			_exit(2);
		if (access(source, R_OK)) /* $TMPDIR is in a folder of the owner's own */
			_exit(77);
		_exit(kernel() == first && kernel() == first ? 0 : 1);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	shell("chmod -R u+w cache");
	if (WIFEXITED(status) && WEXITSTATUS(status) == 77)
		skip();
	assert_int_equal(status, 0);
	shell("test -z \"$(ls cache/kernels | grep inputs)\"");
}

static void test_at_once(void **state)
{
	enum { PROCESSES = 4, ROUNDS = 3 };
	uint64_t first;
	pid_t pid[PROCESSES];

	(void)state;
	NEEDS_COMPILER();
	first = settled();
	shell("rm -r cache");
	fflush(NULL);
	for (int i = 0; i < PROCESSES; i++) {
		pid[i] = fork();
		if (!pid[i]) {
			bool good = true;

			for (int k = 0; k < ROUNDS; k++) {
				good &= kernel() == first;
				if (i == 0) /* makes the others write again */
					unlink(list_path());
			}
			_exit(!good);
		}
	}
	for (int i = 0; i < PROCESSES; i++) {
		int status = 0;

		assert_int_equal(waitpid(pid[i], &status, 0), pid[i]);
		assert_int_equal(status, 0);
	}
	assert_true(kernel() == first);
	assert_true(kernel() == first);
	calls();
	assert_true(kernel() == first);
	assert_int_equal(calls(), 0);
	(void)list_path();
}

/* An editor writes between the preprocessor and the compiler: what is made is not what its name says. */
static void test_changed_meanwhile(void **state)
{
	uint64_t odd, first;

	(void)state;
	NEEDS_COMPILER();
	setenv("COUNTING_EDIT", in_work("b/inner.h"), 1);
	odd = kernel();
	unsetenv("COUNTING_EDIT");
	put("b/inner.h", "#define VALUE 10\n");
	first = kernel();
	assert_true(first != odd);
	put("b/inner.h", "#define VALUE 77\n");
	assert_true(kernel() == odd);
}

#define ON_KERNEL(test) cmocka_unit_test_setup(test, begin)

int main(int argc, char **argv)
{
	const char *command, *version;
	struct ttp_err e = { 0 };
	char line[1200];
	int rc;

	(void)argc;
	if (getenv("COUNTING_REAL"))
		return be_compiler(argv);
	const struct CMUnitTest tests[] = {
		ON_KERNEL(test_same),
		ON_KERNEL(test_source),
		ON_KERNEL(test_text),
		ON_KERNEL(test_indirect_header),
		ON_KERNEL(test_define),
		ON_KERNEL(test_compiler),
		ON_KERNEL(test_script),
		ON_KERNEL(test_shadow),
		ON_KERNEL(test_has_include),
		ON_KERNEL(test_branch),
		ON_KERNEL(test_not_told),
		ON_KERNEL(test_environment),
		ON_KERNEL(test_damage),
		ON_KERNEL(test_flipped_bits),
		ON_KERNEL(test_cache_of_others),
		ON_KERNEL(test_runtime),
		ON_KERNEL(test_read_only),
		ON_KERNEL(test_at_once),
		ON_KERNEL(test_changed_meanwhile),
	};

	snprintf(work, sizeof(work), "%s/ttprof-recall.XXXXXX",
		 getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp");
	if (!mkdtemp(work) || chmod(work, 0755))
		return 1;
	for (const char *const *v =
		     (const char *const[]){ "CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", NULL };
	     *v; v++)
		unsetenv(*v);
	if (!compile_toolchain(&command, &version, &e)) {
		FILE *f;

		snprintf(line, sizeof(line), "command -v '%s'", command);
		f = popen(line, "r");
		if (f && fgets(line, sizeof(line), f)) {
			line[strcspn(line, "\n")] = 0;
			real_compiler = line;
			setenv("COUNTING_REAL", line, 1);
		}
		if (f)
			pclose(f);
		setenv("COUNTING_LOG", in_work("log"), 1);
		setenv("TTP_CACHE", in_work("cache"), 1);
		setenv("TTP_RISCV_CC", in_work("counting_cc"), 1);
		char copy[1024];

		snprintf(copy, sizeof(copy), "cp /proc/%ld/exe '%s'", (long)getpid(),
			 in_work("counting_cc"));
		if (system(copy))
			return 1;
	}
	rc = cmocka_run_group_tests(tests, NULL, NULL);
	snprintf(line, sizeof(line), "chmod -R u+w '%s'; rm -rf '%s'", work, work);
	return system(line) ? 1 : rc;
}
