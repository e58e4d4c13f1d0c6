// SPDX-License-Identifier: Apache-2.0
// Performance counters of an ops report: columns that come as Min, Median, Max and Avg over the cores of an op.
import type { Field, Ops } from "../data/ops";

export interface Counter {
	name: string;
	unit: string; // "%" or ""
	min: Field | null;
	median: Field | null;
	max: Field | null;
	avg: Field | null;
	main: Field; // what is shown: avg, else median
	kind: "stall" | "use" | "other";
}

const FORM = /^(.*?) (Min|Median|Max|Avg|Util Min|Util Median|Util Max)( \(%\))?$/, GRID = /^Avg (.+?) util on full grid \(%\)$/i;

export function countersOf(ops: Ops): Counter[] {
	const found = new Map<string, Partial<Counter> & { name: string; unit: string }>();
	const of = (name: string, unit: string) => {
		let one = found.get(name);
		if (!one) found.set(name, (one = { name, unit }));
		return one;
	};
	for (const field of ops.fields) {
		if (field.from !== "csv" || field.kind !== "number") continue;
		const grid = GRID.exec(field.key);
		if (grid) {
			of(`${grid[1]} util, full grid`, "%").avg = field;
			continue;
		}
		const parts = FORM.exec(field.key);
		if (!parts || /\[ns\]|Count$/.test(field.key)) continue;
		const util = parts[2].startsWith("Util ") ? " Util" : "", which = parts[2].replace("Util ", "").toLowerCase() as "min" | "median" | "max" | "avg";
		of(parts[1] + util, parts[3] ? "%" : "")[which] = field;
	}
	const out: Counter[] = [];
	for (const one of found.values()) {
		const main = one.avg ?? one.median ?? one.max;
		if (!main) continue;
		const kind = /stall|wait|backpressure/i.test(one.name) ? "stall" : /util|efficien|rate/i.test(one.name) ? "use" : "other";
		out.push({ name: one.name, unit: one.unit, min: one.min ?? null, median: one.median ?? null, max: one.max ?? null, avg: one.avg ?? null, main, kind });
	}
	return out;
}

// What an op waited for most: of its stalls the largest, −1 without any.
export function topStall(counters: Counter[], row: number): { at: number; value: number } {
	let at = -1, value = 0;
	counters.forEach((one, i) => {
		const now = one.kind === "stall" && one.unit === "%" ? one.main.number(row) : NaN;
		if (now > value) {
			at = i;
			value = now;
		}
	});
	return { at, value };
}
