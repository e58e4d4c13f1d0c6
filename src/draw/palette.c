// SPDX-License-Identifier: Apache-2.0
#include "draw/palette.h"

/* Cividis at eight points (Nuñez, Anderton, Renslow 2018), and the nearest of a terminal's 256 colours. */
static const uint32_t ramp[] = { 0x00224e, 0x283c6e, 0x4b546c, 0x6d6d6f,
				 0x898678, 0xae9f6c, 0xd3bb54, 0xfee838 };
static const uint8_t terminal[] = { 17, 18, 60, 242, 102, 144, 179, 227 };
enum { STEPS = sizeof(ramp) / sizeof(*ramp) };

static const uint32_t kinds[] = { 0x4477aa, 0xee6677, 0x228833, 0xccbb44, 0x66ccee, 0xaa3377,
				  0xee7733, 0x009988, 0x999933, 0x882255, 0x44aa99, 0x332288 };

static double clip(double part)
{
	return part > 0 ? part < 1 ? part : 1 : 0; /* not a number: 0 */
}

uint32_t palette_rgb(double part)
{
	double at = clip(part) * (STEPS - 1);
	unsigned i = (unsigned)at, rgb = 0;

	i = i < STEPS - 1 ? i : STEPS - 2;
	for (int shift = 16; shift >= 0; shift -= 8) {
		double a = ramp[i] >> shift & 0xff, b = ramp[i + 1] >> shift & 0xff;

		rgb |= (unsigned)(a + (b - a) * (at - i) + 0.5) << shift;
	}
	return rgb;
}

uint32_t palette_text_rgb(uint32_t background)
{
	unsigned light = (background >> 16 & 0xff) * 299 + (background >> 8 & 0xff) * 587 +
			 (background & 0xff) * 114;

	/* where both have the same contrast, 4.6 : 1 */
	return light > 117000 ? 0x000000 : 0xffffff;
}

void palette_cell(struct buf *b, struct str s, double part)
{
	unsigned i = (unsigned)(clip(part) * (STEPS - 1) + 0.5);

	buf_printf(b, "\033[48;5;%d;38;5;%dm", terminal[i], i < 4 ? 231 : 16);
	buf_str(b, s);
	buf_text(b, "\033[0m");
}

uint32_t palette_kind(uint32_t n)
{
	return kinds[n % (sizeof(kinds) / sizeof(*kinds))];
}
