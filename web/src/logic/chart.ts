// SPDX-License-Identifier: Apache-2.0
// Scales, ticks and lines of a chart.

export interface Scale {
	low: number;
	high: number;
	at(value: number): number; // in pixels
}

// From the least to the greatest value; with `zero` the axis begins at 0, or lower, and leaves some room at the top.
export function scaleOf(values: number[], from: number, to: number, zero: boolean): Scale {
	let low = Infinity, high = -Infinity;
	for (const value of values) {
		if (value < low) low = value;
		if (value > high) high = value;
	}
	if (!(high >= low)) [low, high] = [0, 1];
	if (zero) [low, high] = [Math.min(0, low), high > 0 ? high * 1.08 : high < 0 ? 0 : 1];
	if (high === low) high = low + 1;
	return { low, high, at: (value) => from + ((value - low) / (high - low)) * (to - from) };
}

// Round numbers, about `wanted` of them.
export function ticks(low: number, high: number, wanted: number): number[] {
	const rough = (high - low) / Math.max(1, wanted), power = 10 ** Math.floor(Math.log10(rough));
	const step = [1, 2, 5, 10].map((k) => k * power).find((one) => one >= rough) ?? rough;
	const list: number[] = [];
	if (!(step > 0) || !Number.isFinite(step)) return list;
	for (let k = Math.ceil(low / step - 1e-9); k * step <= high + step * 1e-9 && list.length < 100; k++) list.push(k * step + 0); // not −0
	return list;
}

// A line, broken where there is no value.  Of many values on one pixel the first, the least, the greatest and the last are drawn.
export function path(x: number[], values: (number | null)[], atX: (value: number) => number, atY: (value: number) => number): string {
	let out = "", pen = "M";
	const put = (px: number, value: number) => {
		out += pen + px.toFixed(1) + " " + atY(value).toFixed(1);
		pen = "L";
	};
	for (let i = 0; i < x.length;) {
		const px = Math.round(atX(x[i]));
		const same: number[] = [];
		for (; i < x.length && Math.round(atX(x[i])) === px && values[i] !== null; i++) same.push(values[i]!);
		if (same.length > 4) {
			let least = same[0], most = same[0];
			for (const value of same) {
				least = Math.min(least, value);
				most = Math.max(most, value);
			}
			for (const value of [same[0], least, most, same[same.length - 1]]) put(px, value);
		} else same.forEach((value, k) => put(atX(x[i - same.length + k]), value));
		if (i < x.length && values[i] === null) {
			pen = "M";
			i++;
		}
	}
	return out;
}
