// SPDX-License-Identifier: Apache-2.0
#include "device/ready_kernel.h"

#include <dlfcn.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/input.h"
#include "base/paths.h"

/* Goes up when the key is made in another way. */
enum { READY = 1 };

static void hash_number(uint64_t hash[2], int64_t number)
{
	inputs_hash(hash, str_n((const char *)&number, sizeof(number)));
}

static void hash_options(uint64_t hash[2], const struct compile_request *q)
{
	const int64_t numbers[] = { q->risc,
				    q->noc,
				    q->fidelity ? q->fidelity : 4,
				    q->profile,
				    q->noc_events,
				    q->print,
				    q->delay,
				    q->delay && q->delay_outline,
				    q->dram_banks,
				    q->columns,
				    q->l1_banks,
				    str_ends(str_of(q->path), STR(".c")) };

	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		hash_number(hash, numbers[i]);
	for (size_t i = 0; i < q->defines_n; i++) {
		inputs_hash(hash, str_of(q->defines[i].name));
		inputs_hash(hash, str_of(q->defines[i].value));
	}
	for (size_t i = 0; i < q->args_n; i++)
		hash_number(hash, q->args[i]);
}

/* The bytes of all files, in the order in which they are included: their names may be any. */
static bool hash_files(uint64_t hash[2], const struct compile_request *q)
{
	SCOPED(inputs) struct kernel_inputs in = { 0 };
	size_t folders = 0;

	while (q->include && q->include[folders])
		folders++;
	if (!inputs_collect(&in, q->path, q->text, q->include, folders))
		return false;
	inputs_hash(hash, str_of(q->text ? q->text : ""));
	vec_each (file, &in.states)
		if (file->there)
			inputs_hash(hash, str_n((const char *)file->hash, sizeof(file->hash)));
	return true;
}

static bool add_name(const struct compile_request *q, int recipe, struct buf *to)
{
	SCOPED(buf) struct buf runtime = { 0 };
	uint64_t hash[2] = { 0 };

	cache_name_runtime("", &runtime); /* what this program carries, as a hash */
	inputs_hash(hash, buf_view(&runtime));
	hash_number(hash, READY);
	hash_number(hash, recipe);
	hash_options(hash, q);
	if (!hash_files(hash, q))
		return false;
	buf_printf(to, "%016" PRIx64 "%016" PRIx64 ".elf", hash[0], hash[1]);
	return true;
}

/* Of a library in lib/ or share/ttprof/python/ttprof/, or a program in bin/; in a build directory it is beside both. */
bool ready_kernel_folder(struct buf *to)
{
	static const char *const from_here[] = {
		"../share/ttprof/kernels", "../../kernels",        "../ttprof/kernels",
		"../lib/ttprof/kernels",   "share/ttprof/kernels", "../../share/ttprof/kernels"
	};
	const char *asked = getenv("TTP_KERNELS");
	SCOPED(mem) char *real = NULL;
	Dl_info here;

	if (asked && *asked) {
		buf_text(to, asked);
		return true;
	}
	if (!dladdr((void *)(size_t)ready_kernel_folder, &here) || !here.dli_fname ||
	    !(real = realpath(here.dli_fname, NULL)))
		return false;
	for (size_t i = 0; i < sizeof(from_here) / sizeof(from_here[0]); i++) {
		buf_set_str(to, str_head(str_of(real), strlen(real) - path_name(real).len));
		buf_text(to, from_here[i]);
		if (path_is_folder(to->at))
			return true;
	}
	buf_set_str(to, STR(""));
	return false;
}

bool ready_kernel_find(const struct compile_request *q, int recipe, struct elf_image *out)
{
	SCOPED(buf) struct buf path = { 0 };

	if (!ready_kernel_folder(&path))
		return false;
	buf_char(&path, '/');
	return add_name(q, recipe, &path) && !cache_read_kernel(out, path.at, NULL);
}

static const char *kept_in(void)
{
	const char *folder = getenv("TTP_KEEP_KERNELS");

	return folder && *folder ? folder : NULL;
}

bool ready_kernels_are_kept(void)
{
	return kept_in();
}

enum ttp_rc ready_kernel_keep(const struct compile_request *q, int recipe, const char *path,
			      struct ttp_err *e)
{
	const char *folder = kept_in();
	SCOPED(buf) struct buf to = { 0 };
	struct input in;
	enum ttp_rc rc;

	if (!folder)
		return TTP_OK;
	TTP_TRY(cache_make_folders(folder, e));
	buf_printf(&to, "%s/", folder);
	if (!add_name(q, recipe, &to))
		return TTP_OK;
	TTP_TRY(input_open_file(&in, path, e));
	rc = cache_write(to.at, in.data, e);
	input_close(&in);
	return rc;
}
