/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Around every kernel: variables, circular buffers, the NoCs' counters, the KERNEL zone; then the kernel's
 * main, however it is spelled.  The firmware calls _start and is returned to.
 */
#include "ttp/kernel/cb.h"
#include "ttp/kernel/hw.h"
#include "ttp/kernel/noc.h"
#include "ttp/kernel/noc_events.h"
#include "ttp/kernel/profiler.h"
#include "ttp/tensix_macros.h"

#include "start.h"

#if TTP_RISC == 0
#define KERNEL_ZONE "BRISC-KERNEL"
#elif TTP_RISC == 1
#define KERNEL_ZONE "NCRISC-KERNEL"
#else
#define KERNEL_ZONE "TRISC-KERNEL"
#endif

/* void kernel_main() in C, in C++, and tt-metal's namespace NAMESPACE { void MAIN { } }. */
extern void c_main(void) __asm__("kernel_main") __attribute__((weak));
extern void cxx_main(void) __asm__("_Z11kernel_mainv") __attribute__((weak));
extern void compute_main(void) __asm__("_ZN11ttp_compute8run_mainEv") __attribute__((weak));

typedef void constructor(void);
extern constructor *ttp_init_array[], *ttp_init_array_end[];

/* A kernel of the documents names a circular buffer that it does not declare. */
extern const uint32_t cb_id;
__attribute__((weak)) const uint32_t cb_id = 0;

#if TTP_PROFILE_ON
/* Set to 1 by the macros of kept zones, in the text of the program itself. */
extern const char ttp_keeps_main[] __attribute__((weak)), ttp_keeps_child[] __attribute__((weak));
uint8_t ttp_kept_main_used, ttp_kept_child_used;
#endif

void *memcpy(void *to, const void *from, size_t n);
void *memset(void *to, int c, size_t n);
void *memmove(void *to, const void *from, size_t n);
int memcmp(const void *a, const void *b, size_t n);

/* What compilers call by themselves. */
__attribute__((weak)) void *memcpy(void *to, const void *from, size_t n)
{
	volatile uint8_t *t = to;

	for (const uint8_t *f = from; n; n--)
		*t++ = *f++;
	return to;
}

__attribute__((weak)) void *memset(void *to, int c, size_t n)
{
	for (volatile uint8_t *t = to; n; n--)
		*t++ = (uint8_t)c;
	return to;
}

__attribute__((weak)) void *memmove(void *to, const void *from, size_t n)
{
	volatile uint8_t *t = to;
	const uint8_t *f = from;

	if ((uintptr_t)to <= (uintptr_t)from)
		return memcpy(to, from, n);
	while (n--)
		t[n] = f[n];
	return to;
}

__attribute__((weak)) int memcmp(const void *a, const void *b, size_t n)
{
	const volatile uint8_t *x = a, *y = b;

	for (; n; n--, x++, y++)
		if (*x != *y)
			return *x - *y;
	return 0;
}

void _start(void) __attribute__((section(".text.start")));
void _start(void)
{
	start_memory();
#if TTP_PROFILE_ON
	TTP_PLACE_AND_ID(id, KERNEL_ZONE);
	ttp_marker_at(ttp_prof_buffer(TTP_RISC) + TTP_PROF_KERNEL_START,
		      TTP_MARKER(TTP_MARKER_ZONE_START, id));
	TTP_STATE->room -= 4 * (int32_t)((uintptr_t)ttp_keeps_main + (uintptr_t)ttp_keeps_child);
#endif
	ttp_cb_begin(TTP_MAILBOX->launch.cb_mask, false);
#if TTP_RISC < 2
	ttp_noc_begin();
#endif
	for (constructor **c = ttp_init_array; c < ttp_init_array_end; c++)
		(*c)();
	if (compute_main)
		compute_main();
	else if (cxx_main)
		cxx_main();
	else if (c_main)
		c_main();
#if TTP_PROFILE_ON && defined(PROFILE_NOC_EVENTS) && TTP_RISC < 2
	if (TTP_RISC == 0 && TTP_MAILBOX->perf_counters)
		ttp_push_if_full(TTP_COUNTERS_WORDS); /* the firmware's come behind */
	/* Parts pushed in between have arrived before the host learns that all is there. */
	ttp_noc_wait_counter(NOC_INDEX, TTP_NIU_WRITE_ACKS, TTP_STATE->writes_acked[NOC_INDEX]);
#endif
#if TTP_PROFILE_ON
	ttp_marker_at(ttp_prof_buffer(TTP_RISC) + TTP_PROF_KERNEL_END,
		      TTP_MARKER(TTP_MARKER_ZONE_END, id));
#endif
}
