// SPDX-License-Identifier: Apache-2.0
// Ops of two runs beside each other: which row an ID is, what differs, and where they lie in time.
import type { Field, Ops } from "../data/ops";
import { opView } from "./opview";

const rowsById = new WeakMap<Ops, Map<number, number>>();

// The row that a report calls by this ID; −1: none.
export function rowOfId(ops: Ops, id: number | undefined): number {
	let map = rowsById.get(ops);
	if (!map) {
		rowsById.set(ops, (map = new Map()));
		const field = opView(ops).id;
		for (let row = 0; row < ops.n; row++) {
			const value = field ? field.number(row) : row + 1;
			if (Number.isFinite(value) && !map.has(value)) map.set(value, row);
		}
	}
	return id === undefined ? -1 : map.get(id) ?? -1;
}

export interface Difference {
	key: string;
	base: string;
	new: string;
}

// Columns of the file with another text; times and counters of a single call differ always, and have their rows elsewhere.
const MEASURED = /\[ns\]|CYCLE|\bTS\b|^GLOBAL CALL COUNT|^(HOST|DEVICE) (START|END)|TRACE ID|SESSION/;

export function differences(base: Ops, baseRow: number, other: Ops, otherRow: number): Difference[] {
	const keys = [...new Set([...base.fields, ...other.fields].filter((field) => field.from === "csv" && !MEASURED.test(field.key)).map((field) => field.key))];
	return keys.map((key) => ({ key, base: base.byKey.get(key)?.text(baseRow) ?? "", new: other.byKey.get(key)?.text(otherRow) ?? "" })).filter((one) => one.base !== one.new);
}

export interface Bars {
	start: Float64Array; // rising
	end: Float64Array;
	row: number[];
}

// The ops of one device in the order in which they ran.
export function opsOfDevice(ops: Ops, device: string): Bars {
	const view = opView(ops), { start, end } = view;
	const rows: number[] = [];
	for (let row = 0; row < ops.n; row++)
		if (!view.isPost(row) && Number.isFinite(start?.number(row) ?? NaN) && (view.device?.text(row) ?? "") === device) rows.push(row);
	rows.sort((a, b) => start!.number(a) - start!.number(b) || a - b);
	const time = (field: Field | null, row: number) => field?.number(row) ?? NaN;
	return {
		row: rows,
		start: Float64Array.from(rows, (row) => time(start, row)),
		end: Float64Array.from(rows, (row) => {
			const at = time(end, row);
			return Number.isFinite(at) ? at : time(start, row) + (view.time?.number(row) || 0);
		}),
	};
}

// The first that ends behind t.
export function firstAfter(end: ArrayLike<number>, t: number): number {
	let low = 0, high = end.length;
	while (low < high) {
		const middle = (low + high) >> 1;
		if (end[middle] > t) high = middle;
		else low = middle + 1;
	}
	return low;
}

// The ops around a chosen one, `beside` on either side, as a span from its start.
export function spanAround(bars: Bars, row: number, beside: number): [number, number] | null {
	const at = bars.row.indexOf(row);
	if (at < 0) return null;
	const from = bars.start[Math.max(0, at - beside)], to = bars.end[Math.min(bars.row.length - 1, at + beside)];
	return [from - bars.start[at], to - bars.start[at]];
}

const MOST = 700; // bars of a lane

export interface Drawn {
	x: number;
	width: number;
	at: number; // bar
	count: number; // how many are drawn as one
}

// What lies in sight; bars narrower than a pixel become one with their neighbours.
export function barsInSight(bars: Bars, t0: number, t1: number, pixels: number): Drawn[] {
	const out: Drawn[] = [], scale = pixels / (t1 - t0);
	for (let at = firstAfter(bars.end, t0); at < bars.start.length && bars.start[at] < t1 && out.length < MOST; at++) {
		const from = Math.max(0, (bars.start[at] - t0) * scale), to = Math.min(pixels, (bars.end[at] - t0) * scale);
		const last = out[out.length - 1];
		if (last && to - from < 1 && from - (last.x + last.width) < 1 && (last.count > 1 || last.width < 1)) {
			last.width = Math.max(last.width, to - last.x, 1);
			last.count++;
		} else out.push({ x: from, width: Math.max(0.5, to - from), at, count: 1 });
	}
	return out;
}
