// SPDX-License-Identifier: Apache-2.0
#include "cmd/compare_gate.h"

#include "base/input.h"
#include "cmd/cmd.h"

static struct gate_defaults defaults_of(const struct gate_options *o)
{
	return (struct gate_defaults){
		.min_percent = o->min_percent,
		.min_ns = o->min_ns,
		.inconclusive = o->inconclusive < 0 ? GATE_TELL : (enum gate_answer)o->inconclusive,
	};
}

/* A file that is not what it should be is wrong usage: nothing was measured by it. */
static enum ttp_rc as_usage(enum ttp_rc rc, const char *file, struct ttp_err *e)
{
	if (rc != TTP_FORMAT && rc != TTP_LIMIT && rc != TTP_USAGE)
		return rc;
	(void)ttp_wrap(e, rc, "%s", file);
	return e->rc = TTP_USAGE;
}

static enum ttp_rc read_rules(struct compare_gate *g, const struct gate_options *o,
			      struct ttp_err *e)
{
	struct gate_defaults d = defaults_of(o);
	struct input in;
	enum ttp_rc rc;

	TTP_TRY(input_open(&in, o->file, e));
	rc = as_usage(gate_read(&g->rules, in.data, &d, e), o->file, e);
	input_close(&in);
	/* the command line is nearer than the file */
	if (!rc && o->inconclusive >= 0)
		vec_each (rule, &g->rules.rules)
			rule->inconclusive = d.inconclusive;
	return rc;
}

static enum ttp_rc read_targets(struct compare_gate *g, const struct gate_options *o,
				struct ttp_err *e)
{
	struct str name = str_of(o->targets);
	struct input in;
	enum ttp_rc rc;

	if (str_ends(name, STR(".yaml")) || str_ends(name, STR(".yml")))
		return ttp_fail(
			e, TTP_USAGE,
			"%s: targets in YAML are tokens per second and accuracy of whole programs; an ops report measures neither: expected a JSON file with kernel_duration of ops",
			o->targets);
	TTP_TRY(input_open(&in, o->targets, e));
	rc = as_usage(targets_read(&g->targets, in.data, o->targets_part, e), o->targets, e);
	input_close(&in);
	return rc;
}

enum ttp_rc compare_gate_read(struct compare_gate *g, const struct gate_options *o,
			      struct ttp_err *e)
{
	struct gate_defaults d = defaults_of(o);

	*g = (struct compare_gate){ 0 };
	if (o->file)
		TTP_TRY(read_rules(g, o, e));
	if (o->targets)
		TTP_TRY(read_targets(g, o, e));
	if (o->check || o->check_ops)
		gate_add_run(&g->rules, &d);
	return o->check_ops ? gate_add_ops(&g->rules, &d, e) : TTP_OK;
}

static void write_junit(const void *what, struct out *out)
{
	gate_junit(what, out);
}

static void write_text(const void *what, struct out *out)
{
	out_str(out, buf_view(what));
}

enum ttp_rc compare_gate_judge(struct compare_gate *g, const struct gate_options *o,
			       const struct compare *c, int *status, struct ttp_err *e)
{
	struct gate_defaults d = defaults_of(o);
	SCOPED(buf) struct buf text = { 0 };

	gate_judge(&g->checks, &g->rules, c);
	if (o->targets)
		targets_judge(&g->checks, &g->targets, c, &d);
	*status = gate_status(&g->checks);
	if (o->junit)
		TTP_TRY(cmd_write(o->junit, write_junit, &g->checks, e));
	if (o->write_targets) {
		TTP_TRY(targets_write(&text, c, e));
		TTP_TRY(cmd_write(o->write_targets, write_text, &text, e));
		buf_clear(&text);
	}
	if (o->github) {
		gate_github(&text, &g->checks);
		cmd_tell(&text);
	}
	return TTP_OK;
}

const gate_checks *compare_gate_shown(const struct compare_gate *g, const struct gate_options *o)
{
	bool broken = false;

	/* --check alone says what the first sentence says already */
	vec_each (check, &g->checks)
		broken |= o->check_ops && check->result == CHECK_BROKEN;
	return o->file || o->targets || broken ? &g->checks : NULL;
}

void compare_gate_release(struct compare_gate *g)
{
	gate_release(&g->rules);
	targets_release(&g->targets);
	gate_checks_release(&g->checks);
}
