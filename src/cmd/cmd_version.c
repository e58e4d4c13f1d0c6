// SPDX-License-Identifier: Apache-2.0
/* The version; CMake gives the HOUSE_ definitions to this file alone, so that a change rebuilds little. */
#include "base/json.h"
#include "cmd/cmd.h"

struct options {
	bool json;
};

#define OPTIONS struct options
static const struct opt opts[] = {
	OPTION_FLAG(0, "json", json, "print it as JSON, with what the build has"),
	{ 0 },
};

const struct opt_spec cmd_version_spec = {
	.prog = "ttprof version",
	.summary = "show the version and what it was built with",
	.opts = opts,
};

const char *cmd_version_text(void)
{
	return "ttprof " HOUSE_VERSION;
}

#ifdef __clang__
#define HOUSE_COMPILER __VERSION__ /* it begins with the name */
#else
#define HOUSE_COMPILER "gcc " __VERSION__
#endif

const char *cmd_build_text(void)
{
	return "built for " HOUSE_SYSTEM " " HOUSE_PROCESSOR " with " HOUSE_COMPILER;
}

#ifdef HOUSE_HTTP
enum { HAS_HTTP = true };
#else
enum { HAS_HTTP = false };
#endif

static void put_json(struct out *o)
{
	SCOPED(buf) struct buf b = { 0 };
	struct json_writer w = { .to = &b, .pretty = true };

	json_open_object(&w);
	json_put_text(&w, "schema", STR("ttprof.version/1"));
	json_put_text(&w, "version", STR(HOUSE_VERSION));
	json_put_text(&w, "system", STR(HOUSE_SYSTEM));
	json_put_text(&w, "processor", STR(HOUSE_PROCESSOR));
	json_put_text(&w, "compiler", STR(HOUSE_COMPILER));
	json_put_text(&w, "build_type", STR(HOUSE_BUILD_TYPE));
	json_put_bool(&w, "http", HAS_HTTP);
	json_close_object(&w);
	buf_text(&b, "\n");
	out_buf(o, &b);
}

int cmd_version(int argc, char **argv)
{
	struct options o = { 0 };
	struct opt_found found;
	int status;

	if (!cmd_options(&cmd_version_spec, argc, argv, &o, &found, &status))
		return status;
	if (o.json) {
		put_json(cmd_stdout());
		return 0;
	}
	out_printf(cmd_stdout(), "%s\n%s\n", cmd_version_text(), cmd_build_text());
	return 0;
}
