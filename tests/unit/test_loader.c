// SPDX-License-Identifier: Apache-2.0
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "../../fuzz/corpus_pack.h"
#include "../../fuzz/memory_file.h"
#include "device/loader.h"

static void ids_are_those_of_tt_metal(void **state)
{
	(void)state;
	assert_int_equal(zone_hash(STR("TEST-FULL"), STR("./kernel.cpp"), 10), 36986);
	assert_int_equal(
		zone_hash(
			STR("BRISC-FW"),
			STR("/home/ttuser/mbahnas/METAL/main_0214/tt-metal/tt_metal/hw/firmware/src/brisc.cc"),
			435),
		51633);
	assert_int_equal(zone_hash_text(STR("")), 7385);
	assert_int_equal(zone_hash_text(STR("a")), 52512);
}

/* An input of the fuzzer of ELF files, as a file. */
static void read_seed(struct elf_image *img, const char *name, enum ttp_rc want)
{
	struct corpus_pack pack;
	struct corpus_input in;
	struct memory_file file;
	struct ttp_err e;

	assert_true(corpus_pack_open(&pack, TTP_SOURCE_DIR "/fuzz/corpus/elf.pack"));
	do
		assert_int_equal(corpus_pack_next(&pack, &in), 1);
	while (strcmp(in.name, name));
	memory_file_open(&file, in.data);
	enum ttp_rc rc = elf_read_file(img, file.path, &e);

	if (rc != want)
		fail_msg("%s: %s", name, rc ? e.msg : "read");
	memory_file_close(&file);
	corpus_pack_release(&pack);
}

static void an_image_has_segments_symbols_and_zones(void **state)
{
	struct elf_image img;
	uint32_t offset;

	(void)state;
	read_seed(&img, "zones", TTP_OK);
	assert_int_equal(img.entry, 0x9400);
	assert_int_equal(img.segments.len, 1);
	assert_int_equal(img.segments.at[0].addr, 0x9400);
	assert_int_equal(img.segments.at[0].len, 16);
	assert_int_equal(img.zones.len, 2); /* the same place twice is once */
	const struct elf_zone *z = elf_zone(&img, 36986);

	assert_non_null(z);
	assert_true(str_eq(z->name, STR("TEST-FULL")) && str_eq(z->file, STR("./kernel.cpp")));
	assert_int_equal(z->line, 10);
	const struct elf_symbol *s = elf_symbol_at(&img, 0x9418, &offset);

	assert_non_null(s);
	assert_true(str_eq(s->name, STR("kernel_main")));
	assert_int_equal(offset, 8);
	assert_null(elf_symbol_at(&img, 0x9430, NULL)); /* behind the last */
	assert_null(elf_symbol_at(&img, 0x93FF, NULL));
	elf_release(&img);
}

static void damage_is_an_error(void **state)
{
	struct elf_image img;

	(void)state;
	read_seed(&img, "no_zones", TTP_OK);
	elf_release(&img);
	read_seed(&img, "cut", TTP_FORMAT);
	read_seed(&img, "another_machine", TTP_FORMAT);
	read_seed(&img, "empty", TTP_FORMAT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ids_are_those_of_tt_metal),
		cmocka_unit_test(an_image_has_segments_symbols_and_zones),
		cmocka_unit_test(damage_is_an_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
