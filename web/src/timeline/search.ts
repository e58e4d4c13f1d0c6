// SPDX-License-Identifier: Apache-2.0
// Searches in sorted starts.  Galloping: from a place that is near, in steps that double, so that the cost goes with the distance.

// First i in [from, to) with a[i] >= value, or to.
export function lowerBound(a: ArrayLike<number>, value: number, from: number, to: number): number {
	while (from < to) {
		const middle = (from + to) >>> 1;
		if (a[middle] < value) from = middle + 1;
		else to = middle;
	}
	return from;
}

export function gallop(a: ArrayLike<number>, value: number, from: number, to: number): number {
	if (from >= to || a[from] >= value) return from;
	let step = 1;
	let low = from;
	while (low + step < to && a[low + step] < value) {
		low += step;
		step *= 2;
	}
	return lowerBound(a, value, low + 1, Math.min(low + step, to));
}
