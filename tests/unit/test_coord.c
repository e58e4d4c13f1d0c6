// SPDX-License-Identifier: Apache-2.0
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "chip/soc.h"
#include "device/coord.h"

static void wormhole(struct port_info *info, uint32_t harvest)
{
	memset(info, 0, sizeof(*info));
	info->arch = "wormhole_b0";
	info->width = soc_wormhole.width;
	info->height = soc_wormhole.height;
	info->dram_channels = 12;
	info->dram_bytes = 1u << 30;
	for (int y = 0; y < info->height; y++)
		for (int x = 0; x < info->width; x++) {
			char c = soc_tile(&soc_wormhole, x, y);

			info->kind[y][x] =
				c == 'w'   ? (harvest >> y & 1 ? TILE_HARVESTED : TILE_WORKER)
				: c == 'e' ? TILE_ETH
				: c == '.' ? TILE_NONE
				: c == 'p' ? TILE_PCIE
				: c == 'a' ? TILE_ARC
					   : TILE_DRAM;
		}
}

static void every_name_leads_back(void **state)
{
	struct port_info info;
	struct coord c;

	(void)state;
	for (uint32_t harvest = 0; harvest <= 0x0C0; harvest += 0x020) {
		wormhole(&info, harvest);
		assert_int_equal(coord_init(&c, &info, NULL), TTP_OK);
		for (uint8_t y = 0; y < 12; y++)
			for (uint8_t x = 0; x < 10; x++) {
				struct tile t = { x, y }, back;
				struct logical_tile l;

				back = coord_from_noc1(&c, coord_noc1(&c, t));
				assert_true(back.x == x && back.y == y);
				assert_true(coord_from_xlat(&c, coord_xlat(&c, t), &back));
				assert_true(back.x == x && back.y == y);
				if (info.kind[y][x] == TILE_WORKER) {
					assert_true(coord_logical(&c, t, &l));
					assert_true(coord_from_logical(&c, l, &back));
					assert_true(back.x == x && back.y == y);
					/* Workers are a full rectangle from (18,18). */
					assert_int_equal(coord_xlat(&c, t).x, 18 + l.x);
					assert_int_equal(coord_xlat(&c, t).y, 18 + l.y);
				}
			}
	}
}

static void harvested_rows_are_at_the_end(void **state)
{
	struct port_info info;
	struct coord c;

	(void)state;
	wormhole(&info, 1 << 3 | 1 << 10);
	assert_int_equal(coord_init(&c, &info, NULL), TTP_OK);
	assert_int_equal(c.rows, 8);
	assert_int_equal(c.columns, 8);
	assert_int_equal(coord_xlat(&c, (struct tile){ 1, 3 }).y, 26);
	assert_int_equal(coord_xlat(&c, (struct tile){ 1, 10 }).y, 27);
	assert_int_equal(coord_xlat(&c, (struct tile){ 1, 4 }).y, 20);
	assert_int_equal(coord_xlat(&c, (struct tile){ 5, 6 }).x, 17);
	assert_int_equal(coord_xlat(&c, (struct tile){ 5, 6 }).y, 17);
}

static void twelve_banks_behind_six_groups(void **state)
{
	struct port_info info;
	struct coord c;
	uint64_t offset;

	(void)state;
	wormhole(&info, 0);
	assert_int_equal(coord_init(&c, &info, NULL), TTP_OK);
	assert_int_equal(c.banks, 12);
	for (int bank = 0; bank < 12; bank++) {
		struct tile t = coord_bank(&c, bank, &offset);

		assert_int_equal(soc_tile(&soc_wormhole, t.x, t.y), '0' + bank / 2);
		assert_int_equal(offset, bank % 2 ? 1u << 30 : 0);
	}
}

static void flat_ids_go_column_by_column(void **state)
{
	struct port_info info;
	int count;

	(void)state;
	wormhole(&info, 0);
	assert_int_equal(coord_flat_id(&info, (struct tile){ 1, 0 }, &count), 0);
	assert_int_equal(count, 96);
	assert_int_equal(coord_flat_id(&info, (struct tile){ 2, 0 }, NULL), 12);
	assert_int_equal(coord_flat_id(&info, (struct tile){ 0, 0 }, NULL), -1);
}

static void workers_that_are_no_rectangle_are_refused(void **state)
{
	struct port_info info;
	struct coord c;

	(void)state;
	wormhole(&info, 0);
	info.kind[4][6] = TILE_HARVESTED;
	assert_int_equal(coord_init(&c, &info, NULL), TTP_FORMAT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_name_leads_back),
		cmocka_unit_test(harvested_rows_are_at_the_end),
		cmocka_unit_test(twelve_banks_behind_six_groups),
		cmocka_unit_test(flat_ids_go_column_by_column),
		cmocka_unit_test(workers_that_are_no_rectangle_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
