// SPDX-License-Identifier: Apache-2.0
// Paints lanes into an array of pixels.  For each pixel at most one search, so that the cost of a lane goes with the width of the
// picture and not with its zones.  Where zones are narrower than a pixel its shade is the share of time in which one ran, and its
// hue that of the longest among the first few: what is half idle looks half idle.
import type { Band, Shape } from "./band";
import { gallop, lowerBound } from "./search";

export const SHADES = 16;
const LEAST_SHADE = 4; // what is there must be seen
const LOOK = 8;

export interface Palette {
	shades: Uint32Array; // colour × (SHADES + 1) + shade
	edges: Uint32Array; // darker, for the first pixel of a zone
	ground: number;
}

export interface Label {
	x: number;
	w: number;
	y: number;
	zone: number;
}

export interface View {
	t0: number;
	t1: number;
}

const LABEL_WIDTH = 40;

// One band into the pixels from `at` on, one row high.  `columns`: how high each pixel's stretch is, where stretches differ.
export function paintBand(pixels: Uint32Array, at: number, width: number, band: Band, view: View, palette: Palette, labels: Label[], y: number, columns: Uint8Array | null = null): void {
	const { start, dur, sums, colours, n: last } = band;
	const perPixel = (view.t1 - view.t0) / width, perTime = 1 / perPixel, t0 = view.t0;
	const { shades, edges } = palette;
	const tall = columns ? band.tall ?? null : null;
	let i = lowerBound(start, view.t0, 0, last);
	if (i > 0 && start[i - 1] + dur[i - 1] > view.t0) i--;
	while (i < last) {
		const s = (start[i] - t0) * perTime;
		if (s >= width) break;
		const w = dur[i] * perTime;
		if (w >= 1) {
			const from = s < 0 ? 0 : s | 0;
			const to = s + w >= width ? width : Math.ceil(s + w);
			const colour = colours[i];
			const full = shades[colour * (SHADES + 1) + SHADES];
			// A call of fill() costs more than a few pixels.
			if (to - from > 32) pixels.fill(full, at + from, at + to);
			else for (let x = at + from, end = at + to; x < end; x++) pixels[x] = full;
			if (to - from > 2 && s >= 0) pixels[at + from] = edges[colour];
			if (tall) columns!.fill(tall[i], from, to);
			if (to - from >= LABEL_WIDTH) labels.push({ x: from, w: to - from, y, zone: i });
			i++;
			continue;
		}
		const px = s < 0 ? 0 : s | 0;
		let j = gallop(start, t0 + (px + 1) * perPixel, i + 1, last);
		if (j - 1 > i && dur[j - 1] >= perPixel) j--; // it is a span of its own
		const share = (sums[j] - sums[i]) * perTime;
		let longest = i;
		for (let k = i + 1, end = Math.min(j, i + LOOK); k < end; k++) if (dur[k] > dur[longest]) longest = k;
		let shade = (share * SHADES + 0.5) | 0;
		if (dur[longest] === 0) shade = SHADES; // a moment, not a stretch: a line
		else shade = shade < LEAST_SHADE ? LEAST_SHADE : shade > SHADES ? SHADES : shade;
		pixels[at + px] = shades[colours[longest] * (SHADES + 1) + shade];
		if (tall) columns![px] = tall[longest];
		i = j;
	}
}

// The row just painted, with each column as high as it shall be and the rest pale: a bar that stands on the floor of its row.
export function carve(pixels: Uint32Array, width: number, y: number, height: number, rows: number, columns: Uint8Array, ground: number): void {
	const from = y * width;
	const pale = (colour: number) => {
		const mix = (shift: number) => (((colour >>> shift) & 255) * 2 + ((ground >>> shift) & 255) * 3) / 5;
		return (0xff000000 | (mix(16) << 16) | (mix(8) << 8) | mix(0)) >>> 0;
	};
	let last = -1, paler = 0;
	for (let x = 0; x < width; x++) {
		const gap = Math.round(((255 - columns[x]) / 255) * height), colour = pixels[from + x];
		if (!columns[x] || gap < 1 || colour === ground) continue;
		if (colour !== last) {
			last = colour;
			paler = pale(colour);
		}
		for (let k = 0; k < gap && y + k < rows; k++) pixels[from + k * width + x] = paler;
	}
}

// The row just painted, as high as it shall be.
export function thicken(pixels: Uint32Array, width: number, y: number, height: number, rows: number): void {
	const from = y * width;
	for (let k = 1; k < height && y + k < rows; k++) pixels.copyWithin(from + k * width, from, from + width);
}

// How busy bands are on average, in equal parts of the whole axis; made once for a group.
export function densityOf(bands: Shape[], span: number, bins: number): Float32Array {
	const out = new Float32Array(bins);
	if (!(span > 0) || bands.length === 0) return out;
	const per = span / bins;
	for (const { start, dur, n } of bands) {
		for (let i = 0; i < n; i++) {
			const s = start[i] / per, e = s + dur[i] / per;
			let from = Math.max(0, s | 0);
			const to = Math.min(bins - 1, e | 0);
			if (from >= to) {
				if (from < bins) out[from] += e - s;
				continue;
			}
			out[from] += from + 1 - s;
			for (from++; from < to; from++) out[from] += 1;
			out[to] += e - to;
		}
	}
	for (let i = 0; i < bins; i++) out[i] = Math.min(1, out[i] / bands.length);
	return out;
}

export function paintDensity(pixels: Uint32Array, at: number, width: number, density: Float32Array, span: number, view: View, palette: Palette, colour: number): void {
	for (let x = 0; x < width; x++) {
		const from = ((view.t0 + ((view.t1 - view.t0) * x) / width) / span) * density.length;
		const to = ((view.t0 + ((view.t1 - view.t0) * (x + 1)) / width) / span) * density.length;
		const a = Math.max(0, Math.floor(from)), b = Math.min(density.length, Math.max(a + 1, Math.ceil(to)));
		if (a >= density.length || b <= 0) continue;
		let sum = 0;
		for (let i = a; i < b; i++) sum += density[i];
		const share = sum / (b - a);
		if (share > 0) pixels[at + x] = palette.shades[colour * (SHADES + 1) + Math.max(LEAST_SHADE, Math.round(share * SHADES))];
	}
}
