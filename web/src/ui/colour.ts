// SPDX-License-Identifier: Apache-2.0
// Colours of things.  All fills are light enough for dark letters (4.5:1 and more) on both themes, so one set serves both.

export const INK = "#10151c";

export const HUES = [
	"#8fb4e3", "#f2b880", "#93cf9e", "#e3a09a", "#bba8e0", "#cdb294", "#e6aed0", "#d2cc74", "#84d0d3", "#f0d489", "#a5d6bf", "#b4bec9",
];

export const OTHERS = "#b4bec9";

export const CATEGORY: { [name: string]: string } = {
	compute: "#8fb4e3", TM: "#f2b880", DM: "#84d0d3", collective: "#bba8e0", host: "#e3a09a", other: "#b4bec9",
};

export const FIDELITY: { [name: string]: string } = { LoFi: "#93cf9e", HiFi2: "#f0d489", HiFi3: "#f2b880", HiFi4: "#e3a09a" };

// Shares of the time (`time_parts` of a report).  What is not work of the device is darker in the dark than what is.
export const PART: { [name: string]: string } = {
	"compute": CATEGORY.compute, "shape changes": CATEGORY.TM, "data movement": CATEGORY.DM, "collectives": CATEGORY.collective, "other ops": CATEGORY.other,
	"host work": CATEGORY.host, "launch": "var(--idle)", "gaps": "var(--idle)", "replay gaps": "var(--idle)", "building programs": "#d2cc74", "profiler": "#cdb294", "pauses": "var(--idle-2)",
};

export const PHASE: { [name: string]: string } = {
	forward: "#8fb4e3", backward: "#f2b880", gradient_sync: "#93cf9e", optimizer: "#e3a09a", other: "#bba8e0",
};

function hash(text: string): number {
	let h = 2166136261;
	for (let i = 0; i < text.length && i < 200; i++) h = Math.imul(h ^ text.charCodeAt(i), 16777619);
	return (h ^ (h >>> 15)) >>> 0;
}

const given = new Map<string, string>();

// What matters most in a run is told apart: each name in turn takes its own colour, or, where another has it, the next that is free.  Grey is for the rest.
export function giveHues(names: string[]): void {
	given.clear();
	const free = new Set(HUES.filter((colour) => colour !== OTHERS));
	for (const name of names) {
		if (!free.size) break;
		let at = hash(name) % HUES.length;
		while (!free.has(HUES[at])) at = (at + 1) % HUES.length;
		free.delete(HUES[at]);
		given.set(name, HUES[at]);
	}
}

// The same name has the same colour on all screens.
export function hue(name: string): string {
	return given.get(name) ?? HUES[hash(name) % HUES.length];
}

export function nth(i: number): string {
	return HUES[i % HUES.length];
}

export function rgb(colour: string): [number, number, number] {
	const value = parseInt(colour.slice(1), 16);
	return [value >> 16, (value >> 8) & 255, value & 255];
}

// As ImageData wants it on little-endian machines, which all are that run browsers.
export function pixel(colour: string): number {
	const [r, g, b] = rgb(colour);
	return (0xff000000 | (b << 16) | (g << 8) | r) >>> 0;
}

// cividis: even in lightness, and read alike by those who don't see red and green apart.
export const CIVIDIS = ["#00224e", "#283c6e", "#4b546c", "#6d6d6f", "#898678", "#ae9f6c", "#d3bb54", "#fee838"];

export function heat(share: number): string {
	if (!Number.isFinite(share)) return "#888888";
	const at = Math.max(0, Math.min(1, share)) * (CIVIDIS.length - 1);
	const low = Math.floor(at), high = Math.min(low + 1, CIVIDIS.length - 1);
	const a = rgb(CIVIDIS[low]), b = rgb(CIVIDIS[high]);
	const mix = a.map((value, i) => Math.round(value + (b[i] - value) * (at - low)));
	return "#" + mix.map((value) => value.toString(16).padStart(2, "0")).join("");
}

export const HEAT_GRADIENT = `linear-gradient(90deg, ${CIVIDIS.join(", ")})`;

function luminance(colour: string): number {
	const [r, g, b] = rgb(colour).map((value) => {
		const c = value / 255;
		return c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
	});
	return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

export function contrast(a: string, b: string): number {
	const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y);
	return (high + 0.05) / (low + 0.05);
}

export function inkOn(colour: string): string {
	return contrast(colour, "#ffffff") > contrast(colour, "#000000") ? "#ffffff" : "#000000"; // anything between would be less than 4.5 on mid-grey
}
