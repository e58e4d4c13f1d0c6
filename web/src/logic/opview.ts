// SPDX-License-Identifier: Apache-2.0
// The ops table by what screens ask for, whatever the report had: times in ns, names, groups.
import { find, numberField, textField, type Field, type Ops } from "../data/ops";
import { sumOf } from "./groups";

function inNs(field: Field | null): Field | null {
	if (!field || field.unit === "ns" || field.unit === "") return field;
	const factor = { us: 1e3, "µs": 1e3, ms: 1e6, s: 1e9 }[field.unit] ?? 1;
	return numberField(field.key, "ns", (row) => field.number(row) * factor, field.from, field.says);
}

// The first of these that has a value at all: of replays of traces, for one, there are times of the whole alone.
function firstWith(ops: Ops, ...keys: string[]): Field | null {
	const there = keys.map((key) => find(ops, key)).filter((field): field is Field => field !== null);
	const has = (field: Field) => {
		for (let row = 0; row < ops.n; row++) if (Number.isFinite(field.number(row))) return true;
		return false;
	};
	return there.find(has) ?? there[0] ?? null;
}

export interface OpView {
	ops: Ops;
	name: Field | null; // name and shape
	code: Field | null;
	time: Field | null; // kernel time, else firmware time, as `ttprof report` has it
	gap: Field | null;
	start: Field | null;
	end: Field | null;
	device: Field | null;
	cores: Field | null;
	id: Field | null;
	category: Field | null;
	bound: Field | null;
	isPost(row: number): boolean; // a signpost: no op
	isHost(row: number): boolean; // ran on the host: it has no device time
}

// A device's log of replays knows no names: which trace and which replay is all that tells them apart.
function replayNames(ops: Ops): Field | null {
	const trace = find(ops, "METAL TRACE ID"), replay = find(ops, "METAL TRACE REPLAY SESSION ID"), given = find(ops, "op");
	return trace ? textField("op", (row) => (trace.text(row) ? `trace ${trace.text(row)}${replay?.text(row) ? `, replay ${replay.text(row)}` : ""}` : given?.text(row) ?? "")) : given;
}

const made = new WeakMap<Ops, OpView>();

export function opView(ops: Ops): OpView {
	let view = made.get(ops);
	if (!view) {
		const type = find(ops, "OP TYPE"), category = find(ops, "category");
		view = {
			ops,
			name: find(ops, "OP CODE") ? find(ops, "op", "OP CODE") : replayNames(ops), code: find(ops, "OP CODE", "code"),
			time: inNs(firstWith(ops, "time_us", "DEVICE KERNEL DURATION [ns]", "DEVICE FW DURATION [ns]", "TRACE KERNEL DURATION [ns]")),
			gap: inNs(find(ops, "gap_us", "OP TO OP LATENCY [ns]")),
			start: inNs(find(ops, "start_ns")), end: inNs(find(ops, "end_ns")),
			device: find(ops, "DEVICE ID", "device"), cores: find(ops, "CORE COUNT", "cores"),
			id: find(ops, "id"), category, bound: find(ops, "bound"),
			isPost: (row) => type?.text(row) === "signpost", isHost: (row) => category?.text(row) === "host",
		};
		made.set(ops, view);
	}
	return view;
}

export function allRows(ops: Ops): number[] {
	return Array.from({ length: ops.n }, (_, row) => row);
}

// Rows that the report counts: one per op, of several devices that of the slowest; all, where there is no report.
export function reported(view: OpView): number[] {
	const rows = allRows(view.ops);
	if (!view.id) return rows;
	const part = rows.filter((row) => Number.isFinite(view.id!.number(row)));
	return part.length ? part : rows;
}

export interface OpLine {
	name: string;
	category: string;
	bound: string;
	rows: number[];
	time: number;
	gap: number;
	longest: number; // the row of the slowest call
}

// Like calls as one line, longest first; which are alike is the report's to say (`like`).
export function foldOps(view: OpView, rows: number[]): OpLine[] {
	const like = find(view.ops, "like");
	const lines = new Map<string, OpLine>();
	for (const row of rows) {
		const name = view.name?.text(row) ?? "";
		const key = like?.text(row) || name;
		let line = lines.get(key);
		if (!line) lines.set(key, (line = { name, category: view.category?.text(row) ?? "", bound: view.bound?.text(row) ?? "", rows: [], time: 0, gap: 0, longest: row }));
		line.rows.push(row);
		if (view.time && (view.time.number(row) || 0) > (view.time.number(line.longest) || 0)) line.longest = row;
	}
	for (const line of lines.values()) {
		line.time = sumOf(line.rows, view.time);
		line.gap = sumOf(line.rows, view.gap);
	}
	return [...lines.values()].sort((a, b) => b.time - a.time);
}

// Op codes by the time they take, longest first.
export function codesByTime(ops: Ops): string[] {
	const view = opView(ops);
	if (!view.code) return [];
	const sums = new Map<string, number>();
	for (let row = 0; row < ops.n; row++) sums.set(view.code.text(row), (sums.get(view.code.text(row)) ?? 0) + (view.time?.number(row) || 0));
	return [...sums].sort((a, b) => b[1] - a[1]).map(([code]) => code);
}
