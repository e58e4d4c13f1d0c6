// SPDX-License-Identifier: Apache-2.0
/*
 * Two chips never start at one moment, nor do their clocks go equally fast; and what the host writes takes a while to
 * arrive, now more, now less.  All of it is a function of the seed and the chip's number.
 */
#include "sim/machine.h"

#define START_MAX (3600ull * 1000000000) /* an hour at 1 GHz */

/* ns; in the range of a write over PCIe that is answered: no source was found for its spread. */
enum { TRIP_LEAST = 150, TRIP_SPREAD = 300, TRIP_LATE = 400 };

/* splitmix64 */
static uint64_t draw(uint64_t *state)
{
	uint64_t z = *state += 0x9E3779B97F4A7C15u;

	z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
	z = (z ^ z >> 27) * 0x94D049BB133111EBu;
	return z ^ z >> 31;
}

void own_clock(struct sim *s)
{
	uint64_t state = s->config.seed ^ (uint64_t)(s->config.chip + 1) << 48;
	double drift = s->config.drift_ppm;

	if (s->config.seed) {
		s->config.clock_start += draw(&state) % START_MAX;
		/* -1 .. 1 */
		drift *= (double)(int64_t)(draw(&state) >> 11) / (double)(1ull << 52) - 1;
	}
	for (int i = 0; i < 2; i++)
		s->trip_least[i] = TRIP_LEAST + (uint32_t)(draw(&state) % TRIP_SPREAD);
	s->trips = state;
	s->port.info.true_start = s->config.clock_start;
	/* Else its time passes in waits only. */
	if (!s->config.no_parking && !s->config.no_idling)
		s->port.info.true_mhz = s->port.info.clock_mhz * (1 + drift / 1e6);
}

/* Mostly near the shortest, at times far from it; one of 64 meets somebody else on the bus. */
static uint32_t late(uint64_t r)
{
	uint32_t a = (uint32_t)(r & 0xFFFF), b = (uint32_t)(r >> 16 & 0xFFFF);

	return (uint32_t)((uint64_t)a * b * TRIP_LATE >> 32) +
	       (r >> 58 ? 0 : (uint32_t)(r >> 32 & 0x3FFF));
}

/* A chip's way there and back are not equally long, which nobody can see from one end. */
void own_trip(struct port *p, uint32_t *there_ns, uint32_t *back_ns)
{
	struct sim *s = sim_of(p);

	*there_ns = s->trip_least[0] + late(draw(&s->trips));
	*back_ns = s->trip_least[1] + late(draw(&s->trips));
}
