// SPDX-License-Identifier: Apache-2.0
#include "draw/palette.h"

/* One of the kinds at a time: the others are empty. Fidelities are of the page alone. */
#define HUE(rgb)
#define FIDELITY(name, rgb)
#define MARK(name, rgb)
#define RAMP(rgb, terminal) rgb,
static const uint32_t ramp[] = {
#include "draw/colours.def"
};
#undef RAMP
#define RAMP(rgb, terminal) terminal,
static const uint8_t terminal_colours[] = {
#include "draw/colours.def"
};
#undef RAMP
#define RAMP(rgb, terminal)
#undef HUE
#define HUE(rgb) rgb,
static const uint32_t kinds[] = {
#include "draw/colours.def"
};
#undef HUE
#define HUE(rgb)
#undef MARK
#define MARK(name, rgb) [MARK_##name] = rgb,
static const uint32_t marks[] = {
#include "draw/colours.def"
};
#undef MARK

enum { STEPS = sizeof(ramp) / sizeof(*ramp) };

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

	buf_printf(b, "\033[48;5;%d;38;5;%dm", terminal_colours[i], i < 4 ? 231 : 16);
	buf_str(b, s);
	buf_text(b, "\033[0m");
}

uint32_t palette_kind(uint32_t n)
{
	return kinds[n % (sizeof(kinds) / sizeof(*kinds))];
}

uint32_t palette_mark(enum palette_mark m)
{
	return marks[m];
}
