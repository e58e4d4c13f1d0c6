// SPDX-License-Identifier: Apache-2.0
/*
 * Lines of headers that are in every program and that nobody looks for: an atomic, an instruction of the processor.
 * Where one is inlined, Tracy's captures show the line that called it.
 */
#include <string.h>

#include "trace/spool/client_events.h"

/* gcc's and clang's <NAMEintrin.h>, those that Tracy 0.9 to 0.14 know (public/common/TracyStackFrames.cpp). */
static const char intrinsics[] =
	" adx amm amxbf16 amxint8 amxtile avx2 avx5124fmaps avx5124vnniw avx512bf16 avx512bf16vl avx512bitalg avx512bw"
	" avx512cd avx512dq avx512er avx512f avx512ifma avx512ifmavl avx512pf avx512vbmi avx512vbmi2 avx512vbmi2vl"
	" avx512vbmivl avx512vl avx512vlbw avx512vldq avx512vnni avx512vnnivl avx512vp2intersect avx512vp2intersectvl"
	" avx512vpopcntdq avx512vpopcntdqvl avx avxvnni bmi bmi2 bmm cet cldemote clflushopt clwb clzero emm enqcmd f16c"
	" fma fma4 fxsr gfni hreset ia32 imm keylocker lwp lzcnt mm movdir mwaitx nmm pconfig pku pmm popcnt prfchw rdseed"
	" rtm serialize sgx sha smm tbm tmm tsxldtrk uintr vaes vpclmulqdq waitpkg wbnoinvd wmm x86 x86gpr xmm xop xsave"
	" xsavec xsaveopt xsaves xtest ";

bool client_plumbing(struct str file)
{
	static const struct str folder = STR_INIT("/include/"), tail = STR_INIT("intrin.h");
	char word[32];
	size_t name = 0, len;

	if (str_ends(file, STR("/bits/atomic_base.h")) || str_ends(file, STR("/atomic")) ||
	    str_ends(file, STR("/include/arm_neon.h")))
		return true;
	if (!str_ends(file, tail))
		return false;
	for (size_t i = 0; i < file.len; i++)
		if (file.at[i] == '/')
			name = i + 1;
	if (!str_ends(str_n(file.at, name), folder))
		return false;
	len = file.len - tail.len - name;
	if (!len || len > sizeof(word) - 3)
		return false;
	word[0] = ' ';
	memcpy(word + 1, file.at + name, len);
	word[len + 1] = ' ';
	word[len + 2] = 0;
	return !memchr(word + 1, ' ', len) && strstr(intrinsics, word);
}
