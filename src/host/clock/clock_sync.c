// SPDX-License-Identifier: Apache-2.0
#include "host/clock/clock_sync.h"

#include <stdio.h>
#include <string.h>

#include "device/embedded_files.h"
#include "host/api/api_error.h"
#include "host/clock/host_clock.h"
#include "host/ops/op.h"

#define LOG_AREA "device"
#include "base/log.h"

#define SLEEP_NS    10000000 /* between two samples, as in tt-metal */
#define DONE_CYCLES 1000000  /* for the kernel to take a word, and to end */
#define TIME_BITS   44       /* of a marker's clock; the kernel's is cut to the same */
#define WORD_AT     (TTP_L1_PROF_CTRL + 4u * TTP_PROF_FW_RESET_L)
#define PAIRS_AT    (TTP_L1_PROF_BUFFER + 4u * TTP_PROF_CUSTOM)

static enum ttp_rc build(struct ttp_dev *d, struct ttp_err *e)
{
	struct ttp_cores core = TTP_CORE(0, 0);
	int subs = d->subs;
	struct ttp_kernel *k;
	struct buf text = { 0 };
	struct str file;
	char count[16];
	enum ttp_rc rc;

	if (d->sync.program)
		return TTP_OK;
	if (!device_file("fw/sync_kernel.c", &file))
		return ttp_fail(e, TTP_VERSION, "this build has no sync kernel");
	buf_str(&text, file);
	buf_char(&text, 0);
	d->sync.program = ttp_program_new(d);
	k = ttp_program_kernel_text(d->sync.program, "ttprof/sync_kernel.c", text.at, TTP_BRISC,
				    &core, 1);
	buf_release(&text);
	snprintf(count, sizeof(count), "%d", SYNC_SAMPLES);
	if (!k || ttp_kernel_define(k, "SYNC_SAMPLES", count))
		return ttp_fail(e, TTP_USAGE, "%s", ttp_device_error());
	d->subs = 0; /* nothing else runs */
	rc = program_build(d->sync.program, e);
	d->subs = subs;
	return rc;
}

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

static enum ttp_rc write_rows(struct ttp_dev *d, size_t taken, struct ttp_err *e)
{
	struct tile t = d->sync.program->built->work[0].tile;
	struct sync_rows rows = {
		.folder = d->settings.folder,
		.device = d->id,
		.core_x = t.x,
		.core_y = t.y,
		.samples = d->sync.samples.at + d->sync.samples.len - taken,
		.n = taken,
		.first_ns = d->sync.first_ns,
		.base_ns = op_recorded() ? ttp_base_ticks() : 0,
		.fit = &d->sync.fit,
	};

	return sync_log_add(&rows, e);
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
	rc = build(d, e);
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
	return d->settings.no_files ? TTP_OK : write_rows(d, taken, e);
}

void sync_release(struct ttp_dev *d)
{
	vec_release(&d->sync.samples);
}

int ttp_dev_clock(struct ttp_dev *d, struct ttp_dev_clock *clock, size_t size)
{
	struct ttp_dev_clock c = { 0 };
	const struct sync_fit *f;

	if (!d)
		return -1;
	if (!clock)
		return host_failed(TTP_USAGE, "ttp_dev_clock: no place for the clock is given");
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
			TTP_USAGE,
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
