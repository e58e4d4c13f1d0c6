// SPDX-License-Identifier: Apache-2.0
/* A library with zones and literals of its own, which probe loads and unloads. */
#include <ttp/client.h>

void plugin_call(void);
__attribute__((visibility("default"))) void plugin_call(void)
{
	TTP_ZONE("in the plugin");
	ttp_message_literal("literal of the plugin");
}
