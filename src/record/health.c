// SPDX-License-Identifier: Apache-2.0
#include "record/health.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "device/spawn.h"
#include "record/run_engine.h"
#include "record/run_guard.h"
#include "wire/tracy.h"

enum { USUAL_PORT = 8086 };

static const char *variable(const char *name)
{
	const char *value = getenv(name); // NOLINT(concurrency-mt-unsafe)

	return value && *value ? value : NULL;
}

/* The first line that a program prints, without its end; false if it can't be run or fails. */
static bool line_of(const char *const *argv, struct buf *line)
{
	SCOPED(buf) struct buf out = { 0 }, ignored = { 0 };
	struct ttp_err e;
	int status = 0;
	bool good = !spawn_wait(argv, str_n("", 0), &out, &ignored, &status, &e) && !status;
	struct str rest = buf_view(&out), first;

	buf_clear(line);
	buf_text(line, "");
	if (good && str_split(&rest, '\n', &first))
		buf_str(line, first);
	return good;
}

/* ---- the client ---- */

static void look_at_client(struct health_part *p)
{
	static const char *const places[] = { "libttp.so.0",
					      "../lib/libttp.so.0",
					      "../lib/x86_64-linux-gnu/libttp.so.0",
					      "../lib/aarch64-linux-gnu/libttp.so.0",
					      "../lib64/libttp.so.0",
					      "../share/ttprof/python/ttprof/libttp.so.0" };
	const char *protocol = variable("TTP_PROTOCOL"), *off = variable("TTP_OFF");
	SCOPED(buf) struct buf own = { 0 }, path = { 0 };
	bool there = false;
	enum wire_key key;

	run_own_folder(&own);
	for (size_t i = 0; i < sizeof(places) / sizeof(*places) && !there; i++) {
		buf_set(&path, "%s/%s", own.at, places[i]);
		there = !access(path.at, R_OK);
	}
	p->good = true;
	if (off && strcmp(off, "0") != 0) {
		p->good = false;
		buf_text(&p->says, "is switched off by TTP_OFF: programs record nothing");
		buf_text(&p->fix, "unset TTP_OFF");
	} else if (protocol && strcmp(protocol, "tt") != 0 && strcmp(protocol, "upstream") != 0 &&
		   !wire_key_parse(protocol, strlen(protocol), &key)) {
		p->good = false;
		buf_printf(
			&p->says,
			"TTP_PROTOCOL=%s is no protocol that it speaks: 63 to 82, TT66 to TT83, tt, upstream",
			protocol);
		buf_text(&p->fix, "unset TTP_PROTOCOL");
	} else if (!there) {
		p->good = false;
		buf_text(
			&p->says,
			"libttp.so.0 is not where ttprof is from: programs that were linked with it do not start");
		buf_text(&p->fix, "make && make install");
	} else {
		buf_printf(&p->says, "libttp speaks Tracy's protocol%s",
			   protocol ? " " : "s 63 to 82, and tt-metal's");
		if (protocol)
			buf_printf(&p->says, "%s only: TTP_PROTOCOL", protocol);
	}
}

/* ---- the port ---- */

static void look_at_port(struct health_part *p)
{
	const char *asked = variable("TRACY_PORT");
	char *end = NULL;
	long port = asked ? strtol(asked, &end, 10) : USUAL_PORT;
	SCOPED(buf) struct buf who = { 0 };

	if (asked && (*end || port < 1 || port > 65535)) {
		buf_printf(&p->says, "TRACY_PORT=%s: a number from 1 to 65535 is wanted", asked);
		buf_text(&p->fix, "unset TRACY_PORT");
		return;
	}
	port_holder((int)port, &who);
	p->good = !who.len;
	if (p->good) {
		buf_printf(&p->says, "%ld is free: a program listens there for a Tracy GUI", port);
	} else {
		buf_printf(&p->says,
			   "%ld is taken (%s): programs without `ttprof run` can't listen there",
			   port, who.at);
		buf_printf(&p->fix, "TRACY_PORT=%ld, and the same in the GUI; or end that process",
			   port < 65535 ? port + 1 : port - 1);
	}
}

/* ---- Python ---- */

/* What it is; whether our extension is there for it; whose ttnn; whether pytest is there. */
static const char probe[] =
	"import sys, importlib.util as u\n"
	"if len(sys.argv) > 1: sys.path.insert(0, sys.argv[1])\n"
	"def there(name):\n"
	"    try: return u.find_spec(name) is not None\n"
	"    except Exception: return False\n"
	"ttnn = there('ttnn')\n"
	"print('%d.%d.%d' % sys.version_info[:3], sys.executable, int(there('ttprof') and there('ttprof._client')), "
	"int(ttnn), int(there('pytest')), sep='\\t')\n";

struct python {
	struct str version, path;
	bool extension, ttnn, pytest;
};

static bool ask_python(struct buf *line, struct python *py)
{
	SCOPED(buf) struct buf package = { 0 };
	bool found = run_package_folder(&package), good;
	const char *const argv[] = { "python3", "-c", probe, found ? package.at : NULL, NULL };
	struct str rest, cell[5];
	size_t n = 0;

	/* The stand-in must not be taken for the real one. */
	setenv("TTPROF_TTNN", "0", 1); // NOLINT(concurrency-mt-unsafe)
	good = line_of(argv, line);
	rest = buf_view(line);
	while (good && n < 5 && str_split(&rest, '\t', &cell[n]))
		n++;
	good = good && n == 5;
	if (good)
		*py = (struct python){ cell[0], cell[1], str_eq(cell[2], STR("1")),
				       str_eq(cell[3], STR("1")), str_eq(cell[4], STR("1")) };
	return good;
}

static void look_at_python(struct health_part *p, struct health_part *ttnn)
{
	SCOPED(buf) struct buf line = { 0 };
	struct python py = { 0 };

	if (!ask_python(&line, &py)) {
		buf_text(&p->says, "no python3 in the PATH: scripts are not profiled");
		buf_text(&p->fix, "apt install python3, or ttprof run --python PATH");
		buf_text(&ttnn->says, "needs Python");
		return;
	}
	p->good = py.extension;
	buf_printf(&p->says, "%.*s is %.*s; ", STR_ARG(py.path), STR_ARG(py.version));
	if (py.extension) {
		buf_printf(&p->says, "our package is there for it%s",
			   py.pytest ? ", and pytest" : "; pytest is not");
		if (!py.pytest && str_eq(py.path, STR("/usr/bin/python3")))
			buf_text(&p->fix,
				 "apt install python3-pytest, if tests are to be profiled");
		else if (!py.pytest)
			buf_printf(&p->fix,
				   "%.*s -m pip install pytest, if tests are to be profiled",
				   STR_ARG(py.path));
	} else {
		buf_text(
			&p->says,
			"our package was not built for it: scripts run, and nothing of Python is recorded");
		buf_printf(
			&p->fix,
			"%.*s -m pip install ./python, in a clone of ttprof; or ttprof run --python OTHER",
			STR_ARG(py.path));
	}
	ttnn->good = true;
	buf_text(&ttnn->says,
		 py.ttnn ? "is installed: signposts and zones go through its client"
			 : "is not installed: a stand-in on the embedded chip takes its place");
}

/* ---- a card ---- */

static void look_at_card(struct health_part *p)
{
	p->good = true;
	if (!access("/dev/tenstorrent", F_OK))
		buf_text(
			&p->says,
			"/dev/tenstorrent is there: programs of tt-metal use it, and `ttprof run` records them");
	else
		buf_text(&p->says, "none (/dev/tenstorrent): the embedded chip stands for one");
}

/* ---- what only the tests of pages need ---- */

static bool in_path(const char *name)
{
	SCOPED(buf) struct buf file = { 0 };

	return run_find_program(name, &file);
}

static void look_at_pages(struct health_part *p)
{
	bool node = in_path("node"), npm = in_path("npm");
	bool browser =
		in_path("chromium") || in_path("chromium-browser") || in_path("google-chrome");

	p->good = true; /* nobody needs them to profile */
	buf_printf(&p->says, "node %s, npm %s, chromium %s; only tests of pages need them",
		   node ? "is there" : "is missing", npm ? "is there" : "is missing",
		   browser ? "is there" : "is missing");
	if (!node || !npm || !browser)
		buf_printf(&p->fix, "apt install%s%s%s", node ? "" : " nodejs", npm ? "" : " npm",
			   browser ? "" : " chromium");
}

void health_look(struct health_part *parts)
{
#define X(part) parts[HEALTH_PART_##part] = (struct health_part){ .name = #part };
	HEALTH_PARTS(X)
#undef X
	look_at_card(&parts[HEALTH_PART_card]);
	look_at_client(&parts[HEALTH_PART_client]);
	look_at_port(&parts[HEALTH_PART_port]);
	look_at_python(&parts[HEALTH_PART_python], &parts[HEALTH_PART_ttnn]);
	look_at_pages(&parts[HEALTH_PART_pages]);
}

void health_release(struct health_part *parts)
{
	for (size_t i = 0; i < HEALTH_PART_COUNT; i++)
		RELEASE(buf, &parts[i].says, &parts[i].fix);
}

void health_print_fix(struct buf *b, const char *how)
{
	buf_printf(b, "           -> %s\n", how);
}

void health_print(const struct health_part *parts, struct buf *b)
{
	for (const struct health_part *p = parts; p < parts + HEALTH_PART_COUNT; p++) {
		buf_printf(b, "%-10s %s\n", p->name, p->says.at);
		if (p->fix.len)
			health_print_fix(b, p->fix.at);
	}
}

void health_json(const struct health_part *parts, struct json_writer *w)
{
	for (const struct health_part *p = parts; p < parts + HEALTH_PART_COUNT; p++) {
		json_put_object(w, p->name);
		json_put_bool(w, "good", p->good);
		json_put_text(w, "says", buf_view(&p->says));
		json_write_key(w, STR("mend"));
		if (p->fix.len)
			json_write_str(w, buf_view(&p->fix));
		else
			json_write_null(w);
		json_close_object(w);
	}
}
