// SPDX-License-Identifier: Apache-2.0
/* names NAME: records one of everything that has a name, by this name; for run_screen. */
#include <stdio.h>
#include <string.h>
#include <ttp/client.h>

int main(int argc, char **argv)
{
	const char *name = argc > 1 ? argv[1] : "plain";
	size_t len = strlen(name);
	const struct ttp_location *at =
		ttp_location_intern(name, len, name, len, name, len, 7, 0xff0000);
	ttp_device core = ttp_device_new(0);

	ttp_thread_name(name);
	ttp_app_info(name, len);
	ttp_device_name(core, name, len);
	ttp_device_start(core, ttp_now(), 1000000, 1.0);
	for (uint64_t i = 0; i < 20; i++) {
		ttp_zone_begin(at);
		ttp_zone_text(name, len);
		ttp_zone_name(name, len);
		ttp_zone_end();
		ttp_device_zone(core, 1, at, 1000000 + i * 1000, 1000500 + i * 1000);
		ttp_frame(name);
		ttp_plot(name, (double)i);
		ttp_message(name, len);
	}
	ttp_signpost(name, name);
	puts("done");
	return 0;
}
