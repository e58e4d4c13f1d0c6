// SPDX-License-Identifier: Apache-2.0
/*
 * A library with names of its own, which probe loads and unloads.  Built twice, with texts of the same length, so
 * that one has its names where the other had them.
 */
#include <ttp/client.h>

#ifndef WHICH
#define WHICH "one"
#endif

void plugin_call(void);
__attribute__((visibility("default"))) void plugin_call(void)
{
	static char block;

	TTP_ZONE("zone of " WHICH);
	ttp_message_literal("literal of " WHICH);
	ttp_plot_int("plot of " WHICH, 1);
	ttp_frame("frame of " WHICH);
	ttp_memory_alloc(&block, 1, "pool of " WHICH);
	ttp_memory_free(&block, "pool of " WHICH);
}

__attribute__((destructor)) static void goes(void)
{
	TTP_ZONE("end of " WHICH);
}
