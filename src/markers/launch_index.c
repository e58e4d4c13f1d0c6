// SPDX-License-Identifier: Apache-2.0
#include "markers/launch_index.h"

#include "base/keyed.h"

/* So that one part of a key can't undo another. */
static uint64_t mixed(uint64_t v)
{
	v = (v ^ v >> 31) * 0x9e3779b97f4a7c15ull;
	return v ^ v >> 29;
}

static uint64_t hash_of(const struct launch_key *k)
{
	uint64_t place = (uint64_t)k->repeat << 32 | k->device;

	return mixed(mixed(mixed(k->run_id) ^ place) ^ (uint64_t)k->trace_id) ^
	       (uint64_t)k->session;
}

uint32_t launch_find(const struct launch_index *x, const struct launch_key *key)
{
	uint32_t i;

	for (uint64_t hash = hash_of(key); u64map_get(&x->numbers, hash, &i); hash++)
		if (launch_key_is(&x->all.at[i].key, key))
			return i;
	return LAUNCH_NONE;
}

uint32_t launch_put(struct launch_index *x, const struct launch_key *key)
{
	for (uint64_t hash = hash_of(key);; hash++) {
		uint32_t i =
			keyed_at(&x->numbers, hash, &x->all,
				 (struct launch_entry){ .key = *key, .follower = LAUNCH_NONE });

		if (launch_key_is(&x->all.at[i].key, key))
			return i;
	}
}

uint32_t launch_put_repeat(struct launch_index *x, uint32_t first, uint32_t n)
{
	struct launch_key key = x->all.at[first].key;

	if (!n)
		return first;
	key.repeat = n;
	if (x->all.at[first].repeats < n)
		x->all.at[first].repeats = n;
	return launch_put(x, &key);
}

/* A new one: the key as it is, or the next repeat of it. */
static uint32_t launch_put_next(struct launch_index *x, const struct launch_key *key)
{
	size_t known = x->all.len;
	uint32_t first = launch_put(x, key);

	return first == known ? first : launch_put_repeat(x, first, x->all.at[first].repeats + 1);
}

void launch_index_release(struct launch_index *x)
{
	vec_release(&x->all);
	u64map_release(&x->numbers);
}

static struct launch_key without_replay(const struct launch_key *key)
{
	return (struct launch_key){
		.run_id = key->run_id, .device = key->device, .trace_id = -1, .session = -1
	};
}

void launch_rows_add(struct launch_rows *x, const struct launch_key *key, uint32_t row)
{
	struct launch_key any = without_replay(key);

	(void)launch_put_next(&x->exact, key);
	*vec_push(&x->exact_row) = row;
	if (launch_put(&x->any, &any) == x->any_row.len)
		*vec_push(&x->any_row) = row;
}

uint32_t launch_rows_find(const struct launch_rows *x, struct launch_key key)
{
	struct launch_key any = without_replay(&key);
	struct launch_key numbered = any;
	uint32_t i = launch_find(&x->exact, &key);

	if (i == LAUNCH_NONE && key.session < 0) {
		numbered.session = (int64_t)key.repeat + 1;
		i = launch_find(&x->exact, &numbered);
	}
	if (i == LAUNCH_NONE && key.repeat) {
		key.repeat = 0;
		i = launch_find(&x->exact, &key);
	}
	if (i != LAUNCH_NONE)
		return x->exact_row.at[i];
	i = launch_find(&x->any, &any);
	return i == LAUNCH_NONE ? LAUNCH_NONE : x->any_row.at[i];
}

void launch_rows_release(struct launch_rows *x)
{
	RELEASE(launch_index, &x->exact, &x->any);
	RELEASE(vec, &x->exact_row, &x->any_row);
}
