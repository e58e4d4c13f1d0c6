// SPDX-License-Identifier: Apache-2.0
#include "draw/svg.h"

#include <math.h>

#include "base/number.h"
#include "base/width.h"
#include "base/xml.h"
#include "draw/palette.h"

/* Shortest decimal with two digits behind the point. */
static void svg_number(struct buf *b, double v)
{
	number_fixed(b, isfinite(v) ? v : 0, 2, 0);
	while (b->len && b->at[b->len - 1] == '0')
		b->at[--b->len] = 0;
	if (b->len && b->at[b->len - 1] == '.')
		b->at[--b->len] = 0;
}

/* Names apart by blanks, and a number for each. */
static void attributes(struct buf *b, const char *names, const double *v)
{
	struct str rest = str_of(names), name;

	while (rest.len && str_split(&rest, ' ', &name)) {
		buf_printf(b, " %.*s=\"", STR_ARG(name));
		svg_number(b, *v++);
		buf_char(b, '"');
	}
}
#define ATTRIBUTES(b, names, ...) attributes((b), names, (const double[]){ __VA_ARGS__ })

static void send(struct svg *s)
{
	buf_char(&s->b, '\n');
	out_buf(s->out, &s->b);
}

void svg_open(struct svg *s, struct out *out, double width, double height, struct str title,
	      struct str description)
{
	*s = (struct svg){ .out = out };
	buf_text(&s->b, "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" viewBox=\"0 0 ");
	svg_number(&s->b, width);
	buf_char(&s->b, ' ');
	svg_number(&s->b, height);
	buf_char(&s->b, '"');
	ATTRIBUTES(&s->b, "width height", width, height);
	buf_text(&s->b, ">\n<title>");
	xml_text(&s->b, title);
	buf_text(&s->b, "</title>\n<desc>");
	xml_text(&s->b, description);
	buf_text(
		&s->b,
		"</desc>\n<style>"
		"svg{background:#fff}text{font:12px system-ui,sans-serif;fill:#1b1f24}"
		".s{font-size:10px}.g{fill:#57606a}.b{font-weight:600}.m{font-variant-numeric:tabular-nums}"
		"line{stroke:#57606a;stroke-opacity:.35}.w{fill:#fff}.k{fill:#000}.l{stroke-opacity:1;stroke-width:1.5}"
		"@media(prefers-color-scheme:dark){svg{background:#0d1117}text{fill:#e6edf3}"
		".g{fill:#9ea7b3}line{stroke:#9ea7b3}.w{fill:#fff}.k{fill:#000}}"
		"</style>");
	send(s);
}

void svg_close(struct svg *s)
{
	buf_text(&s->b, "</svg>");
	send(s);
	buf_release(&s->b);
}

void svg_text(struct svg *s, double x, double y, enum svg_anchor anchor, const char *class,
	      struct str text)
{
	static const char *const anchors[] = { "start", "middle", "end" };

	buf_text(&s->b, "<text");
	ATTRIBUTES(&s->b, "x y", x, y);
	if (anchor != SVG_START)
		buf_printf(&s->b, " text-anchor=\"%s\"", anchors[anchor]);
	if (*class)
		buf_printf(&s->b, " class=\"%s\"", class);
	buf_char(&s->b, '>');
	xml_text(&s->b, text);
	buf_text(&s->b, "</text>");
	send(s);
}

void svg_text_on(struct svg *s, double x, double y, uint32_t background, struct str text)
{
	svg_text(s, x, y, SVG_MIDDLE, palette_text_rgb(background) ? "s w m" : "s k m", text);
}

void svg_rect(struct svg *s, double x, double y, double w, double h, uint32_t rgb, double opacity,
	      struct str title)
{
	buf_text(&s->b, "<rect");
	ATTRIBUTES(&s->b, "x y width height", x, y, w, h);
	buf_printf(&s->b, " fill=\"#%06x\"", rgb);
	if (opacity < 1)
		ATTRIBUTES(&s->b, "fill-opacity", opacity);
	if (title.len) {
		buf_text(&s->b, "><title>");
		xml_text(&s->b, title);
		buf_text(&s->b, "</title></rect>");
	} else {
		buf_text(&s->b, "/>");
	}
	send(s);
}

static void line(struct svg *s, const char *head, double x1, double y1, double x2, double y2)
{
	buf_text(&s->b, head);
	ATTRIBUTES(&s->b, "x1 y1 x2 y2", x1, y1, x2, y2);
	buf_text(&s->b, "/>");
	send(s);
}

void svg_rule(struct svg *s, double x1, double y1, double x2, double y2)
{
	line(s, "<line", x1, y1, x2, y2);
}

void svg_line(struct svg *s, double x1, double y1, double x2, double y2)
{
	line(s, "<line class=\"l\"", x1, y1, x2, y2);
}

void svg_circle(struct svg *s, double x, double y, double r, uint32_t rgb, struct str title)
{
	buf_text(&s->b, "<circle");
	ATTRIBUTES(&s->b, "cx cy r", x, y, r);
	buf_printf(&s->b, " fill=\"#%06x\" fill-opacity=\"0.6\" stroke=\"#%06x\"><title>", rgb,
		   rgb);
	xml_text(&s->b, title);
	buf_text(&s->b, "</title></circle>");
	send(s);
}

double svg_room(struct str text)
{
	return 7.6 * (double)width_text(text);
}
