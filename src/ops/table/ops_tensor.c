// SPDX-License-Identifier: Apache-2.0
#include "ops/table/ops_tensor.h"

#include <stdlib.h>

#include "base/number.h"

enum { PLACES_MAX = 64 }; /* the largest ops have some twenty; INPUT_64 is a damaged header */

uint32_t tensor_set_add(struct tensor_set *set, const struct tensor *t)
{
	uint32_t number = intern_copy(&set->numbers, str_n((const char *)t, sizeof(*t)));

	if (number == set->all.len)
		*vec_push(&set->all) = *t;
	return number;
}

void tensor_set_release(struct tensor_set *set)
{
	vec_release(&set->all);
	intern_release(&set->numbers);
	*set = (struct tensor_set){ 0 };
}

static bool part_of(struct str name, enum tensor_part *part)
{
	static const struct {
		const char *name;
		enum tensor_part part;
	} parts[] = {
		{ "W_PAD[LOGICAL]", TENSOR_W },
		{ "Z_PAD[LOGICAL]", TENSOR_Z },
		{ "Y_PAD[LOGICAL]", TENSOR_Y },
		{ "X_PAD[LOGICAL]", TENSOR_X },
		{ "W", TENSOR_W },
		{ "Z", TENSOR_Z },
		{ "Y", TENSOR_Y },
		{ "X", TENSOR_X },
		{ "LAYOUT", TENSOR_LAYOUT },
		{ "DATATYPE", TENSOR_DATATYPE },
		{ "DATA TYPE", TENSOR_DATATYPE }, /* 2023 */
		{ "MEMORY", TENSOR_MEMORY },
	};

	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		if (str_eq(name, str_of(parts[i].name))) {
			*part = parts[i].part;
			return true;
		}
	return false;
}

bool tensor_column(struct str name, struct tensor_slot *slot, enum tensor_part *part)
{
	size_t cut;
	uint64_t index;

	slot->output = str_starts(name, STR("OUTPUT_"));
	if (!slot->output && !str_starts(name, STR("INPUT_")))
		return false;
	name = str_from(name, slot->output ? 7 : 6);
	cut = str_find_char(name, '_');
	if (cut == STR_NONE || !cut || name.at[0] < '0' || name.at[0] > '9' ||
	    !number_u64(str_head(name, cut), &index) || index >= PLACES_MAX)
		return false;
	slot->index = (uint16_t)index;
	return part_of(str_from(name, cut + 1), part);
}

bool tensor_dim(struct str text, int64_t *padded, int64_t *logical)
{
	size_t open = str_find_char(text, '[');
	double real;

	if (open != STR_NONE && str_ends(text, STR("]")))
		return number_i64(str_head(text, open), padded) &&
		       number_i64(str_n(text.at + open + 1, text.len - open - 2), logical);
	if (!number_i64(text, padded)) {
		/* pandas turns a column of integers with holes into 32.0 */
		if (!number_double(text, &real) || !(real > -9e15 && real < 9e15) ||
		    (double)(int64_t)real < real || (double)(int64_t)real > real)
			return false;
		*padded = (int64_t)real;
	}
	*logical = *padded;
	return true;
}
