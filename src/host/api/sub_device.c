// SPDX-License-Identifier: Apache-2.0
/* Sub-devices: parts of the grid whose programs run beside each other. */
#include <stdatomic.h>

#include "host/api/guarded_calls.h"
#include "host/host_device.h"

int call_dev_sub_devices(struct ttp_dev *d, const struct ttp_cores *cores, size_t n)
{
	static _Atomic int managers;
	struct ttp_err e;

	if (!d)
		return host_no("device");
	if (!cores && n)
		return host_null("ttp_dev_sub_devices", "cores");
	if (n > SUB_DEVICES_MAX)
		return host_failed("%zu sub-devices, at most %d", n, SUB_DEVICES_MAX);
	for (size_t i = 0; i < n; i++) {
		if (!cores_in_grid(d, &cores[i]))
			return host_failed(
				"sub-device %zu: cores (%u,%u)-(%u,%u) are not in the grid", i,
				cores[i].x0, cores[i].y0, cores[i].x1, cores[i].y1);
		for (size_t k = 0; k < i; k++)
			if (cores_meet(&cores[i], &cores[k]))
				return host_failed("sub-devices %zu and %zu have cores in common",
						   k, i);
	}
	if (d->capturing)
		return host_failed("trace %u is being captured: end it first", d->capturing->id);
	if (queue_finish(d, &e))
		return host_fail(&e);
	for (size_t i = 0; i < n; i++)
		d->sub[i] = (struct sub_device){ cores[i], false };
	d->subs = (int)n;
	d->manager = n ? atomic_fetch_add(&managers, 1) + 1 : -1;
	vec_each (p, &d->programs)
		program_changed(*p);
	return n ? d->manager : 0;
}
