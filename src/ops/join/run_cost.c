// SPDX-License-Identifier: Apache-2.0
#include "ops/join/ops_report.h"

#include "base/input.h"
#include "base/json.h"

/* A number of the object at hand; what is null stays 0. */
static void take(struct json_reader *r, struct run_cost *c, bool in_device)
{
	struct device_cost unused, *d = in_device ? &c->devices.at[c->devices.len - 1] : &unused;
	double device = -1, v;
	const struct {
		struct str name;
		double *to;
		bool in_device;
	} fields[] = {
		{ STR("host_zone_ns"), &c->host_zone_ns, false },
		{ STR("zone_cycles"), &d->zone_cycles, true },
		{ STR("error_ns"), &d->error_ns, true },
		{ STR("error_ppm"), &d->error_ppm, true },
		{ STR("device"), &device, true },
	};

	for (size_t i = 0; i < sizeof(fields) / sizeof(*fields); i++)
		if (fields[i].in_device == in_device && json_text_is(r, fields[i].name)) {
			if (json_next(r) == JSON_NUMBER && json_double(r, &v) && v >= 0 && v < 1e15)
				*fields[i].to = v;
			break;
		}
	if (device >= 0)
		d->device = (int64_t)device;
}

enum ttp_rc run_cost_read(struct run_cost *c, struct inputs *files, const char *path,
			  struct ttp_err *e)
{
	struct json_reader r;
	enum json_event ev;
	struct input in;
	enum ttp_rc rc = TTP_OK;
	int objects = 0;

	*c = (struct run_cost){ 0 };
	TTP_TRY(inputs_open(files, path, NULL, &in, e));
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
