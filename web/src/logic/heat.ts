// SPDX-License-Identifier: Apache-2.0
// What each core did in a choice of ops: sums of what the page has per op and core (docs/glossary.md has the words).
import type { Table } from "../data/run";

export const METRICS = [
	["busy", "busy", "time in which at least one RISC of the core was in a kernel, summed over the calls"],
	["span", "span", "from the core's first kernel start to its last kernel end, summed over the calls"],
	["skew", "start skew", "how long after the op's first core it started, mean over the calls"],
	["tail", "tail", "how long before the op's end it was done, mean over the calls"],
	["wait", "waiting", "time spent waiting for circular buffers, summed"],
	["count", "calls", "calls that ran on the core"],
	["brisc", "BRISC", "kernel time of BRISC (reads), summed"], ["ncrisc", "NCRISC", "kernel time of NCRISC (writes), summed"],
	["trisc0", "TRISC0", "kernel time of TRISC0 (unpack), summed"], ["trisc1", "TRISC1", "kernel time of TRISC1 (math), summed"],
	["trisc2", "TRISC2", "kernel time of TRISC2 (pack), summed"], ["erisc", "ERISC", "kernel time of ERISC (ethernet), summed"],
] as const;
export type Metric = (typeof METRICS)[number][0];

export interface Core {
	x: number;
	y: number;
	count: number;
	value: number;
}

export interface Heat {
	cores: Core[];
	max: number;
	mean: number;
	min: number;
	imbalance: number; // max/mean − 1
	variation: number; // standard deviation over mean
	lost: number; // Σ (max − value): core-time that others spent waiting for the slowest
}

const NO_HEAT: Heat = { cores: [], max: NaN, mean: NaN, min: NaN, imbalance: NaN, variation: NaN, lost: NaN };

export interface Choice {
	device: number;
	ops: Set<number> | null; // rows + 1, null: all
}

export function heatOf(table: Table, metric: Metric, choice: Choice): Heat {
	const value = new Map<number, Core>();
	const ends = new Map<number, number>();
	const { op, device, x, y, start, dur } = table;
	const chosen = (i: number) => device[i] === choice.device && (choice.ops === null || choice.ops.has(op[i]));
	if (metric === "tail")
		for (let i = 0; i < table.n; i++)
			if (chosen(i)) ends.set(op[i], Math.max(ends.get(op[i]) ?? 0, start[i] + dur[i]));
	const part = table[metric];
	for (let i = 0; i < table.n; i++) {
		if (!chosen(i)) continue;
		const key = y[i] * 4096 + x[i];
		let core = value.get(key);
		if (!core) value.set(key, (core = { x: x[i], y: y[i], count: 0, value: 0 }));
		core.count++;
		switch (metric) {
		case "span": core.value += dur[i]; break;
		case "skew": core.value += start[i]; break;
		case "tail": core.value += ends.get(op[i])! - start[i] - dur[i]; break;
		case "count": core.value++; break;
		default: core.value += part ? part[i] : NaN;
		}
	}
	const cores = [...value.values()];
	for (const core of cores) {
		if (metric === "skew" || metric === "tail") core.value /= core.count;
	}
	return summed(cores.sort((a, b) => a.y - b.y || a.x - b.x));
}

export function summed(cores: Core[]): Heat {
	if (cores.length === 0) return NO_HEAT;
	let max = -Infinity, min = Infinity, sum = 0;
	for (const { value } of cores) {
		max = Math.max(max, value);
		min = Math.min(min, value);
		sum += value;
	}
	const mean = sum / cores.length;
	const square = cores.reduce((total, { value }) => total + (value - mean) ** 2, 0) / cores.length;
	return {
		cores, max, mean, min, imbalance: mean > 0 ? max / mean - 1 : NaN,
		variation: mean > 0 ? Math.sqrt(square) / mean : NaN, lost: cores.reduce((total, { value }) => total + max - value, 0),
	};
}
