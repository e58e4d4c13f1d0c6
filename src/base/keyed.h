// SPDX-License-Identifier: Apache-2.0
/*
 * Items of a vec that have keys: a u64map has the number of each.
 *
 *	uint32_t n = keyed_at(&c->index, tid, &c->threads, (struct thread){ .tid = tid });
 *
 * is the number of the item with this key; where there is none, one is added, and only then is its value worked out.
 */
#ifndef TTP_BASE_KEYED_H
#define TTP_BASE_KEYED_H

#include "base/map.h"
#include "base/vec.h"

#define keyed_at(map, key, v, ...)                                                           \
	__extension__({                                                                      \
		bool added_;                                                                 \
		uint32_t at_ = u64map_get_or_put((map), (key), (uint32_t)(v)->len, &added_); \
                                                                                             \
		if (added_)                                                                  \
			*vec_push(v) = __VA_ARGS__;                                          \
		at_;                                                                         \
	})
/* The item itself, until the next one is added.  (`v` may move: its block is looked up afterwards.) */
#define keyed_item(map, key, v, ...)                                 \
	__extension__({                                              \
		uint32_t item_ = keyed_at(map, key, v, __VA_ARGS__); \
                                                                     \
		&(v)->at[item_];                                     \
	})

/* Keys alone: true for each when it comes first. */
static inline bool keyed_is_new(struct u64map *seen, uint64_t key)
{
	bool added;

	(void)u64map_get_or_put(seen, key, 0, &added);
	return added;
}

#endif /* TTP_BASE_KEYED_H */
