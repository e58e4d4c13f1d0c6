// SPDX-License-Identifier: Apache-2.0
// What each core did in a choice of ops: sums of what the page has per op and core (docs/glossary.md has the words).
import type { Table } from "../data/run";

export const METRICS = [
	["over", "above the mean", "what the core was busy above the mean of each op's cores, summed over the calls: who is slow, whatever it ran"],
	["slowest", "slowest in", "calls in which the core was busy longest of the op's cores"],
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
	slowest?: number; // calls in which it was the slowest
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
	const part = metric === "over" || metric === "slowest" ? null : table[metric], means = part || !table.busy ? null : meansOf(table, chosen);
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
		case "over": case "slowest": {
			const { sum, most, n } = means!.get(op[i])!, busy = table.busy[i], first = busy === most && most * n > sum ? 1 : 0;
			core.slowest = (core.slowest ?? 0) + first;
			core.value += metric === "slowest" ? first : Math.max(0, busy - sum / n);
			break;
		}
		default: core.value += part ? part[i] : NaN;
		}
	}
	const cores = [...value.values()];
	for (const core of cores) {
		if (metric === "skew" || metric === "tail") core.value /= core.count;
	}
	return summed(cores.sort((a, b) => a.y - b.y || a.x - b.x));
}

// Of each chosen op what its cores were busy, together and the busiest.
function meansOf(table: Table, chosen: (i: number) => boolean): Map<number, { sum: number; most: number; n: number }> {
	const means = new Map<number, { sum: number; most: number; n: number }>();
	for (let i = 0; i < table.n; i++) {
		if (!chosen(i)) continue;
		let mean = means.get(table.op[i]);
		if (!mean) means.set(table.op[i], (mean = { sum: 0, most: 0, n: 0 }));
		mean.sum += table.busy[i];
		mean.most = Math.max(mean.most, table.busy[i]);
		mean.n++;
	}
	return means;
}

// What a core did of each op: by op code and shape, what it was above the mean of the op's cores first.
export interface CoreOp {
	name: string;
	calls: number;
	slowest: number;
	busy: number;
	over: number;
	worst: number; // op, row + 1
	top: number;
}

export interface CoreFacts {
	ops: CoreOp[];
	riscs: { name: string; ns: number; mean: number }[]; // of this core, and the mean of all that ran the same ops
	wait: number;
	meanWait: number;
	busy: number;
	calls: number;
}

const RISCS = ["brisc", "ncrisc", "trisc0", "trisc1", "trisc2", "erisc"] as const;

export function coreFacts(table: Table, choice: Choice, x: number, y: number, nameOf: (op: number) => string): CoreFacts {
	const chosen = (i: number) => table.device[i] === choice.device && (choice.ops === null || choice.ops.has(table.op[i]));
	const means = meansOf(table, chosen), ops = new Map<string, CoreOp>(), mine = new Set<number>();
	const facts: CoreFacts = { ops: [], riscs: RISCS.map((name) => ({ name, ns: 0, mean: 0 })), wait: 0, meanWait: 0, busy: 0, calls: 0 };
	for (let i = 0; i < table.n; i++) {
		if (!chosen(i) || table.x[i] !== x || table.y[i] !== y) continue;
		const op = table.op[i], { sum, most, n } = means.get(op)!, busy = table.busy[i], name = nameOf(op);
		let line = ops.get(name);
		if (!line) ops.set(name, (line = { name, calls: 0, slowest: 0, busy: 0, over: 0, worst: op, top: -1 }));
		const over = Math.max(0, busy - sum / n);
		line.calls++;
		line.busy += busy;
		line.over += over;
		line.slowest += busy === most && most * n > sum ? 1 : 0;
		if (over > line.top) {
			line.top = over;
			line.worst = op;
		}
		facts.riscs.forEach((risc) => (risc.ns += table[risc.name]?.[i] ?? 0));
		facts.wait += table.wait?.[i] ?? 0;
		facts.busy += busy;
		facts.calls++;
		mine.add(op);
	}
	for (let i = 0; i < table.n; i++) {
		if (!chosen(i) || !mine.has(table.op[i])) continue;
		const { n } = means.get(table.op[i])!;
		facts.riscs.forEach((risc) => (risc.mean += (table[risc.name]?.[i] ?? 0) / n));
		facts.meanWait += (table.wait?.[i] ?? 0) / n;
	}
	facts.ops = [...ops.values()].sort((a, b) => b.over - a.over || b.busy - a.busy);
	facts.riscs = facts.riscs.filter((risc) => risc.ns > 0 || risc.mean > 0);
	return facts;
}

export interface Standout {
	core: Core;
	times: number; // of the next one's value
}

// The core that is slow whatever it runs, if there is one: far above the next, and the slowest in many of its calls.
export function standout(heat: Heat): Standout | null {
	const [first, second] = [...heat.cores].sort((a, b) => b.value - a.value);
	if (!first || !second || !(first.value > 0) || first.count < 3) return null;
	const times = second.value > 0 ? first.value / second.value : Infinity;
	return times >= 3 || (times >= 1.5 && (first.slowest ?? 0) * 4 >= first.count) ? { core: first, times } : null;
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
