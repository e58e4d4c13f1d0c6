// SPDX-License-Identifier: Apache-2.0
/*
 * Tenstorrent's libttsim as a device.
 *
 * The library ends its whole process on anything that it does not like, and can be opened once per
 * process only.  So it lives in a child: requests go over a socket, bytes through shared memory, and
 * what it prints is kept: when the child is gone, its last line is the error.  The child ends with
 * its parent.
 *
 *	parent                                   child
 *	request {op, tile, addr, len} ------>    window, libttsim_pci_mem_rd/wr_bytes
 *	         shared: bytes, watches          libttsim_clock
 *	reply {result, now}           <------
 *
 * Registers of the PCIe windows and BARs: as on silicon; see Tenstorrent's ttsim, docs/libttsim_api.md.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/paths.h"
#include "base/vec.h"
#include "chip/soc.h"
#include "device/port.h"

#ifndef SYS_close_range
#define SYS_close_range 436 /* on every processor; headers before Linux 5.9 don't have it */
#endif

#define BAR0            0x100000000ull
#define WINDOW_CONFIG   (BAR0 + 0x1FC00000u)
#define WH_WINDOW       166 /* the first of 16 MiB */
#define WH_WINDOW_AT    (BAR0 + 0x0B000000u)
#define WH_WINDOW_SHIFT 24
#define BH_WINDOW_AT    BAR0 /* number 0, of 2 MiB */
#define BH_WINDOW_SHIFT 21
#define PCI_WORMHOLE    0x401E1E52u
#define PCI_BLACKHOLE   0xB1401E52u

enum {
	SHARED_BYTES = 1 << 20,
	CLOCK_STEP = 32, /* cycles between two looks at the watches */
	LAST_WORDS = 512,
};

enum op { OP_READ, OP_WRITE, OP_READ32, OP_WRITE32, OP_WAIT, OP_END };

struct request {
	enum op op;
	struct tile tile;
	uint64_t addr, len; /* wait: number of watches; cycles */
};

struct reply {
	uint32_t result; /* enum wait_result of a wait; the word of OP_READ32 */
	uint64_t now;
};

struct ttsim {
	struct port port;
	pid_t child;
	int socket, output;
	uint8_t *shared;
	uint64_t now;
	char words[LAST_WORDS]; /* the line being printed, and the one before */
	char line[LAST_WORDS];
	size_t words_len;
	struct fault fault;
	bool gone;
};

static struct ttsim *ttsim_of(struct port *p)
{
	return (struct ttsim *)(void *)p;
}

/* ---- the child ---- */

struct lib {
	void (*init)(void);
	void (*clock)(uint32_t);
	uint32_t (*config_read)(uint32_t, uint32_t);
	void (*read)(uint64_t, void *, uint32_t);
	void (*write)(uint64_t, const void *, uint32_t);
	bool blackhole;
	uint64_t window; /* what it shows now: address >> shift, x, y; all ones at first */
};

static bool lib_open(struct lib *l, const char *path)
{
	void *so = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	const char *why = so ? NULL : dlerror();

	if (so) {
		/* POSIX lets a data pointer be a function's; ISO C has no cast for it. */
		*(void **)&l->init = dlsym(so, "libttsim_init");
		*(void **)&l->clock = dlsym(so, "libttsim_clock");
		*(void **)&l->config_read = dlsym(so, "libttsim_pci_config_rd32");
		*(void **)&l->read = dlsym(so, "libttsim_pci_mem_rd_bytes");
		*(void **)&l->write = dlsym(so, "libttsim_pci_mem_wr_bytes");
		if (l->init && l->clock && l->config_read && l->read && l->write) {
			l->init();
			l->window = UINT64_MAX;
			return true;
		}
		why = "this is not libttsim: it has no libttsim_init, _clock, _pci_config_rd32, _pci_mem_rd_bytes or _pci_mem_wr_bytes";
	}
	dprintf(STDOUT_FILENO, "%s\n", why ? why : "can't be loaded");
	return false;
}

/* Turns the window to `addr` of a tile; returns where that is, and in *most how far it goes. */
static uint64_t lib_window(struct lib *l, struct tile t, uint64_t addr, uint64_t *most)
{
	unsigned shift = l->blackhole ? BH_WINDOW_SHIFT : WH_WINDOW_SHIFT;
	uint64_t page = addr >> shift, low = addr & ((1ull << shift) - 1);
	uint64_t shows = page | (uint64_t)t.x << 48 | (uint64_t)t.y << 56;

	*most = (1ull << shift) - low;
	if (shows != l->window) {
		if (l->blackhole) {
			uint32_t words[3] = { (uint32_t)page,
					      (uint32_t)(page >> 32 & 0x7FF) | (uint32_t)t.x << 11 |
						      (uint32_t)t.y << 17,
					      1u << 6 };

			for (unsigned i = 0; i < 3; i++)
				l->write(WINDOW_CONFIG + 4 * i, &words[i], 4);
		} else {
			uint64_t word = page | (uint64_t)t.x << 12 | (uint64_t)t.y << 18 |
					1ull << 38; /* strict order */

			l->write(WINDOW_CONFIG + 8 * WH_WINDOW, &word, 8);
		}
		l->window = shows;
	}
	return (l->blackhole ? BH_WINDOW_AT : WH_WINDOW_AT) + low;
}

static void lib_copy(struct lib *l, bool write, struct tile t, uint64_t addr, uint8_t *bytes,
		     uint64_t len)
{
	while (len) {
		uint64_t most, at = lib_window(l, t, addr, &most);
		uint64_t n = len < most ? len : most;

		if (write)
			l->write(at, bytes, (uint32_t)n);
		else
			l->read(at, bytes, (uint32_t)n);
		addr += n;
		bytes += n;
		len -= n;
	}
}

static bool lib_holds(struct lib *l, const struct watch *watch)
{
	uint32_t word;

	lib_copy(l, false, watch->tile, watch->addr, (uint8_t *)&word, 4);
	return (word & watch->mask) == watch->value;
}

static enum wait_result lib_wait(struct lib *l, const struct watch *watch, uint64_t n,
				 uint64_t cycles, uint64_t *now)
{
	uint64_t next = 0; /* the first watch that did not hold yet */

	for (;;) {
		while (next < n && lib_holds(l, &watch[next]))
			next++;
		if (n && next == n) {
			/* All held once; do they hold now? */
			for (next = 0; next < n && lib_holds(l, &watch[next]);)
				next++;
			if (next == n)
				return WAIT_ALL;
		}
		if (!cycles)
			return WAIT_TIMEOUT;
		uint64_t step = cycles < CLOCK_STEP ? cycles : CLOCK_STEP;

		l->clock((uint32_t)step);
		*now += step;
		cycles -= step;
	}
}

static bool all_of(int fd, void *bytes, size_t len, bool write_it)
{
	uint8_t *at = bytes;

	while (len) {
		ssize_t n = write_it ? send(fd, at, len, MSG_NOSIGNAL) : recv(fd, at, len, 0);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		at += n;
		len -= (size_t)n;
	}
	return true;
}

static void __attribute__((noreturn)) child_main(const char *path, int socket, uint8_t *shared)
{
	struct lib l = { 0 };
	struct request q;
	struct reply r = { 0 };

	if (!lib_open(&l, path))
		_exit(1);
	r.result = l.config_read(0, 0);
	l.blackhole = r.result == PCI_BLACKHOLE;
	while (all_of(socket, &r, sizeof(r), true) && all_of(socket, &q, sizeof(q), false)) {
		switch (q.op) {
		case OP_READ:
		case OP_WRITE:
			lib_copy(&l, q.op == OP_WRITE, q.tile, q.addr, shared, q.len);
			break;
		case OP_READ32:
		case OP_WRITE32:
			r.result = (uint32_t)q.len;
			lib_copy(&l, q.op == OP_WRITE32, q.tile, q.addr, (uint8_t *)&r.result, 4);
			break;
		case OP_WAIT:
			r.result = lib_wait(&l, (const struct watch *)(const void *)shared, q.addr,
					    q.len, &r.now);
			break;
		case OP_END:
			_exit(0);
		}
	}
	_exit(0);
}

/* ---- the parent ---- */

/* Takes what the child printed; keeps its last whole line. */
static void listen_to(struct ttsim *s)
{
	char chunk[512];
	ssize_t n;

	while ((n = read(s->output, chunk, sizeof(chunk))) > 0 || (n < 0 && errno == EINTR))
		for (ssize_t i = 0; i < n; i++) {
			if (chunk[i] == '\n') {
				s->words[s->words_len] = 0;
				if (s->words_len)
					memcpy(s->line, s->words, s->words_len + 1);
				s->words_len = 0;
			} else if (s->words_len < LAST_WORDS - 1) {
				s->words[s->words_len++] = chunk[i];
			}
		}
}

static enum ttp_rc is_gone(struct ttsim *s, struct ttp_err *e)
{
	int status = 0;

	if (!s->gone) {
		s->gone = true;
		/* It may still be on its way out: its last line comes before the end of its output. */
		fcntl(s->output, F_SETFL, 0);
		listen_to(s);
		while (waitpid(s->child, &status, 0) < 0 && errno == EINTR)
			;
		s->child = 0;
		s->fault = (struct fault){ .risc = -1, .cycle = s->now };
		if (s->words_len && !s->line[0]) {
			s->words[s->words_len] = 0;
			memcpy(s->line, s->words, s->words_len + 1);
		}
		if (s->line[0])
			snprintf(s->fault.what, sizeof(s->fault.what), "libttsim: %.180s", s->line);
		else if (WIFSIGNALED(status))
			snprintf(s->fault.what, sizeof(s->fault.what),
				 "libttsim ended by signal %d", WTERMSIG(status));
		else
			snprintf(s->fault.what, sizeof(s->fault.what),
				 "libttsim ended with status %d and said nothing",
				 WEXITSTATUS(status));
	}
	return ttp_fail(e, TTP_GONE, "%s", s->fault.what);
}

static enum ttp_rc ask(struct ttsim *s, struct request q, struct reply *r, struct ttp_err *e)
{
	if (s->gone || !all_of(s->socket, &q, sizeof(q), true))
		return is_gone(s, e);
	/* A pipe that nobody reads would stop a child that prints a lot. */
	for (;;) {
		struct pollfd p[2] = { { .fd = s->socket, .events = POLLIN },
				       { .fd = s->output, .events = POLLIN } };

		if (poll(p, 2, -1) < 0 && errno != EINTR)
			return ttp_fail_errno(e, "poll");
		if (p[1].revents & POLLIN)
			listen_to(s);
		if (p[0].revents & (POLLIN | POLLHUP | POLLERR))
			break;
		if (p[1].revents & POLLHUP)
			break;
	}
	if (!all_of(s->socket, r, sizeof(*r), false))
		return is_gone(s, e);
	s->now = r->now;
	return TTP_OK;
}

static bool is_on_grid(const struct ttsim *s, struct tile t)
{
	return t.x < s->port.info.width && t.y < s->port.info.height &&
	       s->port.info.kind[t.y][t.x] != TILE_NONE;
}

/*
 * Anything outside the tile's memory would end libttsim, and with it the run; so it is refused here.
 */
static enum ttp_rc check(const struct ttsim *s, struct tile t, uint64_t addr, uint64_t len,
			 struct ttp_err *e)
{
	const struct port_info *info = &s->port.info;
	uint8_t kind;
	uint64_t end;

	if (!is_on_grid(s, t))
		return ttp_fail(e, TTP_USAGE, "there is no tile (%d,%d)", t.x, t.y);
	if (__builtin_add_overflow(addr, len, &end))
		return ttp_fail(e, TTP_USAGE, "address past the end");
	kind = info->kind[t.y][t.x];
	if (kind == TILE_DRAM && end > info->dram_bytes * (info->dram_channels == 12 ? 2 : 1))
		return ttp_fail(e, TTP_USAGE, "0x%llx is past the end of a DRAM channel",
				(unsigned long long)addr);
	if (kind == TILE_WORKER && addr < 0xFFB00000u && end > info->l1_bytes)
		return ttp_fail(e, TTP_USAGE, "0x%llx is past the end of L1",
				(unsigned long long)addr);
	return TTP_OK;
}

static enum ttp_rc copy(struct port *p, bool write, struct tile t, uint64_t addr, void *bytes,
			size_t len, struct ttp_err *e)
{
	struct ttsim *s = ttsim_of(p);
	uint8_t *at = bytes;
	struct reply r;
	enum ttp_rc rc = check(s, t, addr, len, e);

	while (!rc && len) {
		size_t n = len < SHARED_BYTES ? len : SHARED_BYTES;

		if (write)
			memcpy(s->shared, at, n);
		rc = ask(s, (struct request){ write ? OP_WRITE : OP_READ, t, addr, n }, &r, e);
		if (!rc && !write)
			memcpy(at, s->shared, n);
		addr += n;
		at += n;
		len -= n;
	}
	return rc;
}

static enum ttp_rc ttsim_read(struct port *p, struct tile t, uint64_t addr, void *to, size_t len,
			      struct ttp_err *e)
{
	return copy(p, false, t, addr, to, len, e);
}

static enum ttp_rc ttsim_write(struct port *p, struct tile t, uint64_t addr, const void *from,
			       size_t len, struct ttp_err *e)
{
	/* It is only read. */
	return copy(p, true, t, addr, (void *)(uintptr_t)from, len, e);
}

static enum ttp_rc ttsim_read32(struct port *p, struct tile t, uint64_t addr, uint32_t *word,
				struct ttp_err *e)
{
	struct reply r = { 0 };
	enum ttp_rc rc = check(ttsim_of(p), t, addr, 4, e);

	if (!rc)
		rc = ask(ttsim_of(p), (struct request){ OP_READ32, t, addr, 0 }, &r, e);
	*word = r.result;
	return rc;
}

static enum ttp_rc ttsim_write32(struct port *p, struct tile t, uint64_t addr, uint32_t word,
				 struct ttp_err *e)
{
	struct reply r;
	enum ttp_rc rc = check(ttsim_of(p), t, addr, 4, e);

	return rc ? rc : ask(ttsim_of(p), (struct request){ OP_WRITE32, t, addr, word }, &r, e);
}

static enum wait_result ttsim_wait(struct port *p, const struct watch *watch, size_t n,
				   uint64_t cycles)
{
	struct ttsim *s = ttsim_of(p);
	struct reply r = { 0 };

	if (n > SHARED_BYTES / sizeof(*watch))
		n = SHARED_BYTES / sizeof(*watch);
	for (size_t i = 0; i < n; i++)
		if (check(s, watch[i].tile, watch[i].addr, 4, NULL))
			return WAIT_TIMEOUT;
	if (n)
		memcpy(s->shared, watch, n * sizeof(*watch));
	if (ask(s, (struct request){ .op = OP_WAIT, .addr = n, .len = cycles }, &r, NULL))
		return WAIT_FAULT;
	return (enum wait_result)r.result;
}

static uint64_t ttsim_now(struct port *p)
{
	return ttsim_of(p)->now;
}

static const struct fault *ttsim_fault(struct port *p)
{
	struct ttsim *s = ttsim_of(p);

	return s->gone ? &s->fault : NULL;
}

static void ttsim_close(struct port *p)
{
	struct ttsim *s = ttsim_of(p);
	struct request q = { .op = OP_END };

	if (s->child > 0) {
		if (!all_of(s->socket, &q, sizeof(q), true))
			kill(s->child, SIGKILL);
		while (waitpid(s->child, NULL, 0) < 0 && errno == EINTR)
			;
	}
	if (s->shared)
		munmap(s->shared, SHARED_BYTES);
	RELEASE(fd, &s->socket, &s->output);
	free(s);
}

static const struct port_ops ttsim_ops = {
	.read = ttsim_read,
	.write = ttsim_write,
	.read32 = ttsim_read32,
	.write32 = ttsim_write32,
	.wait = ttsim_wait,
	.now = ttsim_now,
	.fault = ttsim_fault,
	.close = ttsim_close,
};

/* Blackhole in the letters of chip/soc.h, which has no table of it yet. */
static const char *const blackhole_rows[] = {
	"0.p.....a4.p.....", "0eeeeeee.4eeeeeee", "1wwwwwww.5wwwwwww", "1wwwwwww.5wwwwwww",
	"2wwwwwww.6wwwwwww", "3wwwwwww.7wwwwwww", "3wwwwwww.7wwwwwww", "3wwwwwww.7wwwwwww",
	"2wwwwwww.6wwwwwww", "2wwwwwww.6wwwwwww", "1wwwwwww.5wwwwwww", "0wwwwwww.4wwwwwww",
};

/* libttsim has all tiles of its chip. */
static void describe(struct port_info *info, bool blackhole)
{
	const char *const *rows = blackhole ? blackhole_rows : soc_wormhole.row;

	*info = (struct port_info){
		.arch = blackhole ? "blackhole" : soc_wormhole.arch,
		.driver = "ttsim",
		.width = blackhole ? 17 : soc_wormhole.width,
		.height = 12,
		.dram_channels = blackhole ? 8 : 12,
		.dram_bytes = blackhole ? 4278190080u : soc_wormhole.dram_channel_bytes,
		.l1_bytes = blackhole ? 1536 << 10 : soc_wormhole.l1_bytes,
		.dram_align = blackhole ? 64 : soc_wormhole.dram_align,
		.l1_align = soc_wormhole.l1_align,
		.clock_mhz = blackhole ? 1350 : soc_wormhole.clock_mhz,
		.time_kind = TIME_INSTRUCTIONS,
	};
	for (int y = 0; y < info->height; y++)
		for (int x = 0; x < info->width; x++) {
			char c = rows[y][x];

			info->kind[y][x] = c == 'w'   ? TILE_WORKER
					   : c == 'e' ? TILE_ETH
					   : c == 'p' ? TILE_PCIE
					   : c == 'a' ? TILE_ARC
					   : c == '.' ? TILE_NONE
						      : TILE_DRAM;
		}
}

/* glibc has a function for it from 2.34 on, Linux a call from 5.9 on. */
static void close_from(int first)
{
	long all = sysconf(_SC_OPEN_MAX);

	if (!syscall(SYS_close_range, (unsigned)first, ~0u, 0u))
		return;
	for (int fd = first; fd < (all > 0 && all < 65536 ? all : 65536); fd++)
		close(fd);
}

static enum ttp_rc start_child(struct ttsim *s, const char *path, struct ttp_err *e)
{
	int pair[2] = { -1, -1 }, out[2] = { -1, -1 };
	pid_t parent = getpid();

	s->shared =
		mmap(NULL, SHARED_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (s->shared == MAP_FAILED) {
		s->shared = NULL;
		return ttp_fail_errno(e, "shared memory");
	}
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) ||
	    pipe2(out, O_CLOEXEC | O_NONBLOCK)) {
		if (pair[0] >= 0) {
			close(pair[0]);
			close(pair[1]);
		}
		return ttp_fail_errno(e, "socketpair");
	}
	s->socket = pair[0];
	s->output = out[0];
	s->child = fork();
	if (s->child == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (getppid() != parent)
			_exit(1);
		fcntl(out[1], F_SETFL, 0);
		dup2(out[1], STDOUT_FILENO);
		dup2(out[1], STDERR_FILENO);
		/* Keep nothing of the parent's open: a file that it closes must be closed. */
		dup2(pair[1], 3);
		close_from(4);
		child_main(path, 3, s->shared);
	}
	close(pair[1]);
	close(out[1]);
	return s->child > 0 ? TTP_OK : ttp_fail_errno(e, "fork");
}

static enum ttp_rc ttsim_open(struct str rest, int id, struct port **out, struct ttp_err *e)
{
	struct ttsim *s = mem_zero(1, sizeof(*s));
	char path[4096];
	struct reply r;
	enum ttp_rc rc;

	(void)id;
	s->port.ops = &ttsim_ops;
	s->socket = s->output = -1;
	if (!rest.len || rest.len >= sizeof(path)) {
		rc = ttp_fail(e, TTP_USAGE,
			      "the path of the library is missing: ttsim:/path/to/libttsim_wh.so");
		goto fail;
	}
	memcpy(path, rest.at, rest.len);
	path[rest.len] = 0;
	rc = start_child(s, path, e);
	if (rc)
		goto fail;
	if (!all_of(s->socket, &r, sizeof(r), false)) {
		rc = is_gone(s, e);
		rc = ttp_wrap(e, rc, "%s", path);
		goto fail;
	}
	if (r.result != PCI_WORMHOLE && r.result != PCI_BLACKHOLE) {
		rc = ttp_fail(e, TTP_VERSION,
			      "%s: PCI id %08x is neither a Wormhole's nor a Blackhole's", path,
			      r.result);
		goto fail;
	}
	describe(&s->port.info, r.result == PCI_BLACKHOLE);
	*out = &s->port;
	return TTP_OK;
fail:
	ttsim_close(&s->port);
	return rc;
}

const struct port_driver port_ttsim = { "ttsim", "PATH", ttsim_open };
