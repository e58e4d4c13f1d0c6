// SPDX-License-Identifier: Apache-2.0
/* Eight bytes per step with the processor's instruction where there is one, else a nibble at a time. */
#include "wire/spool.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#ifdef __x86_64__
#include <cpuid.h>
#endif

static uint32_t by_nibbles(uint32_t crc, const uint8_t *p, size_t n)
{
	/* Of the reflected polynomial 0x82F63B78. */
	static const uint32_t table[16] = {
		0x00000000, 0x105EC76F, 0x20BD8EDE, 0x30E349B1, 0x417B1DBC, 0x5125DAD3,
		0x61C69362, 0x7198540D, 0x82F63B78, 0x92A8FC17, 0xA24BB5A6, 0xB21572C9,
		0xC38D26C4, 0xD3D3E1AB, 0xE330A81A, 0xF36E6F75,
	};

	while (n--) {
		crc ^= *p++;
		crc = crc >> 4 ^ table[crc & 15];
		crc = crc >> 4 ^ table[crc & 15];
	}
	return crc;
}

#ifdef __x86_64__
__attribute__((target("sse4.2"))) static uint32_t by_words(uint32_t crc, const uint8_t *p, size_t n)
{
	uint64_t c = crc;

	for (; n >= 8; p += 8, n -= 8) {
		uint64_t word;

		memcpy(&word, p, sizeof(word));
		c = __builtin_ia32_crc32di(c, word);
	}
	for (; n; p++, n--)
		c = __builtin_ia32_crc32qi((uint32_t)c, *p);
	return (uint32_t)c;
}
#endif

#ifdef __x86_64__
/* Not __builtin_cpu_supports(): its constructor asks the processor at the start of every program. */
static bool has_crc32(void)
{
	static atomic_int known; /* 0: not asked; 1: no; 2: yes */
	int is = atomic_load_explicit(&known, memory_order_relaxed);

	if (!is) {
		unsigned a, b, c = 0, d;

		is = __get_cpuid(1, &a, &b, &c, &d) && c & bit_SSE4_2 ? 2 : 1;
		atomic_store_explicit(&known, is, memory_order_relaxed);
	}
	return is == 2;
}
#endif

uint32_t crc32c(uint32_t crc, const void *bytes, size_t n)
{
#ifdef __x86_64__
	if (has_crc32())
		return ~by_words(~crc, bytes, n);
#endif
	return ~by_nibbles(~crc, bytes, n);
}
