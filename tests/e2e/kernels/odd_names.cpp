// SPDX-License-Identifier: Apache-2.0
// Names that break lists, and letters that are no ASCII; in templates and inline functions too.
#include <ttp/kernel.h>

template <int n> inline void in_a_template()
{
	DeviceZoneScopedN("template, \"quoted\"");
}

static inline void in_a_function()
{
	DeviceZoneScopedN("two\nlines\t50%");
}

void kernel_main()
{
	in_a_template<1>();
	in_a_template<2>();
	in_a_function();
	{
		DeviceZoneScopedN("Grüße-FW");
	}
	{
		DeviceZoneScopedN("MY-KERNEL");
		DeviceRecordEvent(65535);
	}
}
