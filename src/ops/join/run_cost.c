// SPDX-License-Identifier: Apache-2.0
#include "ops/join/run_cost.h"

#include "base/input.h"
#include "base/json.h"

/* A number of the object at hand; what is null stays 0. */
static void take(struct json_reader *r, struct run_cost *c, bool in_device)
{
	static const struct str names[] = { STR_INIT("host_zone_ns"), STR_INIT("zone_cycles"),
					    STR_INIT("error_ns"), STR_INIT("error_ppm"),
					    STR_INIT("device") };
	struct device_cost *d = in_device ? &c->devices.at[c->devices.len - 1] : NULL;
	double v;
	int which = -1;

	for (int i = 0; i < 5; i++)
		if (json_text_is(r, names[i]))
			which = i;
	if (which < 0 || (which > 0) != in_device || json_next(r) != JSON_NUMBER ||
	    !json_double(r, &v) || !(v >= 0 && v < 1e15))
		return;
	switch (which) {
	case 0:
		c->host_zone_ns = v;
		break;
	case 1:
		d->zone_cycles = v;
		break;
	case 2:
		d->error_ns = v;
		break;
	case 3:
		d->error_ppm = v;
		break;
	default:
		d->device = (int64_t)v;
	}
}

enum ttp_rc run_cost_read(struct run_cost *c, struct inputs *files, const char *path,
			  struct ttp_err *e)
{
	struct json_reader r;
	enum json_event ev;
	struct input in;
	enum ttp_rc rc;
	int objects = 0;

	*c = (struct run_cost){ 0 };
	rc = inputs_open(files, path, NULL, &in, e);
	if (rc)
		return rc;
	r = json_reader_of(in.data);
	/* { … "devices": [ { … "sync": { … } } ] } */
	while ((ev = json_next(&r)) > JSON_END) {
		if (ev == JSON_OBJECT_BEGIN && ++objects == 2)
			*vec_push(&c->devices) = (struct device_cost){ 0 };
		objects -= ev == JSON_OBJECT_END;
		if (ev == JSON_KEY)
			take(&r, c, objects >= 2);
	}
	if (ev == JSON_ERROR) {
		rc = json_fail(&r, e);
		rc = ttp_wrap(e, rc, "%s", path);
		run_cost_release(c);
	}
	input_close(&in);
	return rc;
}

double run_cost_of_zone(const struct run_cost *c, int64_t device)
{
	vec_each (d, &c->devices)
		if (d->device == device)
			return d->zone_cycles;
	return 0;
}

void run_cost_release(struct run_cost *c)
{
	vec_release(&c->devices);
	*c = (struct run_cost){ 0 };
}
