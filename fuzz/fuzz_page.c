// SPDX-License-Identifier: Apache-2.0
/* Any file as a page: what is read of it is packed, no markup comes through, zones are in order, windows show all of them. */
#include <stdint.h>
#include <stdlib.h>

#include "memory_file.h"
#include "web/build.h"
#include "web/page_file.h"
#include "web/page_window.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool truth)
{
	if (!truth)
		abort();
}

static void check_lanes(const struct page *p)
{
	uint64_t zones = 0;

	for (uint32_t i = 0; i < p->order.len; i++) {
		const struct page_lane *l = &p->lanes.at[p->order.at[i]];
		int64_t at = 0;

		must(l->id == i && l->first == zones && l->texts.len <= l->zones.len);
		must(l->parent == PAGE_NONE || p->lanes.at[l->parent].id < i);
		vec_each (z, &l->zones) {
			must(z->start_ns >= at && z->dur_ns >= 0);
			at = z->start_ns + z->dur_ns;
			must(at <= p->span_ns && z->op <= p->ops_n);
			must(z->name < intern_count(&p->strings));
		}
		zones += l->zones.len;
	}
	must(zones == p->zones && p->order.len == p->lanes.len);
	must(p->span_ns >= 0 && p->span_ns < 1ll << 54);
}

static void check_windows(const struct page *p)
{
	struct page_window w = { .lanes = 1, .to_ns = p->span_ns + 1, .px = 3 };
	struct buf b = { 0 };

	for (uint32_t i = 0; i < p->order.len && i < 50; i++) {
		w.lane[0] = i;
		buf_clear(&b);
		page_window_json(p, &w, &b);
		must(b.len > 0);
	}
	buf_release(&b);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct page_request q = { 0 };
	struct packed_page k = { 0 };
	struct ttp_err e;
	struct page p;
	struct memory_file f;

	memory_file_open(&f, str_n((const char *)data, size));
	q.run = f.path;
	page_init(&p);
	if (!page_build(&p, &q, &e)) {
		check_lanes(&p);
		check_windows(&p);
		page_pack(&k, &p, "fuzz", 0, false);
		must(!memchr(k.manifest.at, '<', k.manifest.len) &&
		     !memchr(k.manifest.at, '>', k.manifest.len));
		must(str_is_utf8(buf_view(&k.manifest)));
		packed_page_release(&k);
	}
	page_release(&p);
	memory_file_close(&f);
	return 0;
}
