// SPDX-License-Identifier: Apache-2.0
#include "tui/keys.h"

#include "base/harmless.h"

enum { ESC = 27, LONGEST = 32 };

static enum key_name of_final(char final)
{
	switch (final) {
	case 'A':
		return KEY_UP;
	case 'B':
		return KEY_DOWN;
	case 'C':
		return KEY_RIGHT;
	case 'D':
		return KEY_LEFT;
	case 'H':
		return KEY_HOME;
	case 'F':
		return KEY_END;
	case 'Z':
		return KEY_BACK_TAB;
	case 'M':
		return KEY_ENTER;
	default:
		return KEY_NONE;
	}
}

/* ESC [ NUMBER ~ */
static enum key_name of_number(unsigned number)
{
	switch (number) {
	case 1:
	case 7:
		return KEY_HOME;
	case 4:
	case 8:
		return KEY_END;
	case 5:
		return KEY_PAGE_UP;
	case 6:
		return KEY_PAGE_DOWN;
	default:
		return KEY_NONE;
	}
}

/* Behind ESC [: parameters, then a letter or "~". */
static size_t decode_csi(struct str bytes, bool all, struct key *key)
{
	unsigned number = 0;

	for (size_t i = 2; i < bytes.len && i < LONGEST; i++) {
		char c = bytes.at[i];

		if (c >= '0' && c <= '9' && number < 1000)
			number = number * 10 + (unsigned)(c - '0');
		if (c < '@' || c > '~')
			continue;
		key->name = c == '~' ? of_number(number) : of_final(c);
		return i + 1;
	}
	if (bytes.len >= LONGEST) /* no terminal sends so much */
		return LONGEST;
	return all ? bytes.len : 0;
}

static size_t decode_escape(struct str bytes, bool all, struct key *key)
{
	if (bytes.len == 1) {
		key->name = KEY_ESCAPE;
		return all;
	}
	if (bytes.at[1] == '[')
		return decode_csi(bytes, all, key);
	if (bytes.at[1] == 'O' && bytes.len == 2)
		return all ? 2 : 0;
	if (bytes.at[1] == 'O') {
		key->name = of_final(bytes.at[2]);
		return 3;
	}
	if (bytes.at[1] == ESC) {
		key->name = KEY_ESCAPE;
		return 1;
	}
	return 2; /* with Alt: means nothing here */
}

/* Bytes that a character begins with so many. */
static size_t utf8_length(unsigned char first)
{
	return first < 0xc0 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
}

size_t key_decode(struct str bytes, bool all, struct key *key)
{
	unsigned char first = (unsigned char)bytes.at[0];

	*key = (struct key){ .name = KEY_NONE };
	switch (first) {
	case ESC:
		return decode_escape(bytes, all, key);
	case '\r':
	case '\n':
		key->name = KEY_ENTER;
		return 1;
	case '\t':
		key->name = KEY_TAB;
		return 1;
	case 8:
	case 127:
		key->name = KEY_BACKSPACE;
		return 1;
	default:
		if (utf8_length(first) > bytes.len && !all)
			return 0;
		key->name = KEY_CHAR;
		key->text = str_head(bytes, harmless_decode(bytes, &key->code_point));
		return key->text.len;
	}
}
