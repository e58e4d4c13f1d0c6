// SPDX-License-Identifier: Apache-2.0
#include "host/logs/noc_trace.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <ttp/kernel/layout.h>

#include "base/exhausted.h"
#include "base/json.h"
#include "base/order.h"
#include "base/out.h"
#include "wire/run_names.h"

enum { TRANSLATED = 16 }; /* smaller coordinates are physical, of the NoC that was used */

static const char *const type_names[] = {
	[1] = "READ",
	[2] = "READ_SET_STATE",
	[3] = "READ_SET_TRID",
	[4] = "READ_WITH_STATE",
	[11] = "WRITE_",
	[14] = "WRITE_INLINE",
	[15] = "WRITE_MULTICAST",
	[27] = "SEMAPHORE_INC",
	[30] = "SEMAPHORE_SET_REMOTE",
	[31] = "SEMAPHORE_SET_MULTICAST",
};
enum { TYPE_WITH_STATE = 4, TYPE_MULTICAST = 15 };

void noc_trace_release(struct noc_trace *t)
{
	vec_release(&t->records);
	intern_release(&t->files);
}

bool noc_trace_wants(const struct device_marker *m, struct str zone)
{
	if (m->type == MARKER_DATA)
		return m->id == TTP_ID_NOC_TRACE;
	if (m->type != MARKER_ZONE_START && m->type != MARKER_ZONE_END)
		return false;
	if (str_ends(zone, STR("-FW")) || str_eq(zone, STR("PROFILER-NOC-QUICK-PUSH")))
		return false;
	return m->risc <= RISC_NC || !str_ends(zone, STR("-KERNEL"));
}

void noc_trace_add(struct noc_trace *t, const struct device_marker *m, uint32_t run, uint32_t trace,
		   uint32_t replay, struct str zone)
{
	uint32_t order = (uint32_t)t->records.len;

	*vec_push(&t->records) = (struct noc_record){
		run, trace, replay, m->tile, m->risc, m->type, order, m->cycles, m->data[0], zone,
	};
}

ORDER_BY(by_program, struct noc_record, run, trace, replay)
ORDER_BY(by_core, struct noc_record, tile.x, tile.y, risc)
ORDER_BY(by_time, struct noc_record, cycles, order)

static int by_place_and_time(const void *a, const void *b)
{
	int c = by_program(a, b);

	c = c ? c : by_core(a, b);
	return c ? c : by_time(a, b);
}

/* x and y as a request has them, on NoC 0 and physical. */
static struct tile place_of(const struct coord *c, unsigned noc, unsigned x, unsigned y)
{
	struct tile t = { (uint8_t)x, (uint8_t)y };

	if (x >= TRANSLATED && y >= TRANSLATED) {
		if (coord_from_xlat(c, (struct xlat_tile){ (uint8_t)x, (uint8_t)y }, &t))
			return t;
	} else if (noc && x < (unsigned)c->width && y < (unsigned)c->height) {
		return coord_from_noc1(c, (struct noc1_tile){ (uint8_t)x, (uint8_t)y });
	}
	return t;
}

/* Keys in the order of the alphabet, as tt-metal's JSON library has them. */
static void put_record(struct json_writer *w, const struct noc_trace_place *at,
		       const struct noc_record *r, struct str op)
{
	bool zone = r->type != MARKER_DATA;
	unsigned type = r->data & 0xFF, noc = ((r->data >> 40 & 0xF) - 1) & 1;
	struct tile to, end;
	bool known = type < sizeof(type_names) / sizeof(*type_names) && type_names[type];

	json_open_object(w);
	if (!zone) {
		to = place_of(at->coord, noc, r->data >> 8 & 0xFF, r->data >> 16 & 0xFF);
		end = place_of(at->coord, noc, r->data >> 24 & 0xFF, r->data >> 32 & 0xFF);
		if (type == TYPE_MULTICAST) {
			json_put_count(w, "mcast_end_x", end.x);
			json_put_count(w, "mcast_end_y", end.y);
			json_put_count(w, "mcast_start_x", to.x);
			json_put_count(w, "mcast_start_y", to.y);
		} else if (type != TYPE_WITH_STATE) {
			json_put_count(w, "dx", to.x);
			json_put_count(w, "dy", to.y);
		}
		json_put_text(w, "noc", noc ? STR("NOC_1") : STR("NOC_0"));
		json_put_count(w, "num_bytes", (r->data >> 48 & 0xFF) * 32);
	}
	json_put_text(w, "op_name", op);
	json_put_text(w, "proc", str_of(risc_label(r->risc)));
	json_put_count(w, "run_host_id", r->run);
	json_put_count(w, "src_device_id", (uint64_t)at->chip);
	json_put_count(w, "sx", r->tile.x);
	json_put_count(w, "sy", r->tile.y);
	json_put_count(w, "timestamp", r->cycles);
	if (zone) {
		json_put_text(w, "zone", r->zone);
		json_put_text(w, "zone_phase", str_of(marker_type_name((enum marker_type)r->type)));
	} else {
		json_put_text(w, "type", known ? str_of(type_names[type]) : STR("UNKNOWN"));
		json_put_count(w, "vc", r->data >> 44 & 0xF);
	}
	json_close_object(w);
}

static void name_file(struct buf *path, const struct noc_trace_place *at,
		      const struct noc_record *r, struct str op)
{
	buf_printf(path, "%s/" RUN_NOC_TRACE "dev%d", at->folder, at->chip);
	if (op.len)
		buf_char(path, '_');
	for (size_t i = 0; i < op.len; i++) /* a name of an op is no path */
		buf_char(path, op.at[i] == '/' || op.at[i] == '\0' ? '_' : op.at[i]);
	buf_printf(path, "_ID%u", r->run);
	if (r->trace != UINT32_MAX)
		buf_printf(path, "_traceID%llu", (unsigned long long)r->trace << 32 | r->replay);
	buf_text(path, ".json");
}

/* Begins the file, or goes on before the end of the array that this process wrote there. */
static enum ttp_rc open_file(struct noc_trace *t, const char *path, int *fd, bool *more,
			     struct ttp_err *e)
{
	static const char end[] = "\n]\n";
	char last[sizeof(end)] = "";
	off_t size;

	*more = intern_find(&t->files, str_of(path)) != INTERN_NONE;
	*fd = out_open(path, O_RDWR | O_CREAT | (*more ? 0 : O_TRUNC), 0666);
	if (*fd < 0)
		return ttp_fail_errno(e, "%s", path);
	held_fd(*fd);
	intern_copy(&t->files, str_of(path));
	if (!*more)
		return TTP_OK;
	size = lseek(*fd, 0, SEEK_END) - (off_t)strlen(end);
	if (size < 0 || pread(*fd, last, strlen(end), size) != (ssize_t)strlen(end) ||
	    strcmp(last, end) != 0) {
		(void)held_close(*fd);
		return ttp_fail(e, TTP_FORMAT, "%s was changed by somebody else meanwhile", path);
	}
	return ftruncate(*fd, size) || lseek(*fd, size, SEEK_SET) < 0
		       ? ((void)held_close(*fd), ttp_fail_errno(e, "%s", path))
		       : TTP_OK;
}

static enum ttp_rc write_program(struct noc_trace *t, const struct noc_trace_place *at,
				 const struct noc_record *from, const struct noc_record *to,
				 struct ttp_err *e)
{
	SCOPED(buf) struct buf path = { 0 }, text = { 0 };
	struct str op = STR("");
	struct out out;
	enum ttp_rc rc;
	uint32_t name;
	bool more;
	int fd;

	if (u64map_get(at->name_of, from->run, &name))
		op = intern_get(at->names, name);
	name_file(&path, at, from, op);
	rc = open_file(t, path.at, &fd, &more, e);
	if (!rc) {
		out_init(&out, fd, path.at);
		out_text(&out, more ? "" : "[");
		for (const struct noc_record *r = from; r < to; r++) {
			struct json_writer w = { .to = &text };

			buf_clear(&text);
			put_record(&w, at, r, op);
			out_text(&out, more ? ",\n" : "\n");
			out_str(&out, buf_view(&text));
			more = true;
		}
		out_text(&out, "\n]\n");
		rc = out_finish(&out, e);
		if (held_close(fd) && !rc)
			rc = ttp_fail_errno(e, "%s", path.at);
	}
	return rc;
}

enum ttp_rc noc_trace_write(struct noc_trace *t, const struct noc_trace_place *at,
			    struct ttp_err *e)
{
	const struct noc_record *r = t->records.at;
	enum ttp_rc rc = TTP_OK;
	size_t from = 0;

	if (t->records.len)
		qsort(t->records.at, t->records.len, sizeof(*r), by_place_and_time);
	for (size_t i = 1; !rc && i <= t->records.len; i++)
		if (i == t->records.len || by_program(&r[i], &r[from])) {
			rc = write_program(t, at, &r[from], &r[i], e);
			from = i;
		}
	vec_clear(&t->records);
	return rc;
}

static enum ttp_rc write_text(const char *folder, const char *name, struct str text,
			      struct ttp_err *e)
{
	char path[1200];
	int fd;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	fd = out_open(path, O_WRONLY | O_TRUNC, 0666);
	return fd < 0 ? ttp_fail_errno(e, "%s", path) : out_all(fd, path, text, e);
}

enum ttp_rc noc_trace_cluster(const char *folder, const int *chips, size_t n, struct ttp_err *e)
{
	SCOPED(buf) struct buf coordinates = { 0 }, topology = { 0 };

	buf_text(&coordinates, "{\"physical_chip_to_eth_coord\": {");
	buf_text(&topology, "{\"cluster_type\": \"N150\", \"device_id_to_fabric_node_id\": {");
	for (size_t i = 0; i < n; i++) {
		const char *between = i ? ", " : "";

		buf_printf(&coordinates,
			   "%s\"%d\": {\"rack\": 0, \"shelf\": 0, \"x\": %d, \"y\": 0}", between,
			   chips[i], chips[i]);
		buf_printf(&topology, "%s\"%d\": [%d, 0]", between, chips[i], chips[i]);
	}
	buf_text(&coordinates, "}}\n");
	buf_text(&topology, "}, \"eth_chan_to_coord\": {}, \"fabric_config\": \"DISABLED\", "
			    "\"mesh_shapes\": [");
	for (size_t i = 0; i < n; i++)
		buf_printf(&topology, "%s{\"mesh_id\": %d, \"shape\": [1, 1]}", i ? ", " : "",
			   chips[i]);
	buf_text(&topology, "], \"routing_planes\": []}\n");
	TTP_TRY(write_text(folder, RUN_NOC_CLUSTER, buf_view(&coordinates), e));
	return write_text(folder, RUN_NOC_TOPOLOGY, buf_view(&topology), e);
}
