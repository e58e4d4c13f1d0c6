// SPDX-License-Identifier: Apache-2.0
/*
 * A program that does not end: which cores are still at it, where, and what they wait for.  Cores at the same
 * address are reported once, with their number: a program that hangs mostly hangs on all its tiles.
 */

#include "device/launch.h"
#include "device/markers.h"

enum { PLACES_TOLD = 3 };

/* Cores that are at the same address. */
struct stuck {
	struct tile tile; /* of the first */
	int risc;
	bool known; /* `state` is filled */
	struct core_state state;
	struct ttp_assert failed; /* risc_and_1 0: it did not stop itself */
	unsigned more;
};

struct stuck_list {
	VEC(struct stuck) at;
};

static bool is_run_word(uint32_t word)
{
	return word == TTP_RUN_DONE || word == TTP_RUN_INIT || word == TTP_RUN_GO;
}

/* Host and firmware write few values there; anything else is a kernel's doing. */
static bool is_overwritten(const struct ttp_mailbox *m)
{
	bool good = m->version == TTP_LAYOUT_VERSION && is_run_word(m->go);

	for (int r = 1; r < RISCS; r++)
		good &= is_run_word(m->sync[r]);
	return !good;
}

void device_describe_core(struct device *d, struct tile t, int risc, const struct core_state *state,
			  struct buf *to)
{
	struct elf_image *img = device_image_at(d, t, risc, state->pc);
	size_t before;

	buf_printf(to, "%s pc 0x%x ", risc_label(risc), state->pc);
	before = to->len;
	if (img)
		elf_describe(img, state->pc, state->ra, to);
	/* Code that nobody knows: who went there is known if it wants to come back. */
	if (to->len == before && (img = device_image_at(d, t, risc, state->ra - 4))) {
		buf_text(to, "called by ");
		elf_describe(img, state->ra - 4, 0, to);
	}
	if (to->at[to->len - 1] == ' ')
		to->at[--to->len] = 0;
}

static void add(struct stuck_list *l, struct device *d, struct tile t, int risc,
		const struct ttp_assert *failed)
{
	struct stuck s = { .tile = t, .risc = risc };

	if (failed && failed->risc_and_1 == (uint32_t)risc + 1)
		s.failed = *failed;
	if (d->port->ops->core)
		s.known = d->port->ops->core(d->port, t, risc, &s.state);
	vec_each (o, &l->at)
		if (o->risc == risc && o->known == s.known && o->state.pc == s.state.pc) {
			o->more++;
			return;
		}
	*vec_push(&l->at) = s;
}

/* As far as one can tell. */
static bool in_firmware(struct device *d, struct tile t, int risc)
{
	struct core_state at;

	if (!d->port->ops->core || !d->port->ops->core(d->port, t, risc, &at))
		return true;
	return device_image_at(d, t, risc, at.pc) == &d->firmware[risc];
}

static void add_tile(struct stuck_list *l, struct device *d, struct tile t,
		     const struct ttp_mailbox *m)
{
	bool others = false;

	for (int r = 1; r < RISCS; r++)
		if (m->sync[r] != TTP_RUN_DONE) {
			add(l, d, t, r, &m->failed);
			others = true;
		}
	/* BRISC waits in its firmware for the others, if it is done itself. */
	if (!others || !in_firmware(d, t, RISC_B))
		add(l, d, t, RISC_B, &m->failed);
}

static void tell(struct device *d, const struct stuck *s, struct buf *to)
{
	buf_printf(to, "tile (%d,%d)", s->tile.x, s->tile.y);
	if (s->more)
		buf_printf(to, " and %u more", s->more);
	buf_char(to, ' ');
	if (s->known)
		device_describe_core(d, s->tile, s->risc, &s->state, to);
	else
		buf_text(to, risc_label(s->risc));
	if (s->failed.risc_and_1)
		buf_printf(to, " stopped itself, code %u value 0x%x", s->failed.code,
			   s->failed.value);
	else if (s->state.what[0])
		buf_printf(to, " %s", s->state.what);
}

void device_describe_stuck(struct device *d, struct buf *to)
{
	struct stuck_list l = { 0 };
	unsigned overwritten = 0, left = 0;
	struct tile first = { 0 };

	vec_each (t, &d->running) {
		struct ttp_mailbox m;

		if (d->port->ops->read(d->port, *t, TTP_L1_MAILBOX, &m, sizeof(m), NULL) ||
		    m.go == TTP_RUN_DONE)
			continue;
		if (is_overwritten(&m)) {
			if (!overwritten++)
				first = *t;
			for (int r = 0; d->port->ops->core && r < RISCS; r++)
				if (d->tiles[t->y][t->x].loaded[r] && !in_firmware(d, *t, r))
					add(&l, d, *t, r, NULL);
			continue;
		}
		add_tile(&l, d, *t, &m);
	}
	if (overwritten)
		buf_printf(to, "the mailbox of tile (%d,%d), L1 0x%x to 0x%x, was overwritten%s%s",
			   first.x, first.y, TTP_L1_MAILBOX,
			   (unsigned)(TTP_L1_MAILBOX + sizeof(struct ttp_mailbox)),
			   overwritten > 1 ? ", and those of other tiles" : "",
			   l.at.len ? "; " : "");
	for (size_t i = 0; i < l.at.len; i++) {
		if (i < PLACES_TOLD) {
			if (i)
				buf_text(to, "; ");
			tell(d, &l.at.at[i], to);
		} else {
			left += 1 + l.at.at[i].more;
		}
	}
	if (left)
		buf_printf(to, "; and %u more cores elsewhere", left);
	vec_release(&l.at);
}
