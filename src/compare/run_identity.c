// SPDX-License-Identifier: Apache-2.0
#include "compare/run_identity.h"

#include "base/sha256.h"

static void add_number(struct sha256 *hash, double v)
{
	sha256_add(hash, &v, sizeof(v));
}

void run_identity(struct buf *to, const struct op_sequence *s, const struct op_keys *keys)
{
	static const enum ops_col clocks[] = { OPS_DEVICE_ID, OPS_HOST_START, OPS_FW_START,
					       OPS_FW_END };
	const struct calls *c = s->calls;
	struct sha256 hash;

	sha256_begin(&hash);
	vec_each (p, &s->at) {
		struct str kind = intern_get(&keys->texts[SAME_KIND], p->key[SAME_KIND]);

		sha256_add(&hash, kind.at, kind.len);
	}
	vec_each (call, &c->all) {
		for (size_t i = 0; i < sizeof(clocks) / sizeof(*clocks); i++) {
			double v = 0;

			ops_real(c->table, clocks[i], call->row, &v);
			add_number(&hash, v);
		}
		add_number(&hash, call->time_ns);
		add_number(&hash, call->gap_ns);
	}
	sha256_end(&hash, to);
}
