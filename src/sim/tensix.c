// SPDX-License-Identifier: Apache-2.0
#include "sim/tensix.h"
#include "sim/machine.h"

enum access tensix_store(struct hart *h, uint32_t offset, uint32_t value)
{
	(void)h, (void)offset, (void)value;
	return ACCESS_FAULT;
}
enum access tensix_load(struct hart *h, uint32_t offset, uint32_t *value)
{
	(void)h, (void)offset, (void)value;
	return ACCESS_FAULT;
}
bool tensix_unblocks(struct hart *h)
{
	(void)h;
	return false;
}
uint64_t tensix_advance(struct node *n, uint64_t t)
{
	(void)n, (void)t;
	return NEVER;
}
void tensix_free(struct tensix *x)
{
	(void)x;
}
