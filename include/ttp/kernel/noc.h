/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The two NoCs, for the data-movement cores.
 *
 * A NoC address is 64 bits: 36 of address, then x (6), y (6); for a multicast the far corner there and
 * the near corner above.  Coordinates are the NIU's: translated ones (18 and up for workers) mean the
 * same tile on both NoCs, smaller ones are physical and count from the NoC's own corner.
 *
 * Requests are given to one of four request buffers of the NIU, so that reads, writes and atomics do
 * not wait for each other's registers.  Who gives requests counts them; a barrier waits until the
 * NIU's counters say the same.
 */
#ifndef TTP_KERNEL_NOC_H
#define TTP_KERNEL_NOC_H

#include "ttp/kernel/hw.h"

#ifndef NOC_INDEX
#define NOC_INDEX (TTP_RISC == 1 ? 1 : 0)
#endif

#define TTP_NOC_PACKET_BYTES 8192u

enum { TTP_NOC_BUF_WRITE, TTP_NOC_BUF_READ, TTP_NOC_BUF_SMALL, TTP_NOC_BUF_ATOMIC };

/* Registers of a request buffer, from NIU + 0x400 * buffer. */
#define TTP_NIU_TARG_LO  0x00
#define TTP_NIU_TARG_MID 0x04
#define TTP_NIU_RET_LO   0x0C
#define TTP_NIU_RET_MID  0x10
#define TTP_NIU_TAG      0x18
#define TTP_NIU_CTRL     0x1C
#define TTP_NIU_LEN      0x20
#define TTP_NIU_DATA     0x24
#define TTP_NIU_CMD      0x28

#define TTP_NIU_NODE_ID          0x2C
#define TTP_NIU_ID_LOGICAL       0x138
#define TTP_NIU_COUNTER(i)       (0x200 + 4 * (i))
#define TTP_NIU_ATOMIC_RESPONSES 0
#define TTP_NIU_WRITE_ACKS       1
#define TTP_NIU_READ_RESPONSES   2
#define TTP_NIU_WRITES_SENT      10
#define TTP_NIU_POSTED_SENT      11

#define TTP_CTRL_READ     0x0u
#define TTP_CTRL_ATOMIC   0x1u
#define TTP_CTRL_WRITE    0x2u
#define TTP_CTRL_INLINE   0x8u
#define TTP_CTRL_RESPONSE 0x10u
#define TTP_CTRL_MCAST    0x20u
#define TTP_CTRL_LINKED   0x40u
#define TTP_CTRL_STATIC   0x80u /* virtual channel below */
#define TTP_CTRL_RESERVE  0x100u
#define TTP_CTRL_VC(n)    ((uint32_t)(n) << 13)
#define TTP_CTRL_SELF     0x20000u

/* Virtual channels, as tt-metal uses them. */
#define TTP_VC_UNICAST 1
#define TTP_VC_MCAST   4
#define TTP_ATOMIC_INC 0x1000u /* operation 1 in bits 15..12 */

/* Debug delays: before each transaction of a kind, where the host chose core and RISC. */
enum { TTP_DELAY_READ, TTP_DELAY_WRITE, TTP_DELAY_ATOMIC };
#ifdef TTP_DEBUG_DELAY
#ifdef TTP_DEBUG_DELAY_NOINLINE
TTP_OUTLINE
#else
TTP_INLINE
#endif
void ttp_debug_delay(unsigned kind)
{
	uint32_t from = TTP_REG(TTP_REG_CLOCK_LOW), cycles = TTP_MAILBOX->delay_cycles;

	if (TTP_MAILBOX->delay_riscs[kind] >> TTP_RISC & 1)
		while (TTP_REG(TTP_REG_CLOCK_LOW) - from < cycles)
			;
}
#define TTP_DELAY(kind) ttp_debug_delay(TTP_DELAY_##kind)
#else
#define TTP_DELAY(kind) ((void)0)
#endif

TTP_INLINE uint32_t ttp_niu(unsigned noc, unsigned buffer)
{
	return TTP_REG_NIU(noc) + (buffer << 10);
}

TTP_INLINE void ttp_niu_wait(uint32_t niu)
{
	while (TTP_REG(niu + TTP_NIU_CMD))
		;
}

TTP_INLINE uint32_t ttp_niu_counter(unsigned noc, unsigned counter)
{
	return TTP_REG(TTP_REG_NIU(noc) + TTP_NIU_COUNTER(counter));
}

/* Counters go on counting over programs: what was issued so far is what they say now. */
TTP_INLINE void ttp_noc_begin(void)
{
	struct ttp_local *s = TTP_STATE;

	for (unsigned noc = 0; noc < 2; noc++) {
		s->reads_issued[noc] = ttp_niu_counter(noc, TTP_NIU_READ_RESPONSES);
		s->writes_sent[noc] = ttp_niu_counter(noc, TTP_NIU_WRITES_SENT);
		s->writes_acked[noc] = ttp_niu_counter(noc, TTP_NIU_WRITE_ACKS);
		s->atomics_acked[noc] = ttp_niu_counter(noc, TTP_NIU_ATOMIC_RESPONSES);
		s->posted_sent[noc] = ttp_niu_counter(noc, TTP_NIU_POSTED_SENT);
	}
}

TTP_INLINE uint64_t ttp_noc_addr(uint32_t x, uint32_t y, uint64_t addr)
{
	return (uint64_t)(x << 4 | y << 10) << 32 | addr;
}

TTP_INLINE uint64_t ttp_noc_mcast_addr(uint32_t x0, uint32_t y0, uint32_t x1, uint32_t y1,
				       uint64_t addr)
{
	return (uint64_t)(x1 << 4 | y1 << 10 | x0 << 16 | y0 << 22) << 32 | addr;
}

/* Rectangles go the way of the NoC: NoC 1 begins at the far corner. */
TTP_INLINE uint64_t ttp_noc_rect_addr(unsigned noc, uint32_t x0, uint32_t y0, uint32_t x1,
				      uint32_t y1, uint64_t addr)
{
	return noc ? ttp_noc_mcast_addr(x1, y1, x0, y0, addr)
		   : ttp_noc_mcast_addr(x0, y0, x1, y1, addr);
}

TTP_INLINE void ttp_noc_read_packet(unsigned noc, uint64_t from, uint32_t to, uint32_t bytes)
{
	uint32_t niu = ttp_niu(noc, TTP_NOC_BUF_READ);

	ttp_niu_wait(niu);
	TTP_REG(niu + TTP_NIU_CTRL) =
		TTP_CTRL_READ | TTP_CTRL_RESPONSE | TTP_CTRL_STATIC | TTP_CTRL_VC(TTP_VC_UNICAST);
	TTP_REG(niu + TTP_NIU_RET_LO) = to;
	TTP_REG(niu + TTP_NIU_RET_MID) = TTP_STATE->own_mid;
	TTP_REG(niu + TTP_NIU_TARG_LO) = (uint32_t)from;
	TTP_REG(niu + TTP_NIU_TARG_MID) = (uint32_t)(from >> 32);
	TTP_REG(niu + TTP_NIU_LEN) = bytes;
	TTP_REG(niu + TTP_NIU_CMD) = 1;
	TTP_STATE->reads_issued[noc]++;
}

TTP_INLINE void ttp_noc_read_any(unsigned noc, uint64_t from, uint32_t to, uint32_t bytes)
{
	while (bytes > TTP_NOC_PACKET_BYTES) {
		ttp_noc_read_packet(noc, from, to, TTP_NOC_PACKET_BYTES);
		from += TTP_NOC_PACKET_BYTES;
		to += TTP_NOC_PACKET_BYTES;
		bytes -= TTP_NOC_PACKET_BYTES;
	}
	ttp_noc_read_packet(noc, from, to, bytes);
}

/* `acks`: how many tiles answer; `ctrl` beside write and response. */
TTP_INLINE void ttp_noc_write_packet(unsigned noc, uint32_t from, uint64_t to, uint32_t bytes,
				     uint32_t ctrl, uint32_t acks)
{
	uint32_t niu = ttp_niu(noc, TTP_NOC_BUF_WRITE);

	ttp_niu_wait(niu);
	TTP_REG(niu + TTP_NIU_CTRL) = TTP_CTRL_WRITE | TTP_CTRL_STATIC | ctrl;
	TTP_REG(niu + TTP_NIU_TARG_LO) = from;
	TTP_REG(niu + TTP_NIU_TARG_MID) = TTP_STATE->own_mid;
	TTP_REG(niu + TTP_NIU_RET_LO) = (uint32_t)to;
	TTP_REG(niu + TTP_NIU_RET_MID) = (uint32_t)(to >> 32);
	TTP_REG(niu + TTP_NIU_LEN) = bytes;
	TTP_REG(niu + TTP_NIU_CMD) = 1;
	if (ctrl & TTP_CTRL_RESPONSE) {
		TTP_STATE->writes_sent[noc]++;
		TTP_STATE->writes_acked[noc] += acks;
	} else {
		TTP_STATE->posted_sent[noc]++;
	}
}

TTP_INLINE void ttp_noc_write_any(unsigned noc, uint32_t from, uint64_t to, uint32_t bytes,
				  uint32_t ctrl, uint32_t acks)
{
	while (bytes > TTP_NOC_PACKET_BYTES) {
		ttp_noc_write_packet(noc, from, to, TTP_NOC_PACKET_BYTES, ctrl, acks);
		from += TTP_NOC_PACKET_BYTES;
		to += TTP_NOC_PACKET_BYTES;
		bytes -= TTP_NOC_PACKET_BYTES;
	}
	ttp_noc_write_packet(noc, from, to, bytes, ctrl, acks);
}

#define TTP_WRITE_UNICAST (TTP_CTRL_RESPONSE | TTP_CTRL_VC(TTP_VC_UNICAST))
#define TTP_WRITE_POSTED  TTP_CTRL_VC(TTP_VC_UNICAST)
#define TTP_WRITE_MCAST \
	(TTP_CTRL_RESPONSE | TTP_CTRL_MCAST | TTP_CTRL_RESERVE | TTP_CTRL_VC(TTP_VC_MCAST))

TTP_INLINE void ttp_noc_inline_write(unsigned noc, uint64_t to, uint32_t word)
{
	uint32_t niu = ttp_niu(noc, TTP_NOC_BUF_SMALL);

	TTP_DELAY(WRITE);
	ttp_niu_wait(niu);
	TTP_REG(niu + TTP_NIU_CTRL) = TTP_CTRL_WRITE | TTP_CTRL_INLINE | TTP_CTRL_RESPONSE |
				      TTP_CTRL_STATIC | TTP_CTRL_VC(TTP_VC_UNICAST);
	TTP_REG(niu + TTP_NIU_DATA) = word;
	TTP_REG(niu + TTP_NIU_RET_LO) = 0;
	TTP_REG(niu + TTP_NIU_RET_MID) = TTP_STATE->own_mid;
	TTP_REG(niu + TTP_NIU_TARG_LO) = (uint32_t)to;
	TTP_REG(niu + TTP_NIU_TARG_MID) = (uint32_t)(to >> 32);
	TTP_REG(niu + TTP_NIU_LEN) = 0xFu << ((uint32_t)to & 0xC);
	TTP_REG(niu + TTP_NIU_CMD) = 1;
	TTP_STATE->writes_sent[noc]++;
	TTP_STATE->writes_acked[noc]++;
}

/* Where the old value of an atomic goes, which nobody wants: a word of the mailbox. */
#define TTP_L1_ATOMIC_RETURN (TTP_L1_PROF_CTRL - 16)

TTP_INLINE void ttp_noc_atomic_inc(unsigned noc, uint64_t word, uint32_t by)
{
	uint32_t niu = ttp_niu(noc, TTP_NOC_BUF_ATOMIC);

	TTP_DELAY(ATOMIC);
	ttp_niu_wait(niu);
	TTP_REG(niu + TTP_NIU_CTRL) =
		TTP_CTRL_ATOMIC | TTP_CTRL_RESPONSE | TTP_CTRL_STATIC | TTP_CTRL_VC(TTP_VC_UNICAST);
	TTP_REG(niu + TTP_NIU_DATA) = by;
	TTP_REG(niu + TTP_NIU_RET_LO) = TTP_L1_ATOMIC_RETURN;
	TTP_REG(niu + TTP_NIU_RET_MID) = TTP_STATE->own_mid;
	TTP_REG(niu + TTP_NIU_TARG_LO) = (uint32_t)word;
	TTP_REG(niu + TTP_NIU_TARG_MID) = (uint32_t)(word >> 32);
	/* add modulo 2^32 to the word that bits 3..2 of the address choose */
	TTP_REG(niu + TTP_NIU_LEN) = TTP_ATOMIC_INC | 31u << 2 | ((uint32_t)word >> 2 & 3);
	TTP_REG(niu + TTP_NIU_CMD) = 1;
	TTP_STATE->atomics_acked[noc]++;
}

TTP_INLINE void ttp_noc_wait_counter(unsigned noc, unsigned counter, uint32_t value)
{
	while (ttp_niu_counter(noc, counter) != value)
		;
}

#endif /* TTP_KERNEL_NOC_H */
