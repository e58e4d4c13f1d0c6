// SPDX-License-Identifier: Apache-2.0
#include "base/queue.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include <cmocka.h>

enum { PRODUCERS = 3, CONSUMERS = 3, PER_PRODUCER = 5000 };

static void nap(void)
{
	struct timespec t = { .tv_nsec = 20000000 };

	nanosleep(&t, NULL);
}

static void items_come_out_in_the_order_they_went_in(void **state)
{
	struct queue q;
	int v;

	(void)state;
	queue_init(&q, 3, sizeof(v));
	for (int round = 0; round < 5; round++) {
		for (v = 0; v < 2; v++)
			assert_true(queue_push(&q, &v));
		for (int want = 0; want < 2; want++) {
			assert_true(queue_pop(&q, &v));
			assert_int_equal(v, want);
		}
	}
	queue_release(&q);
}

static void trying_does_not_wait(void **state)
{
	struct queue q;
	int v = 1;

	(void)state;
	queue_init(&q, 1, sizeof(v));
	assert_false(queue_try_pop(&q, &v));
	assert_true(queue_try_push(&q, &v));
	assert_false(queue_try_push(&q, &v));
	assert_true(queue_try_pop(&q, &v));
	queue_release(&q);
}

static void a_closed_queue_refuses_and_drains(void **state)
{
	struct queue q;
	char wide[24] = "twenty-four bytes wide.", got[24];

	(void)state;
	queue_init(&q, 2, sizeof(wide));
	assert_true(queue_push(&q, wide));
	queue_close(&q);
	queue_close(&q);
	assert_false(queue_push(&q, wide));
	assert_false(queue_try_push(&q, wide));
	assert_true(queue_pop(&q, got));
	assert_string_equal(got, wide);
	assert_false(queue_pop(&q, got));
	queue_release(&q);
}

struct ends {
	struct queue *q;
	uint64_t first, sum, count;
	bool ok;
};

static void *produce(void *arg)
{
	struct ends *e = arg;

	for (uint64_t i = 0; i < PER_PRODUCER; i++) {
		uint64_t v = e->first + i;

		if (!queue_push(e->q, &v))
			return NULL;
	}
	e->ok = true;
	return NULL;
}

static void *consume(void *arg)
{
	struct ends *e = arg;
	uint64_t v;

	while (queue_pop(e->q, &v)) {
		e->sum += v;
		e->count++;
	}
	return NULL;
}

static void every_item_arrives_once_between_many_threads(void **state)
{
	pthread_t producer[PRODUCERS], consumer[CONSUMERS];
	struct ends in[PRODUCERS] = { 0 }, out[CONSUMERS] = { 0 };
	uint64_t sum = 0, count = 0, total = PRODUCERS * PER_PRODUCER;
	struct queue q;

	(void)state;
	queue_init(&q, 7, sizeof(uint64_t));
	for (int i = 0; i < CONSUMERS; i++) {
		out[i].q = &q;
		pthread_create(&consumer[i], NULL, consume, &out[i]);
	}
	for (int i = 0; i < PRODUCERS; i++) {
		in[i].q = &q;
		in[i].first = (uint64_t)i * PER_PRODUCER;
		pthread_create(&producer[i], NULL, produce, &in[i]);
	}
	for (int i = 0; i < PRODUCERS; i++) {
		pthread_join(producer[i], NULL);
		assert_true(in[i].ok);
	}
	queue_close(&q);
	for (int i = 0; i < CONSUMERS; i++) {
		pthread_join(consumer[i], NULL);
		sum += out[i].sum;
		count += out[i].count;
	}
	assert_int_equal(count, total);
	assert_int_equal(sum, total * (total - 1) / 2);
	queue_release(&q);
}

static void closing_wakes_a_producer_that_waits_for_room(void **state)
{
	struct ends in = { 0 };
	struct queue q;
	pthread_t t;

	(void)state;
	queue_init(&q, 1, sizeof(uint64_t));
	in.q = &q;
	pthread_create(&t, NULL, produce, &in);
	nap();
	queue_close(&q);
	pthread_join(t, NULL);
	assert_false(in.ok);
	queue_release(&q);
}

static void closing_wakes_a_consumer_that_waits_for_items(void **state)
{
	struct ends out = { 0 };
	struct queue q;
	pthread_t t;

	(void)state;
	queue_init(&q, 1, sizeof(uint64_t));
	out.q = &q;
	pthread_create(&t, NULL, consume, &out);
	nap();
	queue_close(&q);
	pthread_join(t, NULL);
	assert_int_equal(out.count, 0);
	queue_release(&q);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(items_come_out_in_the_order_they_went_in),
		cmocka_unit_test(trying_does_not_wait),
		cmocka_unit_test(a_closed_queue_refuses_and_drains),
		cmocka_unit_test(every_item_arrives_once_between_many_threads),
		cmocka_unit_test(closing_wakes_a_producer_that_waits_for_room),
		cmocka_unit_test(closing_wakes_a_consumer_that_waits_for_items),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
