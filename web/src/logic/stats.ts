// SPDX-License-Identifier: Apache-2.0
// Statistics of a list of numbers; missing ones (NaN) don't count.

export interface Stats {
	n: number;
	sum: number;
	mean: number;
	min: number;
	max: number;
	p50: number;
	p95: number;
	sd: number; // of a sample: n − 1
}

export const NO_STATS: Stats = { n: 0, sum: 0, mean: NaN, min: NaN, max: NaN, p50: NaN, p95: NaN, sd: NaN };

// Of a sorted list, between its neighbours by their distance.
export function quantile(sorted: ArrayLike<number>, q: number): number {
	if (sorted.length === 0) return NaN;
	const at = (sorted.length - 1) * q;
	const low = Math.floor(at);
	const high = Math.min(low + 1, sorted.length - 1);
	return sorted[low] + (sorted[high] - sorted[low]) * (at - low);
}

export function stats(values: Iterable<number>): Stats {
	const list: number[] = [];
	let sum = 0;
	for (const value of values)
		if (Number.isFinite(value)) {
			list.push(value);
			sum += value;
		}
	if (list.length === 0) return NO_STATS;
	const sorted = Float64Array.from(list).sort();
	const mean = sum / list.length;
	let square = 0;
	for (const value of list) square += (value - mean) ** 2;
	return {
		n: list.length, sum, mean, min: sorted[0], max: sorted[sorted.length - 1],
		p50: quantile(sorted, 0.5), p95: quantile(sorted, 0.95),
		sd: list.length > 1 ? Math.sqrt(square / (list.length - 1)) : NaN,
	};
}

export interface Histogram {
	from: number;
	step: number;
	counts: number[];
}

export function histogram(values: ArrayLike<number>, bins = 40): Histogram {
	let min = Infinity, max = -Infinity;
	for (let i = 0; i < values.length; i++)
		if (Number.isFinite(values[i])) {
			min = Math.min(min, values[i]);
			max = Math.max(max, values[i]);
		}
	if (min > max) return { from: 0, step: 1, counts: [] };
	const counts = new Array(max > min ? bins : 1).fill(0);
	const step = max > min ? (max - min) / bins : 1;
	for (let i = 0; i < values.length; i++)
		if (Number.isFinite(values[i])) counts[Math.min(counts.length - 1, Math.floor((values[i] - min) / step))]++;
	return { from: min, step, counts };
}
