// SPDX-License-Identifier: Apache-2.0
/* Any bytes: the reader stops, and what it accepted is written and read again alike. */
#include <stdint.h>
#include <stdlib.h>

#include "base/json.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static enum json_event copy(struct str text, struct buf *to)
{
	struct json_reader r = json_reader_of(text);
	struct json_writer w = { .to = to };
	struct buf value = { 0 };
	enum json_event ev;

	while ((ev = json_next(&r)) > JSON_END) {
		buf_clear(&value);
		if (ev == JSON_KEY || ev == JSON_STRING)
			json_unescape(&r, &value);
		if (ev == JSON_OBJECT_BEGIN)
			json_open_object(&w);
		else if (ev == JSON_OBJECT_END)
			json_close_object(&w);
		else if (ev == JSON_ARRAY_BEGIN)
			json_open_array(&w);
		else if (ev == JSON_ARRAY_END)
			json_close_array(&w);
		else if (ev == JSON_KEY)
			json_write_key(&w, buf_view(&value));
		else if (ev == JSON_STRING)
			json_write_str(&w, buf_view(&value));
		else if (ev == JSON_NUMBER)
			json_write_raw(&w, r.text);
		else if (ev == JSON_BOOL)
			json_write_bool(&w, r.truth);
		else
			json_write_null(&w);
	}
	buf_release(&value);
	return ev;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str text = str_n((const char *)data, size);
	struct json_reader skipping = json_reader_of(text);
	struct buf once = { 0 }, twice = { 0 };
	enum json_event ev = copy(text, &once);

	json_next(&skipping);
	if (json_skip_value(&skipping) && json_next(&skipping) != ev)
		abort();
	if (ev == JSON_END) {
		if (copy(buf_view(&once), &twice) != JSON_END ||
		    !str_eq(buf_view(&once), buf_view(&twice)))
			abort();
	}
	buf_release(&once);
	buf_release(&twice);
	return 0;
}
