// SPDX-License-Identifier: Apache-2.0
#include "runs/run_clock.h"

#include <unistd.h>

#include "base/input.h"
#include "base/json.h"

static const struct {
	const char *times, *note;
} notes[] = {
	{ "modelled", "modelled time" },
	{ "instructions", "instructions counted" },
};

const char *run_clock_note(struct str overhead)
{
	struct json_reader r = json_reader_of(overhead);
	const char *note = NULL;
	enum json_event ev;
	bool is_times = false;

	while (!note && (ev = json_next(&r)) > JSON_END) {
		for (size_t i = 0; ev == JSON_STRING && is_times && !note && i < 2; i++)
			if (json_text_is(&r, str_of(notes[i].times)))
				note = notes[i].note;
		is_times = ev == JSON_KEY && json_text_is(&r, STR("times"));
	}
	return note;
}

const char *run_clock_note_of_file(const char *overhead_path)
{
	const char *note;
	struct input in;
	struct ttp_err e;

	if (access(overhead_path, R_OK) || input_open(&in, overhead_path, &e))
		return NULL;
	note = run_clock_note(in.data);
	input_close(&in);
	return note;
}
