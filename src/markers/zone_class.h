// SPDX-License-Identifier: Apache-2.0
/* What the names of zones and RISCs mean to times of ops: who wrote a zone, and what it counts for. */
#ifndef TTP_MARKERS_ZONE_CLASS_H
#define TTP_MARKERS_ZONE_CLASS_H

#include "markers/op_times.h"

/* What a zone's name says; the low bits are its owner, the high ones flags. */
enum zone_owner {
	OWNER_NONE,
	OWNER_BRISC,
	OWNER_NCRISC,
	OWNER_TRISC,
	OWNER_ERISC,
	OWNER_DM,
	OWNER_DM0,
	OWNER_TRACE,
	OWNER_AGG, /* nobody writes such, but the originals would count them */
};
enum {
	ZONE_OWNER = 0x0f,
	ZONE_IS_KERNEL = 0x10,
	ZONE_HOLDS_FW = 0x20,
	ZONE_IS_DISPATCH = 0x40,
	ZONE_CB_WAIT = 0x80,
	ZONE_CB_RESERVE = 0x100,
};

/* RISCs whose firmware begins launches: those of a mask.  Dictionaries begin with the known ones; a damaged log may name more. */
enum { LAUNCH_RISCS = 32 };

uint16_t classify_zone(struct str name);
/* The lane of a RISC that writes zones of its own name. */
uint8_t classify_risc(struct str name, uint32_t id);

/* Where a zone of this owner on this RISC counts. */
static inline enum op_lane lane_of(enum op_lane risc, enum zone_owner owner)
{
	switch (owner) {
	case OWNER_BRISC:
		return risc == LANE_BRISC ? LANE_BRISC : LANE_OTHER_MOVER;
	case OWNER_NCRISC:
		return risc == LANE_NCRISC ? LANE_NCRISC : LANE_OTHER_MOVER;
	case OWNER_TRISC:
		return risc == LANE_NEO || (risc >= LANE_TRISC0 && risc <= LANE_TRISC2)
			       ? risc
			       : LANE_OTHER;
	case OWNER_ERISC:
		return risc == LANE_ERISC ? LANE_ERISC : LANE_OTHER_MOVER;
	case OWNER_DM:
		return risc == LANE_DM || risc == LANE_DM0 ? LANE_DM : LANE_OTHER;
	case OWNER_DM0:
		return risc == LANE_DM0 ? LANE_DM0 : LANE_NONE;
	case OWNER_TRACE:
		return risc == LANE_AGG ? LANE_AGG : LANE_NONE;
	case OWNER_AGG:
	case OWNER_NONE:
		break;
	}
	return LANE_OTHER;
}

/* What the times of a lane's zones count for; SLOTS: nothing. */
static inline enum op_slot slot_of(enum op_lane lane, bool kernel)
{
	static const uint8_t kernels[] = {
		[LANE_BRISC] = SLOT_BRISC,
		[LANE_NCRISC] = SLOT_NCRISC,
		[LANE_TRISC0] = SLOT_TRISC0,
		[LANE_TRISC1] = SLOT_TRISC1,
		[LANE_TRISC2] = SLOT_TRISC2,
		[LANE_ERISC] = SLOT_ERISC,
		[LANE_DM] = SLOT_DM,
		[LANE_DM0] = SLOTS, /* DM0-KERNEL is none of the runtime's */
		[LANE_NEO] = SLOT_NEO,
		[LANE_AGG] = SLOT_AGG,
		[LANE_OTHER] = SLOT_OTHER,
		[LANE_OTHER_MOVER] = SLOT_OTHER_MOVER,
		[LANE_NONE] = SLOTS,
	};
	static const uint8_t firmwares[] = {
		[LANE_BRISC] = SLOT_FW,        [LANE_NCRISC] = SLOT_FW,
		[LANE_TRISC0] = SLOT_TRISC_FW, [LANE_TRISC1] = SLOT_TRISC_FW,
		[LANE_TRISC2] = SLOT_TRISC_FW, [LANE_ERISC] = SLOT_FW,
		[LANE_DM] = SLOT_DM_FW,        [LANE_DM0] = SLOT_DM0_FW,
		[LANE_NEO] = SLOT_TRISC_FW,    [LANE_AGG] = SLOT_AGG_FW,
		[LANE_OTHER] = SLOT_FW,        [LANE_OTHER_MOVER] = SLOT_FW,
		[LANE_NONE] = SLOTS,
	};

	return (enum op_slot)(kernel ? kernels : firmwares)[lane];
}

static inline bool is_master(enum op_lane lane)
{
	return lane == LANE_BRISC || lane == LANE_ERISC || lane == LANE_AGG || lane == LANE_DM0;
}

/* A firmware's start begins a launch: the n-th of a RISC with the same key, its n-th repeat. */
static inline bool marker_starts_launch(const struct marker *m, unsigned class)
{
	return (class & ZONE_OWNER) && !(class & ZONE_IS_KERNEL) && m->type == MARKER_ZONE_START &&
	       m->risc < LAUNCH_RISCS;
}

/* A kernel of an op, whatever RISC wrote it: not TRACE-KERNEL, which stands for a whole replay, nor DM0-KERNEL, which is none of the runtime's. */
static inline bool zone_is_op_kernel(unsigned class)
{
	unsigned owner = class & ZONE_OWNER;

	return (class & ZONE_IS_KERNEL) && owner != OWNER_TRACE && owner != OWNER_DM0;
}

static inline bool is_mover(enum op_lane lane)
{
	return lane == LANE_BRISC || lane == LANE_NCRISC;
}

#endif /* TTP_MARKERS_ZONE_CLASS_H */
