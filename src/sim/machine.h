// SPDX-License-Identifier: Apache-2.0
/*
 * What the embedded chip is made of, for the files of this room.
 *
 *	struct sim	the chip: grid, worker tiles, DRAM, the NoC's links, packets under way
 *	struct node	a worker tile: L1, five cores, two NoC interfaces, compute
 *	struct hart	a core
 *
 * Time is cycles since sim_open().  Tiles run on their own through a window of cycles (phase A, by
 * several threads if wanted); what they send is then routed in the order of time (phase B, one thread).
 * No packet arrives in the window that it is sent in, so the outcome depends on neither the number of
 * threads nor the window.  Inside a tile, time goes in slices of SLICE cycles: what has arrived is
 * delivered, then each core runs to the end of the slice, in fixed order.
 */
#ifndef TTP_SIM_MACHINE_H
#define TTP_SIM_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "chip/soc.h"
#include "device/port.h"
#include "sim/code.h"
#include "sim/sim.h"
#include "ttp/tensix_macros.h"

#define SLICE       16u
#define WINDOW_MAX  32u
#define HOST_POLL   1024u /* cycles between looks at what the host waits for */
#define NEVER       UINT64_MAX
#define LOCAL_BASE  0xFFB00000u
#define IRAM_BASE   0xFFC00000u
#define NOCS        2
#define INITIATORS  4
#define COUNTERS    64
#define NIU_BASE    0xFFB20000u /* NoC 0; NoC 1 is NIU_STRIDE on */
#define NIU_STRIDE  0x10000u
#define NIU_COUNTER 0x200u
#define STREAMS     64
#define WATCHES_MAX 8
#define LOAD_SLOTS  4

#define LIKELY(x)   __builtin_expect(!!(x), 1)
#define UNLIKELY(x) __builtin_expect(!!(x), 0)

enum hart_state { HART_RESET, HART_RUN, HART_PARKED, HART_BLOCKED, HART_FAULT };

/* What a core waits for when HART_BLOCKED; the instruction is done again afterwards. */
enum hart_block { BLOCK_MAILBOX_EMPTY, BLOCK_MAILBOX_FULL, BLOCK_TENSIX_FULL, BLOCK_TENSIX_BUSY };

struct hart {
	uint32_t x[33]; /* 32 takes what is written to x0 */
	uint32_t pc;
	uint64_t t;     /* when the next instruction begins */
	uint64_t until; /* stop at the first check at or after it */
	uint64_t
		check; /* time of the last check: it tells the slice that the code at hand belongs to */
	uint64_t started; /* t when reset was left */
	uint64_t stalled; /* cycles since then in which no instruction began */
	uint64_t retired; /* before the last reset */
	uint64_t skipped; /* of all that are retired, rounds of parked loops */
	uint64_t store_free;
	uint64_t load_slot
		[LOAD_SLOTS]; /* when the oldest loads that are under way are done; a ring */
	uint32_t load_at;
	/* Waiting is charged to a load, not to who uses its result: so much of it is not over yet, until then. */
	uint64_t early, early_until;
	uint8_t state, id, block;
	uint8_t mailbox;   /* whose, when it waits for a word */
	bool waited;       /* for room in a mailbox: time has stood still since */
	bool polls;        /* came back to the head of its loop, clean: may be parked */
	bool dirty;        /* stored, or read what changes by itself, since the last back-edge */
	bool resync;       /* code pages or the state changed under the interpreter */
	bool wake;         /* something that a parked core looks at was written */
	bool mispredicted; /* since it was cleared */
	uint8_t *local;
	uint32_t local_bytes;
	struct node *node;

	/* the polling loop at hand */
	const struct uop *loop;
	uint32_t loop_skip, loop_backoff;
	uint64_t period, period_stalled; /* of the loop that it is parked in */
	uint32_t watch[WATCHES_MAX];
	int watches;
	uint64_t parked;

	uint8_t taken[256];  /* branch history, by address */
	uint32_t target[64]; /* where indirect jumps went last */
};

enum packet_kind {
	PACKET_READ,
	PACKET_WRITE,
	PACKET_ATOMIC,
	PACKET_DATA, /* answers: to a read */
	PACKET_ACK,  /* to a write */
	PACKET_OLD,  /* to an atomic */
	PACKET_SENT, /* not on the NoC: the last flit of a write has left */
};

struct packet {
	uint64_t t;     /* of what happens to it next */
	uint64_t order; /* among equal t: tile, then number in the tile */
	uint8_t kind, noc, id;
	bool reply, many, self, inline_data;
	uint8_t leg;         /* 0: to be routed, 1: at a DRAM tile */
	int16_t from, to;    /* positions on the grid, y * width + x */
	int16_t first, last; /* of a multicast: corners */
	uint64_t addr;       /* at the receiver */
	uint64_t answer;     /* where an answer goes at the sender */
	uint32_t len, op, value;
	uint64_t occupied; /* cycles / 256 that its flits take at the slowest hop so far */
	struct packet *next;
	int refs;
	struct packet *shared; /* multicast: whose data this is */
	uint32_t room;
	uint8_t data[];
};

/* Packets in the order of time; what is compared lies side by side. */
struct packet_slot {
	uint64_t t, order;
	struct packet *p;
};

struct packet_heap {
	struct packet_slot *at;
	size_t len, cap;
};

bool packet_heap_push(struct packet_heap *h, struct packet *p);
struct packet *packet_heap_pop(struct packet_heap *h);
static inline uint64_t packet_heap_time(const struct packet_heap *h)
{
	return h->len ? h->at[0].t : NEVER;
}

struct initiator {
	union {
		struct {
			uint32_t targ_lo, targ_mid, gap_2, ret_lo, ret_mid, gap_5, tag, ctrl, len,
				data;
		};
		uint32_t word[10]; /* by offset / 4 */
	};
	uint64_t busy_until;
};

struct niu {
	struct initiator initiator[INITIATORS];
	uint32_t counter[COUNTERS];
	uint32_t config[64]; /* 0x100 .. 0x1FF */
	uint64_t out_free;   /* cycles / 256: when the way out, and the way to itself, is free */
	uint64_t loop_free;
};

struct mailbox {
	uint32_t word[4];
	uint64_t t[4];
	int len;
};

/* Counters of the compute engine; the registers of <ttp/tensix_macros.h>. */
struct counters {
	uint64_t value[TTP_COUNTERS_N];
	uint64_t start, stop; /* cycles; stop 0: not yet */
};

#define COUNT(n, name, by) ((n)->counters.value[TTP_COUNT_##name] += (by))

struct tensix;

struct node {
	struct sim *sim;
	struct tile tile;
	int place; /* y * width + x */
	uint8_t *l1;
	uint32_t l1_bytes;
	uint64_t watch_bits; /* which 16-byte blocks of L1 (modulo 64) parked cores look at */
	struct code_page **page, **iram_page;
	uint8_t *iram;
	struct hart hart[RISCS];
	struct niu niu[NOCS];
	uint32_t soft_reset;
	uint32_t reset_pc[RISCS], trisc_override, nc_override;
	uint64_t clock_offset;
	uint32_t clock_latch;
	uint32_t stream[STREAMS][4];  /* remote_src, buf_start, buf_size, space_available */
	struct mailbox mailbox[4][4]; /* [writer][reader] */
	uint64_t mailbox_room[4];     /* when a word of this writer was last taken out */
	uint32_t semaphore[8];
	uint32_t debug[160]; /* registers at 0xFFB12000 that only keep what is written */
	uint32_t mover[5];
	struct tensix *tensix; /* made by first use */
	struct counters counters;

	struct packet_heap inbox;
	struct packet *outbox, **outbox_end;
	uint64_t packets;  /* sent so far */
	uint64_t slice;    /* that arrivals are delivered in, or when the host does something */
	struct hart *turn; /* the core that runs */
	uint64_t *next;    /* nothing happens here before; in sim->next */
	bool kick;         /* look again at the next slice */
	bool has_fault;
	struct fault fault;
};

struct dram {
	uint8_t *memory; /* one group */
	uint64_t bytes;
	uint64_t *touched;        /* a bit for each DRAM_GRAIN that was written */
	uint64_t channel_free[4]; /* cycles / 256 */
};

#define DRAM_GRAIN 65536u

struct place {
	uint8_t kind; /* enum tile_kind */
	int8_t dram;  /* group */
	struct node *node;
	uint64_t in_free[NOCS], out_free[NOCS]; /* cycles / 256; out of DRAM tiles */
	uint64_t link_x[NOCS], link_y[NOCS];    /* to the next tile along the axis */
	uint64_t stamp_x[NOCS], stamp_y[NOCS];  /* multicast: reserved for this packet already */
	uint64_t head_x[NOCS], head_y[NOCS];
};

struct crew;

struct sim {
	struct port port;
	const struct soc *soc;
	struct sim_config config;
	uint64_t now;
	uint32_t window;
	struct place *place;         /* width * height */
	struct node *node, **active; /* active: those that have something to do in a window */
	uint64_t *next;              /* of each node, side by side */
	int nodes;
	uint8_t *l1;
	size_t l1_total;
	struct dram *dram;
	uint8_t to_x[NOCS][64],
		to_y[NOCS][64]; /* coordinates of a NoC -> physical of NoC 0; 255: none */
	uint8_t logical_x[SOC_GRID_MAX], logical_y[SOC_GRID_MAX];
	struct packet_heap under_way;
	uint64_t stamp;
	struct code_store *code;
	struct crew *crew;
	uint64_t trips;         /* state of what trip() draws from */
	uint32_t trip_least[2]; /* ns, there and back */
	bool has_fault;
	struct fault fault;
};

/* fault.c: the device stops; the earliest fault of a window counts. */
void node_fault(struct node *n, int risc, uint32_t pc, uint64_t t, const char *fmt, ...)
	__attribute__((format(printf, 5, 6)));
/* Returns false, for who says whether something can be done. */
bool hart_fault(struct hart *h, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
const char *risc_name(int risc);

/* interpreter.c */
/* Runs until h->until, or until its state changes. */
void hart_run(struct hart *h);
/* The same to the next check, noting what is loaded from where. */
void hart_run_recording(struct hart *h);

/* registers.c: what is not L1 or local memory. */
enum access { ACCESS_OK, ACCESS_BLOCKED, ACCESS_FAULT };
enum access hart_load(struct hart *h, uint32_t addr, int bytes, uint32_t *value);
enum access hart_store(struct hart *h, uint32_t addr, int bytes, uint32_t value);
/* By the NoC or the host; false: nothing is there. */
bool node_register_read(struct node *n, uint32_t addr, uint64_t t, uint32_t *value);
bool node_register_write(struct node *n, uint32_t addr, uint64_t t, uint32_t value);
void node_drop_code(struct node *n, uint32_t addr, uint32_t len);
bool mailbox_unblocks(const struct hart *h);

/* tile.c */
uint64_t node_run(struct node *n, uint64_t to, bool alone);
/* [addr, addr + len) of L1, or a register, has changed: wakes who looks at it. */
void node_touch(struct node *n, uint32_t addr, uint32_t len);
/* A core that runs alone must stop at the end of its slice: something happens in the tile. */
void hart_end_slice(struct hart *h);
/* From outside of node_run(): something has changed, have a look. */
void node_kick(struct node *n);
void hart_reset(struct hart *h, uint64_t t, uint32_t pc);
/* Up to where it has been run, or would have been if it were not parked: the start of its next slice. */
uint64_t hart_turn(const struct hart *h);
/* Retired before `now`; of these, rounds of parked loops. */
uint64_t hart_instructions(const struct hart *h, uint64_t now, uint64_t *skipped);

/* niu.c */
enum access niu_load(struct hart *h, struct node *n, int noc, uint32_t offset, uint64_t t,
		     uint32_t *value);
enum access niu_store(struct hart *h, struct node *n, int noc, uint32_t offset, uint32_t value);
void niu_deliver(struct node *n, struct packet *p, uint64_t slice);
struct packet *packet_new(uint32_t room);
void packet_free(struct packet *p);

/* request.c: NULL after a fault. */
struct packet *request_make(struct hart *h, const struct initiator *q, int noc);

/* noc.c */
void noc_route(struct sim *s, struct node **senders, int count, uint64_t until);
uint64_t rate_ticks(uint32_t bytes, int rate);

/* dram.c */
bool dram_init(struct dram *d, uint64_t bytes);
void dram_release(struct dram *d);
void dram_read(struct dram *d, uint64_t addr, void *to, size_t len);
void dram_write(struct dram *d, uint64_t addr, const void *from, size_t len);

/* counters.c; offsets from TTP_TENSIX_BASE */
bool counters_have(uint32_t offset);
enum access counters_store(struct hart *h, uint32_t offset);
enum access counters_load(struct hart *h, uint32_t offset, uint32_t *value);

/* tensix.c */
enum access tensix_store(struct hart *h, uint32_t offset, uint32_t value);
enum access tensix_load(struct hart *h, uint32_t offset, uint32_t *value);
bool tensix_unblocks(struct hart *h);
/* Does all that begins or ends at or before `t`; returns when something happens next. */
uint64_t tensix_advance(struct node *n, uint64_t t);
void tensix_free(struct tensix *x);

/* schedule.c */
/* Lets them pass, whether or not anything happens. */
void sim_pass(struct sim *s, uint64_t cycles);
/* Nothing happens any more unless the host does something. */
bool sim_idle(const struct sim *s);
enum wait_result sim_wait(struct port *p, const struct watch *w, size_t n, uint64_t cycles);

/*
 * crew.c: one more thread for phase A.  Tiles of a window are taken from one list by whoever is free; as they don't
 * see each other, nothing depends on who took which.
 */
/* A NULL crew is the calling thread alone. */
enum ttp_rc crew_new(struct crew **out, struct ttp_err *e) TTP_CHECKED;
void crew_free(struct crew *c);
/* Runs each of the tiles to `end`. */
void crew_run(struct crew *c, struct node **nodes, int count, uint64_t end);

/* own_clock.c: what makes this chip's clock its own. */
void own_clock(struct sim *s);
void own_trip(struct port *p, uint32_t *there_ns, uint32_t *back_ns);

/* sim.c */
static inline struct sim *sim_of(struct port *p)
{
	return (struct sim *)p;
}
bool sim_word(struct sim *s, struct tile t, uint64_t addr, uint32_t *value);

static inline uint64_t min_u64(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static inline uint64_t max_u64(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* Nothing is done by a core until `t`. */
static inline void hart_stall(struct hart *h, uint64_t t)
{
	h->stalled += t > h->t ? t - h->t : 0;
	h->t = max_u64(h->t, t);
}

static inline uint64_t slice_of(uint64_t t)
{
	return t & ~(uint64_t)(SLICE - 1);
}

static inline uint64_t slice_after(uint64_t t)
{
	return t > NEVER - SLICE ? NEVER : (t + SLICE - 1) & ~(uint64_t)(SLICE - 1);
}

#endif /* TTP_SIM_MACHINE_H */
