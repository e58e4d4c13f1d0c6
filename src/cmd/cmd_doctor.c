// SPDX-License-Identifier: Apache-2.0
/* What is here: the device, what kernels are compiled with, the client, Python, and which variables mean something. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/json.h"
#include "base/vec.h"
#include "base/width.h"
#include "cmd/cmd.h"
#include "cmd/keyed_text.h"
#include "device/compile.h"
#include "device/coord.h"
#include "device/launch.h"
#include "device/ready_kernel.h"
#include "host/api/device_port.h"
#include "host/api/device_settings.h"
#include "host/api/variables.h"
#include "record/health.h"

extern char **environ;

struct options {
	bool json, variables;
};

#define OPTIONS struct options
static const struct opt opts[] = {
	OPTION_FLAG(0, "json", json, "print the same as JSON"),
	OPTION_FLAG(0, "variables", variables,
		    "print all variables that there are, as a table in Markdown, and nothing else"),
	{ 0 },
};

static const struct opt_example examples[] = {
	{ "ttprof doctor", "what is here" },
	{ "TTP_DEVICE=ttsim:/opt/libttsim_wh.so ttprof doctor", "another device" },
	{ "ttprof doctor --json | jq .variables", "for programs" },
	{ "ttprof doctor --variables", "every variable: values, default, what it does" },
	{ 0 },
};

const struct opt_spec cmd_doctor_spec = {
	.prog = "ttprof doctor",
	.summary = "tell what is here, what is missing, and the line that mends it",
	.about =
		"Opens the device that programs would get (TTP_DEVICE), starts its firmware, and tells what it "
		"is. Then the compiler that kernels are compiled with, where they and the logs are kept; the "
		"client and its port, and who holds it; Python, and whether our package is there for it; and "
		"all variables of ours, of tt-metal and of Tracy that are set: what they do, or that nobody "
		"reads them. The first line is the verdict; \"->\" is what mends the line above it.\n\n"
		"The status is 0 if all is there that kernels need, 1 if something is missing or wrong: the "
		"device, the compiler, the folder that kernels are kept in, or a setting.",
	.opts = opts,
	.examples = examples,
};

struct device_found {
	bool there;
	struct port_info info;
	struct coord coord;
	struct ttp_err error;
};

struct set_variable {
	struct str name, value;
	const struct variable *known; /* NULL: nobody knows it */
	const char *meant;            /* what it may be a slip of, or NULL */
};

struct findings {
	const char *device_name;
	struct device_found device;
	const char *compiler, *compiler_version;
	struct ttp_err compiler_error;
	struct buf
		ready; /* the folder of kernels that came compiled; nothing where there is none */
	struct buf cache;
	struct ttp_err cache_error;
	struct host_settings settings;
	struct ttp_err settings_error;
	struct health_part parts[HEALTH_PART_COUNT];
	VEC(struct set_variable) variables;
};

static void look_at_device(struct device_found *d)
{
	struct port *port = NULL;
	struct device device;

	if (host_open_port(NULL, 0, false, &port, &d->error))
		return;
	if (!device_start(&device, port, 0, &d->error)) {
		d->there = true;
		d->info = port->info;
		d->coord = device.coord;
		device_stop(&device);
	}
	port->ops->close(port);
}

static int by_name(const void *a, const void *b)
{
	const struct set_variable *x = a, *y = b;

	return str_cmp(x->name, y->name);
}

static void look_at_variables(struct findings *f)
{
	for (char **at = environ; *at; at++) {
		struct str all = str_of(*at);
		size_t equals = str_find_char(all, '=');
		struct set_variable v = { str_head(all, equals), str_from(all, equals + 1), NULL,
					  NULL };

		if (equals == STR_NONE || !variable_is_ours(v.name))
			continue;
		v.known = variable_find(v.name);
		v.meant = v.known ? NULL : variable_meant(v.name);
		*vec_push(&f->variables) = v;
	}
	vec_sort(&f->variables, by_name);
}

/* A folder in which a file can be made. */
static enum ttp_rc can_be_written(const char *folder, struct ttp_err *e)
{
	SCOPED(buf) struct buf file = { 0 };
	enum ttp_rc rc = TTP_OK;
	int fd;

	buf_printf(&file, "%s/ttprof-doctor-XXXXXX", folder);
	fd = mkstemp(file.at);
	if (fd < 0) {
		rc = ttp_fail_errno(e, "%s", folder);
	} else {
		close(fd);
		(void)unlink(file.at);
	}
	return rc;
}

static const char *time_text(enum time_kind kind)
{
	return kind == TIME_REAL       ? "real"
	       : kind == TIME_MODELLED ? "modelled"
				       : "counts of instructions";
}

enum { KEY = 11 }; /* columns before what is said */

#define INSTALL_COMPILER "apt install gcc-riscv64-unknown-elf"

/* What kernels need and is not here, by name; what it returns is how many. */
static unsigned missing(const struct findings *f, struct buf *names)
{
	const struct {
		bool there;
		const char *name;
	} needed[] = { { f->device.there, "the device" },
		       { f->compiler || f->ready.len, "the compiler" },
		       { f->cache.at, "the folder that kernels are kept in" },
		       { !f->settings_error.rc, "a setting that can be used" } };
	unsigned n = 0;

	for (size_t i = 0; i < sizeof(needed) / sizeof(*needed); i++)
		if (!needed[i].there)
			buf_printf(names, "%s%s", n++ ? ", " : "", needed[i].name);
	return n;
}

/* The answer: is all here?  Then what else has something to be fixed. */
static void print_verdict(const struct findings *f, struct buf *b)
{
	SCOPED(buf) struct buf names = { 0 };
	unsigned n = missing(f, &names), others = 0;

	if (n)
		buf_printf(b, "= %u thing%s missing: %s", n, n == 1 ? " is" : "s are", names.at);
	else
		buf_text(b, "= all is here that kernels need");
	for (size_t i = 0; i < HEALTH_PART_COUNT; i++)
		if (!f->parts[i].good)
			buf_printf(b, "%s%s",
				   others++ ? ", " : "; not in order: ", f->parts[i].name);
	buf_char(b, '\n');
}

static void print_text(struct findings *f, struct buf *b)
{
	const struct port_info *i = &f->device.info;

	print_verdict(f, b);
	buf_printf(b, "version    %s\n# What kernels need\n", cmd_version_text());
	if (f->device.there)
		buf_printf(
			b,
			"device     %s: %s, %d x %d worker cores, %.0f MHz, %d DRAM banks of %llu MiB, "
			"%u KiB of L1 per core; times are %s\n",
			f->device_name, i->arch, f->device.coord.columns, f->device.coord.rows,
			i->clock_mhz, f->device.coord.banks,
			(unsigned long long)(f->device.coord.bank_bytes >> 20), i->l1_bytes >> 10,
			time_text(i->time_kind));
	else {
		buf_printf(b, "device     %s: error: %s\n", f->device_name, f->device.error.msg);
		if (strcmp(f->device_name, "sim") != 0)
			health_print_fix(b,
					 "unset TTP_DEVICE: the embedded chip, sim, needs nothing");
	}
	if (f->compiler)
		buf_printf(b, "compiler   %s: %s\n", f->compiler, f->compiler_version);
	else if (f->ready.len)
		buf_printf(b, "compiler   none: kernels of %s run, your own need one\n",
			   f->ready.at);
	else
		buf_printf(b, "compiler   none: error: %s\n", f->compiler_error.msg);
	if (!f->compiler)
		health_print_fix(b,
				 getenv("TTP_RISCV_CC") ? "unset TTP_RISCV_CC" : INSTALL_COMPILER);
	if (f->cache.at)
		buf_printf(b, "kernels    are kept in %s\n", f->cache.at);
	else {
		buf_printf(b, "kernels    can't be kept: error: %s\n", f->cache_error.msg);
		health_print_fix(b, "TTP_CACHE=a folder that can be written");
	}
	if (f->settings_error.rc)
		buf_printf(b, "settings   error: %s\n", f->settings_error.msg);
	else
		buf_printf(b, "logs       in %s\n", f->settings.folder);
	buf_text(b, "# What is recorded, and how\n");
	health_print(f->parts, b);
	buf_text(b, "# Variables that are set\n");
	if (!f->variables.len)
		buf_text(b, "variables  none is set\n");
	vec_each (v, &f->variables) {
		buf_printf(b, "variable   %.*s=", STR_ARG(v->name));
		width_clean(b, v->value); /* also of line breaks */
		buf_char(b, '\n');
		if (v->known && v->known->status == VARIABLE_READ)
			buf_printf(b, "           %s\n", v->known->does);
		else if (v->known && v->known->status == VARIABLE_ABSENT)
			buf_printf(b, "           does nothing here: %s\n", v->known->does);
		else if (v->known)
			buf_text(b, "           of tt-metal; does nothing here\n");
		else if (v->meant)
			buf_printf(b, "           nobody reads it; did you mean %s?\n", v->meant);
		else
			buf_text(b, "           nobody reads it\n");
	}
}

static void json_text(struct json_writer *w, const char *key, const char *value)
{
	json_write_key(w, str_of(key));
	if (value)
		json_write_str(w, str_of(value));
	else
		json_write_null(w);
}

static void print_json(struct findings *f, struct buf *b)
{
	struct json_writer w = { .to = b, .pretty = true };
	const struct port_info *i = &f->device.info;

	json_open_object(&w);
	json_text(&w, "version", cmd_version_text());
	json_put_array(&w, "devices");
	json_open_object(&w);
	json_text(&w, "name", f->device_name);
	if (f->device.there) {
		json_text(&w, "arch", i->arch);
		json_text(&w, "driver", i->driver);
		json_put_count(&w, "grid_x", (uint64_t)f->device.coord.columns);
		json_put_count(&w, "grid_y", (uint64_t)f->device.coord.rows);
		json_put_number(&w, "clock_mhz", i->clock_mhz);
		json_put_count(&w, "dram_banks", (uint64_t)f->device.coord.banks);
		json_put_count(&w, "dram_bank_bytes", f->device.coord.bank_bytes);
		json_put_count(&w, "l1_bytes", i->l1_bytes);
		json_text(&w, "times", time_text(i->time_kind));
	} else {
		json_text(&w, "error", f->device.error.msg);
	}
	json_close_object(&w);
	json_close_array(&w);
	json_text(&w, "compiler", f->compiler);
	json_text(&w, "compiler_version", f->compiler ? f->compiler_version : NULL);
	json_text(&w, "ready_kernels", f->ready.len ? f->ready.at : NULL);
	json_text(&w, "kernels", f->cache.at);
	json_text(&w, "logs", f->settings_error.rc ? NULL : f->settings.folder);
	json_text(&w, "settings_error", f->settings_error.rc ? f->settings_error.msg : NULL);
	health_json(f->parts, &w);
	json_put_array(&w, "variables");
	vec_each (v, &f->variables) {
		json_open_object(&w);
		json_put_text(&w, "name", v->name);
		json_put_text(&w, "value", v->value);
		json_put_bool(&w, "read", v->known && v->known->status == VARIABLE_READ);
		json_text(&w, "does", v->known ? v->known->does : NULL);
		json_text(&w, "did_you_mean", v->meant);
		json_close_object(&w);
	}
	json_close_array(&w);
	json_close_object(&w);
	buf_char(b, '\n');
}

int cmd_doctor(int argc, char **argv)
{
	struct options o = { 0 };
	struct findings f = { 0 };
	struct opt_found found;
	SCOPED(buf) struct buf b = { 0 }, lacks = { 0 };
	const char *name = getenv("TTP_DEVICE");
	int status;

	if (!cmd_options(&cmd_doctor_spec, argc, argv, &o, &found, &status))
		return status;
	if (o.variables) {
		SCOPED(buf) struct buf text = { 0 };
		variables_print(&text);
		opt_wrap_lines(&b, buf_view(&text), 2, 100);
		out_buf(cmd_stdout(), &b);
		return 0;
	}
	f.device_name = name && *name ? name : "sim";
	look_at_device(&f.device);
	if (compile_toolchain(&f.compiler, &f.compiler_version, &f.compiler_error))
		f.compiler = NULL;
	if (!getenv("TTP_RISCV_CC"))
		(void)ready_kernel_folder(&f.ready);
	if (compile_cache(&f.cache, &f.cache_error) || can_be_written(f.cache.at, &f.cache_error))
		buf_release(&f.cache);
	f.settings_error.rc = settings_read(&f.settings, &f.settings_error);
	look_at_variables(&f);
	health_look(f.parts);
	if (o.json) {
		print_json(&f, &b);
		out_buf(cmd_stdout(), &b);
	} else {
		print_text(&f, &b);
		keyed_text_print(&b, KEY);
	}
	status = missing(&f, &lacks) ? 1 : 0;
	RELEASE(buf, &f.cache, &f.ready);
	vec_release(&f.variables);
	health_release(f.parts);
	return status;
}
