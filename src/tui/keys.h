// SPDX-License-Identifier: Apache-2.0
/* Keys, from the bytes that a terminal sends for them. */
#ifndef TTP_TUI_KEYS_H
#define TTP_TUI_KEYS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

enum key_name {
	KEY_NONE, /* a sequence that means nothing here */
	KEY_CHAR, /* `code_point` */
	KEY_UP,
	KEY_DOWN,
	KEY_LEFT,
	KEY_RIGHT,
	KEY_PAGE_UP,
	KEY_PAGE_DOWN,
	KEY_HOME,
	KEY_END,
	KEY_ENTER,
	KEY_ESCAPE,
	KEY_BACKSPACE,
	KEY_TAB,
	KEY_BACK_TAB,
	/* no keys: */
	KEY_RESIZE, /* the screen has another size */
	KEY_CLOSED, /* the terminal is gone, or somebody asked us to end */
};

struct key {
	enum key_name name;
	uint32_t code_point; /* of KEY_CHAR */
	struct str text;     /* the same as bytes, of what was decoded */
};

enum { KEY_CTRL_C = 3, KEY_CTRL_L = 12, KEY_CTRL_Z = 26 }; /* code points of KEY_CHAR */

/*
 * The first key of `bytes` (not empty); how many bytes it has.  0: more may follow, which an Escape alone and the start of a sequence can't tell;
 * not if this is `all` that came.
 */
size_t key_decode(struct str bytes, bool all, struct key *key);

#endif /* TTP_TUI_KEYS_H */
