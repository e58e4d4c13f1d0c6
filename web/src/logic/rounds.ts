// SPDX-License-Identifier: Apache-2.0
// What comes again and again, by names alone.

export const LEAST_ROUND = 4; // ops of a round that is worth a look
const MOST = 600, FAR = 20000; // and that can be seen; how far back is looked

// The last whole round of names that come again in the same order: [from, to).  The shortest round that covers nearly as much as any.
export function lastRound(names: string[]): [number, number] | null {
	const ids = new Map<string, number>(), n = names.length, from = Math.max(0, n - FAR);
	const list = Int32Array.from(names, (name) => {
		let id = ids.get(name);
		if (id === undefined) ids.set(name, (id = ids.size));
		return id;
	});
	const found: { period: number; covered: number; end: number }[] = [];
	let most = 0;
	for (let period = LEAST_ROUND; period <= Math.min(MOST, (n - from) >> 1); period++) {
		let same = 0, covered = 0, end = 0;
		for (let i = from + period; i < n; i++) {
			same = list[i] === list[i - period] ? same + 1 : 0;
			if (same < period) continue;
			if (same === period) covered += 2 * period - 1; // this is the second round at least
			covered++;
			end = i + 1;
		}
		if (!covered) continue;
		found.push({ period, covered, end });
		most = Math.max(most, covered);
	}
	const best = found.find((one) => one.covered >= most * 0.8 && new Set(list.subarray(one.end - one.period, one.end)).size > 2);
	return best ? [best.end - best.period, best.end] : null;
}
