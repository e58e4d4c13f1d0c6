// SPDX-License-Identifier: Apache-2.0
// Numbers for people: a unit with each, three significant digits or so, never a bare NaN.

export const NONE = "–";

function digits(value: number): string {
	const size = Math.abs(value);
	if (size >= 1000) return Math.round(value).toString();
	if (size >= 100) return value.toFixed(0);
	if (size >= 10) return value.toFixed(1);
	return value.toFixed(2);
}

const STEPS: [number, string][] = [[1e9, "s"], [1e6, "ms"], [1e3, "µs"], [1, "ns"]];

export function time(ns: number): string {
	if (!Number.isFinite(ns)) return NONE;
	if (ns === 0) return "0 ns";
	const size = Math.abs(ns);
	for (const [step, unit] of STEPS)
		if (size >= step * 0.9995 || step === 1) return (step === 1 && Number.isInteger(ns) ? String(ns) : digits(ns / step)) + " " + unit;
	return NONE;
}

export function percent(value: number, decimals = 1): string {
	return Number.isFinite(value) ? value.toFixed(decimals) + " %" : NONE;
}

export function count(value: number): string {
	if (!Number.isFinite(value)) return NONE;
	if (!Number.isInteger(value)) return digits(value);
	return group(value.toString());
}

function group(text: string): string {
	return text.replace(/\B(?=(\d{3})+$)/g, "\u2009");
}

export function bytes(value: number): string {
	if (!Number.isFinite(value)) return NONE;
	let unit = 0;
	const units = ["B", "KB", "MB", "GB", "TB"];
	while (Math.abs(value) >= 999.5 && unit < units.length - 1) {
		value /= 1000;
		unit++;
	}
	return (unit === 0 ? String(value) : digits(value)) + " " + units[unit];
}

// A value in the unit that its column has.
export function withUnit(value: number, unit: string): string {
	if (!Number.isFinite(value)) return NONE;
	switch (unit) {
	case "ns": return time(value);
	case "us": case "µs": return time(value * 1e3);
	case "ms": return time(value * 1e6);
	case "%": return percent(value);
	case "B": return bytes(value);
	case "": return count(value);
	default: return digits(value) + " " + unit;
	}
}

// One name for the head of a table, without the unit, which stands at each value.
export function plural(n: number, one: string, many = one + "s"): string {
	return `${count(n)} ${n === 1 ? one : many}`;
}

// Steps of an axis: 1, 2, 5 times a power of ten.
export function niceStep(span: number, wanted: number): number {
	if (!(span > 0)) return 1;
	const raw = span / Math.max(1, wanted);
	const power = 10 ** Math.floor(Math.log10(raw));
	const rest = raw / power;
	return power * (rest <= 1 ? 1 : rest <= 2 ? 2 : rest <= 5 ? 5 : 10);
}

// A place on a time axis, with as many decimals as its steps need.
export function tick(ns: number, step: number): string {
	if (ns === 0) return "0";
	const [size, unit] = STEPS.find(([size]) => step >= size * 0.1 && Math.abs(ns) >= size * 0.9999) ?? (step < 0.1 ? [1, "ns"] : STEPS[3]);
	const decimals = Math.max(0, Math.min(4, Math.ceil(-Math.log10(step / (size as number)) - 1e-9)));
	return (ns / (size as number)).toFixed(decimals) + " " + unit;
}

// A time in the unit of its own size, so exact that `step` can be seen.
export function exact(ns: number, step: number): string {
	const [size, unit] = STEPS.find(([size]) => Math.abs(ns) >= size * 0.9999) ?? STEPS[3];
	return ns === 0 ? "0" : (ns / size).toFixed(Math.max(0, Math.min(6, Math.ceil(-Math.log10(step / size))))) + " " + unit;
}

// Control characters, and those that turn the direction of what follows or take no room: names of a trace may hold them, and are only to be read.
const UNSEEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/;
const ALL_UNSEEN = new RegExp(UNSEEN, "g");

export function harmless(text: string): string {
	return UNSEEN.test(text) ? text.replace(ALL_UNSEEN, "\ufffd") : text;
}

export function short(raw: string, most = 80): string {
	const text = harmless(raw);
	return text.length > most ? text.slice(0, most - 1) + "…" : text;
}

// A change: with its sign, the same minus as in the terminal.
export function signed(value: number, text: (size: number) => string): string {
	return Number.isFinite(value) ? (value < 0 ? "−" : "+") + text(Math.abs(value)) : NONE;
}

// Millions where there are some: what a large page says while it loads.
export function readingZones(read: number, all: number): string {
	if (!(all >= 1e6)) return "Reading zones …";
	return `Reading zones: ${(read / 1e6).toFixed(all < 1e7 ? 1 : 0)} of ${(all / 1e6).toFixed(all < 1e7 ? 1 : 0)} M …`;
}
