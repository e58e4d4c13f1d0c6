// SPDX-License-Identifier: Apache-2.0
#include "host/host_device.h"

#include <stdio.h>
#include <string.h>

#include "host/ops/op.h"

#define LOG_AREA "device"
#include "base/log.h"

#define SLEEP_NS    10000000 /* between two samples, as in tt-metal */
#define DONE_CYCLES 1000000  /* for the kernel to take a word, and to end */
#define TIME_BITS   44       /* of a marker's clock; the kernel's is cut to the same */
#define WORD_AT     (TTP_L1_PROF_CTRL + 4u * TTP_PROF_FW_RESET_L)
#define PAIRS_AT    (TTP_L1_PROF_BUFFER + 4u * TTP_PROF_CUSTOM)

/* One word to the kernel, and when.  Simulated time passes on the way there and back. */
static enum ttp_rc send(struct ttp_dev *d, struct tile t, int64_t start, struct sync_sample *s,
			uint32_t *word, struct ttp_err *e)
{
	struct port *p = d->port;
	uint32_t there = 0, back = 0;
	enum ttp_rc rc;

	p->ops->trip(p, &there, &back);
	s->sent = ttp_host_peek_ns();
	*word = (uint32_t)(s->sent - start);
	*word += !*word; /* 0 is no word */
	clock_pass(there);
	pace_device(d);
	clock_enter();
	rc = p->ops->write(p, t, WORD_AT, word, sizeof(*word), e);
	clock_leave();
	clock_pass(back);
	s->done = ttp_host_peek_ns();
	return rc;
}

/* A word was lost, and the kernel waits for more: it gets as many as it takes. */
static enum ttp_rc feed(struct ttp_dev *d, struct tile t, struct ttp_err *e)
{
	struct port *p = d->port;
	struct watch taken = { t, WORD_AT, UINT32_MAX, 0 };
	uint32_t word = 1;
	enum ttp_rc rc = TTP_GONE;

	for (int i = 0; rc && i < SYNC_SAMPLES; i++) {
		enum ttp_rc wrote = p->ops->write(p, t, WORD_AT, &word, sizeof(word), e);

		if (wrote)
			return wrote;
		if (p->ops->wait(p, &taken, 1, DONE_CYCLES) != WAIT_ALL)
			break;
		rc = launch_wait(&d->device, DONE_CYCLES, e);
	}
	if (rc)
		d->stuck = true;
	return rc ? ttp_wrap(e, rc, "the sync kernel does not end") : TTP_OK;
}

static uint64_t extend(uint64_t last, uint64_t time)
{
	uint64_t apart = (time - last) << (64 - TIME_BITS);

	return last + (uint64_t)((int64_t)apart >> (64 - TIME_BITS));
}

/* Pairs of the device, in the order of what was sent; words that are missing are skipped. */
static size_t take_pairs(struct ttp_dev *d, const uint32_t *pairs, struct sync_sample *sent,
			 const uint32_t *words)
{
	uint64_t high = pairs[0] & 0xFFF;
	uint32_t before = pairs[1];
	size_t next = 0, taken = 0;

	for (int i = 1; i <= SYNC_SAMPLES; i++) {
		size_t at = next;
		uint64_t time;

		high += pairs[2 * i] < before;
		before = pairs[2 * i];
		time = (high << 32 | before) & ((1ull << TIME_BITS) - 1);
		while (at < SYNC_SAMPLES && words[at] != pairs[2 * i + 1])
			at++;
		if (at == SYNC_SAMPLES)
			continue;
		next = at + 1;
		if (d->sync.samples.len)
			time = extend(d->sync.samples.at[d->sync.samples.len - 1].device, time);
		sent[at].device = time;
		*vec_push(&d->sync.samples) = sent[at];
		taken++;
	}
	d->sync.lost += SYNC_SAMPLES - taken;
	return taken;
}

static enum ttp_rc sample(struct ttp_dev *d, size_t *taken, struct ttp_err *e)
{
	struct sync_sample samples[SYNC_SAMPLES];
	uint32_t words[SYNC_SAMPLES], pairs[2 * (SYNC_SAMPLES + 1)] = { 0 };
	const struct built *b = d->sync.program->built;
	struct tile t = b->work[0].tile;
	int64_t start = ttp_host_peek_ns();
	enum ttp_rc rc;

	if (!d->sync.passes)
		d->sync.first_ns = start;
	pace_device(d);
	clock_enter();
	rc = launch(&d->device, b->work, b->work_n, 0, 0, e);
	clock_leave();
	for (int i = 0; !rc && i < SYNC_SAMPLES; i++) {
		clock_pass(SLEEP_NS);
		rc = send(d, t, start, &samples[i], &words[i], e);
	}
	if (rc)
		return rc;
	clock_enter();
	rc = launch_wait(&d->device, DONE_CYCLES, e);
	if (rc == TTP_LIMIT || (rc == TTP_GONE && !d->port->ops->fault(d->port)))
		rc = feed(d, t, e);
	if (!rc)
		rc = d->port->ops->read(d->port, t, PAIRS_AT, pairs, sizeof(pairs), e);
	clock_leave();
	pace_host(d);
	if (!rc)
		*taken = take_pairs(d, pairs, samples, words);
	d->sync.passes += !rc;
	return rc;
}

static void tell(const struct ttp_dev *d)
{
	const struct sync_fit *f = &d->sync.fit;
	char text[200];
	int n = snprintf(
		text, sizeof(text),
		"device %d: clock at %.9f GHz (+- %.4f ppm), host time of a cycle +- %.3f us, "
		"from %zu of %zu samples",
		d->id, f->ghz, sync_fit_error_ppm(f), sync_fit_error_ns(f, f->device) / 1000,
		f->kept, f->samples);

	log_info("%s", text);
	if (op_recorded())
		ttp_app_info(text, (size_t)n);
}

enum ttp_rc sync_run(struct ttp_dev *d, struct ttp_err *e)
{
	struct sync *s = &d->sync;
	size_t taken = 0;
	enum ttp_rc rc;

	if (!d->settings.sync)
		return TTP_OK;
	if (!d->pace.runs) {
		if (!s->passes)
			log_warn(
				"TT_METAL_PROFILER_SYNC: the clock of device %d (%s) does not go with host "
				"time, so there is nothing to find%s",
				d->id, d->port->info.driver,
				strcmp(d->port->info.driver, "sim") == 0
					? ": unset TTP_SIM_IDLE and TTP_SIM_PARK"
					: "");
		return TTP_OK;
	}
	rc = s->program ? TTP_OK
			: program_own(d, "sync_kernel.c", "SYNC_SAMPLES", SYNC_SAMPLES, &s->program,
				      e);
	rc = rc ? rc : sample(d, &taken, e);
	if (rc)
		return ttp_wrap(e, rc, "sync of device %d", d->id);
	if (s->lost)
		log_warn("device %d: the sync kernel missed %llu words", d->id,
			 (unsigned long long)s->lost);
	s->synced =
		sync_fit(&s->fit, s->samples.at, s->samples.len, d->port->info.clock_mhz / 1000);
	if (!s->synced) {
		log_warn("device %d: its clock could not be found from %zu samples; its zones are "
			 "placed by their launches",
			 d->id, s->samples.len);
		return TTP_OK;
	}
	tell(d);
	return d->settings.no_files ? TTP_OK : sync_log_add(d, taken, e);
}

int ttp_dev_clock(struct ttp_dev *d, struct ttp_dev_clock *clock, size_t size)
{
	struct ttp_dev_clock c = { 0 };
	const struct sync_fit *f;

	if (!d)
		return -1;
	if (!clock)
		return host_failed("ttp_dev_clock: no place for the clock is given");
	f = &d->sync.fit;
	c.synced = d->sync.synced;
	c.ghz = d->port->info.clock_mhz / 1000;
	if (c.synced) {
		c.cycles = f->device;
		c.host_ns = f->host;
		c.ghz = f->ghz;
		c.error_ns = sync_fit_error_ns(f, f->device);
		c.error_ppm = sync_fit_error_ppm(f);
		c.samples = (uint32_t)f->samples;
		c.kept = (uint32_t)f->kept;
	}
	memcpy(clock, &c, size < sizeof(c) ? size : sizeof(c));
	if (size > sizeof(c))
		memset((char *)clock + sizeof(c), 0, size - sizeof(c));
	return 0;
}

int ttp_dev_host_time(struct ttp_dev *d, uint64_t cycles, int64_t *host_ns, double *error_ns)
{
	int64_t whole;
	double part;

	if (!d)
		return -1;
	if (!d->sync.synced)
		return host_failed(
			"device %d is not synced with the host: TT_METAL_PROFILER_SYNC=1 "
			"and TT_METAL_DEVICE_PROFILER=1 do that",
			d->id);
	part = sync_fit_host_ns(&d->sync.fit, cycles, &whole);
	if (host_ns)
		*host_ns = whole + (part >= 0.5);
	if (error_ns)
		*error_ns = sync_fit_error_ns(&d->sync.fit, cycles);
	return 0;
}
