// SPDX-License-Identifier: Apache-2.0
//
// DPRINT << "n = " << n << ENDL(); of a kernel, as tt-metal has it.
#pragma once

#include <cstdint>

#include "ttp/kernel.h"

struct ENDL {};
struct HEX {};
struct DEC {};
struct OCT {};
struct SETW {
	uint8_t width;
	constexpr SETW(uint8_t w, bool = false) : width(w) {}
};
struct F32 {
	float value;
	constexpr F32(float v) : value(v) {}
};
struct BF16 {
	uint16_t bits;
	constexpr BF16(uint16_t v) : bits(v) {}
};

struct ttp_dprint {
	const ttp_dprint &operator<<(const char *text) const
	{
		ttp_print_text(text);
		return *this;
	}
	const ttp_dprint &operator<<(char c) const { return piece(TTP_PRINT_CHAR, c); }
	const ttp_dprint &operator<<(int v) const { return piece(TTP_PRINT_INT, v); }
	const ttp_dprint &operator<<(long v) const { return piece(TTP_PRINT_INT, v); }
	const ttp_dprint &operator<<(unsigned v) const { return piece(TTP_PRINT_UINT, v); }
	const ttp_dprint &operator<<(unsigned long v) const { return piece(TTP_PRINT_UINT, v); }
	const ttp_dprint &operator<<(long long v) const { return piece(TTP_PRINT_INT64, v); }
	const ttp_dprint &operator<<(unsigned long long v) const { return piece(TTP_PRINT_UINT64, v); }
	const ttp_dprint &operator<<(float v) const { return piece(TTP_PRINT_FLOAT, v); }
	const ttp_dprint &operator<<(F32 v) const { return piece(TTP_PRINT_FLOAT, v.value); }
	const ttp_dprint &operator<<(BF16 v) const { return piece(TTP_PRINT_BF16, v.bits); }
	const ttp_dprint &operator<<(SETW v) const { return piece(TTP_PRINT_WIDTH, v.width); }
	const ttp_dprint &operator<<(HEX) const { return piece(TTP_PRINT_BASE, (uint8_t)16); }
	const ttp_dprint &operator<<(DEC) const { return piece(TTP_PRINT_BASE, (uint8_t)10); }
	const ttp_dprint &operator<<(OCT) const { return piece(TTP_PRINT_BASE, (uint8_t)8); }
	const ttp_dprint &operator<<(ENDL) const { return piece(TTP_PRINT_CHAR, '\n'); }
	template <class T> const ttp_dprint &operator<<(T *p) const
	{
		return piece(TTP_PRINT_PTR, (uint32_t)(uintptr_t)p);
	}

    private:
	template <class T> const ttp_dprint &piece(uint8_t type, T v) const
	{
		ttp_print_piece(type, &v, sizeof(v));
		return *this;
	}
};

#define DPRINT ttp_dprint{}
#if TTP_RISC == 2
#define DPRINT_UNPACK(x) x
#else
#define DPRINT_UNPACK(x)
#endif
#if TTP_RISC == 3
#define DPRINT_MATH(x) x
#else
#define DPRINT_MATH(x)
#endif
#if TTP_RISC == 4
#define DPRINT_PACK(x) x
#else
#define DPRINT_PACK(x)
#endif
#if TTP_RISC < 2
#define DPRINT_DATA0(x) x
#define DPRINT_DATA1(x) x
#endif
