// SPDX-License-Identifier: Apache-2.0
/*
 * A device is memory plus a clock.
 *
 * Everything that is done to a chip, loading, launching, reading the profiler's buffers, is written
 * once on these few functions; the embedded chip (src/sim), Tenstorrent's simulator (port_ttsim.c)
 * and a card are behind them.
 *
 * Time passes on a simulator in wait() and idle() only, so a program that drives one is deterministic if its own clock is.
 * Coordinates are those of NoC 0, physical; src/device/coord.h turns others into them.
 *
 * A function that fails leaves the device usable, unless it says FAULT: then the chip stands still
 * (memory can be read) and port_fault() tells where.
 */
#ifndef TTP_DEVICE_PORT_H
#define TTP_DEVICE_PORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/marker_kinds.h"
#include "base/str.h"

struct tile {
	uint8_t x, y;
};

/* From `first` to `last`, both included; only the worker tiles in it are meant. */
struct tile_rect {
	struct tile first, last;
};

/* What a time of this device is. */
enum time_kind {
	TIME_REAL,         /* a card's clock */
	TIME_MODELLED,     /* cycles of a model */
	TIME_INSTRUCTIONS, /* one cycle an instruction (libttsim) */
};

enum tile_kind { TILE_NONE, TILE_WORKER, TILE_HARVESTED, TILE_DRAM, TILE_ETH, TILE_PCIE, TILE_ARC };

#define PORT_GRID_MAX 32

struct port_info {
	const char *arch;                           /* "wormhole_b0", as the device log says it */
	const char *driver;                         /* "sim", "ttsim" */
	int width, height;                          /* of the NoC's grid */
	uint8_t kind[PORT_GRID_MAX][PORT_GRID_MAX]; /* enum tile_kind, [y][x] */
	int dram_channels;
	uint64_t dram_bytes; /* of one channel */
	uint32_t l1_bytes;
	uint32_t dram_align, l1_align; /* of what a NoC moves */
	double clock_mhz;
	enum time_kind time_kind;
	/* Of a model: how fast its clock really goes, 0 if not known, and what it says at cycle 0.  Only who makes
	 * time pass, and tests, may look. */
	double true_mhz;
	uint64_t true_start;
};

/* A word of a tile, and what it must become: (word & mask) == value. */
struct watch {
	struct tile tile;
	uint64_t addr;
	uint32_t mask, value;
};

enum wait_result {
	WAIT_ALL,     /* every watch holds */
	WAIT_TIMEOUT, /* the cycles are used up */
	WAIT_IDLE,    /* no core can ever go on by itself: only the host can change something */
	WAIT_FAULT,   /* see port_fault() */
};

/* Cores of a worker tile, in the profiler's order: the first of enum risc. */
#define RISC_B  RISC_BRISC
#define RISC_NC RISC_NCRISC
#define RISC_T0 RISC_TRISC0
#define RISC_T1 RISC_TRISC1
#define RISC_T2 RISC_TRISC2
#define RISCS   RISC_ERISC

struct fault {
	struct tile tile;
	int risc; /* enum risc, or -1 if not a core's */
	uint32_t pc;
	uint64_t cycle;
	char what
		[200]; /* one line, without the core: "load of 4 bytes at 0xffb70000: nothing is there" */
};

/* What a core is at. */
struct core_state {
	uint32_t pc;
	uint32_t ra;   /* the register of return addresses, whatever it holds */
	char what[96]; /* what it waits for: "polls 0x9300, which is 0x0"; "" if it just runs */
};

struct port;

struct port_ops {
	enum ttp_rc (*read)(struct port *, struct tile, uint64_t addr, void *to, size_t,
			    struct ttp_err *);
	enum ttp_rc (*write)(struct port *, struct tile, uint64_t addr, const void *from, size_t,
			     struct ttp_err *);
	/* Exactly one access of 32 bits: for registers. */
	enum ttp_rc (*read32)(struct port *, struct tile, uint64_t addr, uint32_t *,
			      struct ttp_err *);
	enum ttp_rc (*write32)(struct port *, struct tile, uint64_t addr, uint32_t,
			       struct ttp_err *);
	/* NULL: the same bytes are written to one tile after the other. */
	enum ttp_rc (*write_many)(struct port *, struct tile_rect, uint64_t addr, const void *,
				  size_t, struct ttp_err *);
	/* Lets at most `cycles` pass, until all watches hold. */
	enum wait_result (*wait)(struct port *, const struct watch *, size_t n, uint64_t cycles);
	/*
	 * The host works, and the device does not wait for it: `cycles` pass.  False: this device's clock does not go on by
	 * itself, or it was asked not to.  NULL: the same.
	 */
	bool (*idle)(struct port *, uint64_t cycles);
	/* Cycles since the chip was opened, of the clock that has no offset. */
	uint64_t (*now)(struct port *);
	const struct fault *(*fault)(struct port *);
	/* False if it can't tell.  NULL: it never can. */
	bool (*core)(struct port *, struct tile, int risc, struct core_state *);
	/* Lets cycles pass on a device of which wait() has said that it is idle.  NULL: it never says so. */
	void (*pass)(struct port *, uint64_t cycles);
	void (*close)(struct port *);
	/*
	 * Draws how long a write of the host takes to arrive, and the answer to come back, in ns.  For models; NULL
	 * where it takes what it takes.
	 */
	void (*trip)(struct port *, uint32_t *there_ns, uint32_t *back_ns);
};

/* The first member of each driver's own struct. */
struct port {
	const struct port_ops *ops;
	struct port_info info;
};

/*
 * Opening a device by its name: the value of TTP_DEVICE, or what a program asks for.
 *
 *	sim			the embedded chip, as it comes
 *	sim:GRID		what the driver makes of the rest ("sim:8x8")
 *	ttsim:/path/lib.so	Tenstorrent's simulator
 *
 * This room knows libttsim only.  Whoever links the embedded chip gives its driver in the table, so
 * that a program without it stays small.
 */
struct port_driver {
	const char *name;     /* before the colon */
	const char *argument; /* what follows it, for messages: "PATH"; NULL if nothing may */
	/* `rest` is what follows the colon, empty if there is none; `id` the device's number. */
	enum ttp_rc (*open)(struct str rest, int id, struct port **, struct ttp_err *);
};

extern const struct port_driver port_ttsim;

/* `drivers` ends with NULL; the first is taken when `name` is empty.  On success port_close() it. */
enum ttp_rc port_open(const struct port_driver *const *drivers, struct str name, int id,
		      struct port **out, struct ttp_err *e) TTP_CHECKED;
/* `name` NULL: $TTP_DEVICE. */
enum ttp_rc port_open_default(const struct port_driver *const *drivers, const char *name, int id,
			      struct port **out, struct ttp_err *e) TTP_CHECKED;

#endif /* TTP_DEVICE_PORT_H */
