// SPDX-License-Identifier: Apache-2.0
// The arithmetic of tt-train's notebooks on an ops report, each with its quirks named: what they show must be found here again.
import { find, type Field, type Ops } from "../data/ops";
import { groupRows, sumOf } from "./groups";

export const NOOP = "ProfilerNoopOperation";

export interface Prepared {
	ops: Ops;
	code: Field | null;
	rows: number[]; // after compilation_finished, without markers
	steps: number;
	stepsKnown: boolean; // else 3, as the notebook takes it
	compiled: boolean; // a compilation_finished marker was there; else all rows are taken
	metrics: { name: string; field: Field | null }[];
}

export const METRIC_NAMES = ["Device Time", "Host Time", "Time Between Ops"] as const;

// Rows after the last compilation_finished marker; the notebook stops where there is none, we take all and say so.
export function prepare(ops: Ops): Prepared {
	const code = find(ops, "OP CODE", "code");
	const attributes = find(ops, "ATTRIBUTES");
	const type = find(ops, "OP TYPE");
	let first = 0, compiled = false;
	const noops: number[] = [];
	for (let row = 0; row < ops.n; row++)
		if (code?.text(row) === NOOP) {
			noops.push(row);
			if (attributes?.text(row).includes("compilation_finished")) {
				first = row + 1;
				compiled = true;
			}
		}
	const iterations = new Set<string>();
	for (const row of noops) if (row >= first && attributes?.text(row).includes("iteration_")) iterations.add(attributes.text(row));
	const isNoop = new Set(noops);
	const rows: number[] = [];
	for (let row = first; row < ops.n; row++) if (!isNoop.has(row) && type?.text(row) !== "signpost") rows.push(row);
	return {
		ops, code, rows, compiled, steps: iterations.size || 3, stepsKnown: iterations.size > 0,
		metrics: [
			{ name: METRIC_NAMES[0], field: find(ops, "DEVICE FW DURATION [ns]", "DEVICE KERNEL DURATION [ns]") },
			{ name: METRIC_NAMES[1], field: find(ops, "HOST DURATION [ns]") },
			{ name: METRIC_NAMES[2], field: find(ops, "OP TO OP LATENCY [ns]") },
		],
	};
}

export interface Slice {
	name: string;
	value: number;
}

function perOp(p: Prepared, metric: Field | null, agg: "sum" | "mean"): Slice[] {
	if (!p.code || !metric) return [];
	return groupRows(p.rows, p.code).map(({ name, rows }) => {
		const values = rows.map((row) => metric.number(row)).filter((value) => Number.isFinite(value));
		const sum = values.reduce((total, value) => total + value, 0);
		return { name, value: agg === "sum" ? sum : values.length ? sum / values.length : 0 };
	});
}

// Top 15 and Others.  For means Others is a sum of means, as in the notebook: its share says little.
export function pieSlices(p: Prepared, metric: Field | null, agg: "sum" | "mean", most = 15): Slice[] {
	const all = perOp(p, metric, agg).sort((a, b) => b.value - a.value);
	const rest = all.slice(most).reduce((sum, slice) => sum + slice.value, 0);
	return all.slice(0, most).concat(rest !== 0 ? [{ name: "Others", value: rest }] : []);
}

// Every op, in ns; sums are per step.
export function barValues(p: Prepared, metric: Field | null, agg: "sum" | "mean"): Slice[] {
	return perOp(p, metric, agg).map(({ name, value }) => ({ name, value: agg === "sum" ? value / p.steps : value })).sort((a, b) => b.value - a.value);
}

// Places of what lies beyond three standard deviations (of a sample) from the mean.
export function anomalies(values: number[]): number[] {
	const list = values.filter((value) => Number.isFinite(value));
	if (list.length < 2) return [];
	const mean = list.reduce((sum, value) => sum + value, 0) / list.length;
	const sd = Math.sqrt(list.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (list.length - 1));
	const found: number[] = [];
	values.forEach((value, i) => {
		if (value < mean - 3 * sd || value > mean + 3 * sd) found.push(i);
	});
	return found;
}

export interface Overhead {
	name: string;
	calls: number;
	host: number; // ns per step
	gap: number;
	device: number;
	percent: number; // of gap and device time
}

const zero = (value: number) => (Number.isFinite(value) ? value : 0);

export function overheads(p: Prepared): { lines: Overhead[]; whole: Overhead } {
	const [device, host, gap] = p.metrics.map((metric) => metric.field);
	const line = (name: string, rows: number[], counted: number): Overhead => {
		const g = sumOf(rows, gap) / p.steps, d = sumOf(rows, device) / p.steps;
		return { name, calls: Math.trunc(counted / p.steps), host: sumOf(rows, host) / p.steps, gap: g, device: d, percent: g + d > 0 ? (100 * g) / (g + d) : 0 };
	};
	const lines = p.code ? groupRows(p.rows, p.code).map(({ name, rows }) =>
		line(name, rows, rows.filter((row) => Number.isFinite(host?.number(row) ?? NaN)).length)) : [];
	lines.sort((a, b) => b.gap - a.gap);
	return { lines, whole: line("WHOLE STEP", p.rows, p.rows.length) };
}

// ---- markers of tt-train: ten rows with one identifier

export interface Marker {
	ident: string;
	first: number;
	last: number;
}

const PER_CALL = 10;

export function identifierOf(attributes: string): string | null {
	return /'identifier':\s*'([^']+)'/.exec(attributes)?.[1] ?? null;
}

// Groups of ten equal markers in rows that need not be neighbours: ops of other devices may lie between.
export function markers(ops: Ops, from = 0, to = ops.n): Marker[] {
	const code = find(ops, "OP CODE", "code"), attributes = find(ops, "ATTRIBUTES");
	const list: { row: number; ident: string }[] = [];
	for (let row = from; row < to; row++) {
		if (code?.text(row) !== NOOP) continue;
		const ident = identifierOf(attributes?.text(row) ?? "");
		if (ident !== null) list.push({ row, ident });
	}
	const groups: Marker[] = [];
	for (let i = 0; i + PER_CALL <= list.length;) {
		let same = true;
		for (let k = 1; k < PER_CALL && same; k++) same = list[i + k].ident === list[i].ident;
		if (same) {
			groups.push({ ident: list[i].ident, first: list[i].row, last: list[i + PER_CALL - 1].row });
			i += PER_CALL;
		} else i++;
	}
	return groups;
}

export interface Iterated {
	k: number;
	mark: number; // where the marks begin that it begins with
	from: number; // rows
	to: number;
}

// Rows of each iteration_k.  tt-train writes that mark when a step is done; marks that stand before a step's phases begin it.
export function iterations(ops: Ops): Iterated[] {
	const all = markers(ops), at = (marker: Marker) => iterationOf(marker.ident);
	const first = all.find((marker) => at(marker) !== null);
	if (!first) return [];
	const start = all.filter((marker) => marker.ident.includes("compilation_finished") && marker.first < first.first).pop() ?? null;
	const isPhase = (marker: Marker) => at(marker) === null && BOUNDARIES.has(marker.ident);
	const groups: { k: number; first: Marker; last: Marker }[] = [];
	for (const marker of all) {
		const k = at(marker), before = groups[groups.length - 1];
		if (k === null) continue;
		if (before?.k === k) before.last = marker; // once for each device
		else groups.push({ k, first: marker, last: marker });
	}
	const code = find(ops, "OP CODE", "code");
	const works = (from: number, to: number) => {
		for (let row = from; row < to; row++) if (code?.text(row) !== NOOP) return true;
		return false;
	};
	const ends = all.some(isPhase)
		? all.some((marker) => isPhase(marker) && marker.first < first.first && marker.first > (start?.last ?? -1))
		: !works(groups[groups.length - 1].last.last + 1, ops.n);
	return groups.map(({ k, first, last }, i) => ends
		? { k, mark: i ? groups[i - 1].last.first : start?.first ?? 0, from: i ? groups[i - 1].last.last + 1 : start ? start.last + 1 : 0, to: last.last + 1 }
		: { k, mark: first.first, from: first.first, to: groups[i + 1]?.first.first ?? ops.n });
}

export const PHASES = ["forward", "backward", "gradient_sync", "optimizer", "other"] as const;
export type Phase = (typeof PHASES)[number];

const PAIRS: { [pair: string]: Phase } = {
	"dataloader_step_done>forward_pass_done": "forward", "forward_pass_done>backward_pass_done": "backward", "backward_pass_done>gradient_sync_done": "gradient_sync",
	"gradient_sync_done>optimizer_step_done": "optimizer", "optimizer_step_done>iteration": "other", "iteration>dataloader_step_done": "other",
};
// What lies between the markers that bound phases: rows, and the phase.
export function phaseRows(ops: Ops): { phase: Phase; from: number; to: number }[] {
	const bounds = markers(ops).filter((marker) => BOUNDARIES.has(plain(marker.ident)));
	return bounds.slice(1).map((b, i) => ({ phase: PAIRS[plain(bounds[i].ident) + ">" + plain(b.ident)], from: bounds[i].last + 1, to: b.first })).filter(({ phase }) => phase);
}

const BOUNDARIES = new Set(["dataloader_step_done", "forward_pass_done", "backward_pass_done", "gradient_sync_done", "optimizer_step_done", "iteration"]);
const SHORT: { [phase: string]: string } = { forward: "fwd", backward: "bwd", gradient_sync: "sync", optimizer: "opt" };
const CCL: { [code: string]: string } = { ReduceScatterMinimalAsyncDeviceOperation: "rs", AllGatherAsyncDeviceOperation: "ag" };
const plain = (ident: string) => (/^iteration_\d+$/.test(ident) ? "iteration" : ident);
const iterationOf = (ident: string) => (/^iteration_(\d+)$/.test(ident) ? Number(ident.slice(10)) : null);

export interface Iteration {
	iteration: number;
	phases: { [phase: string]: number }; // ns
	ccl: { [key: string]: number };
	total: number;
}

export interface Phases {
	device: number;
	iterations: Iteration[];
	average: { [phase: string]: number }; // without the first iteration, when there are others
	steady: number;
}

// Kernel time between boundaries, per device.
export function phases(ops: Ops): Phases[] {
	const p = prepare(ops);
	if (!p.compiled) return [];
	const code = p.code!, device = find(ops, "DEVICE ID"), time = find(ops, "DEVICE KERNEL DURATION [ns]");
	const attributes = find(ops, "ATTRIBUTES");
	let from = 0;
	for (let row = 0; row < ops.n; row++)
		if (code.text(row) === NOOP && attributes?.text(row).includes("compilation_finished")) from = row + 1;
	const bounds = markers(ops, from).filter((marker) => BOUNDARIES.has(plain(marker.ident)));
	const found = new Map<number, Map<number, Iteration>>();
	for (let i = 0; i + 1 < bounds.length; i++) {
		const a = bounds[i], b = bounds[i + 1];
		const phase = PAIRS[plain(a.ident) + ">" + plain(b.ident)];
		if (!phase) continue;
		let iteration = iterationOf(a.ident) ?? iterationOf(b.ident);
		for (let k = i + 2; iteration === null && k < bounds.length; k++) iteration = iterationOf(bounds[k].ident);
		if (iteration === null) continue;
		for (let row = a.last + 1; row < b.first; row++) {
			if (code.text(row) === NOOP) continue;
			const id = device?.number(row) ?? 0;
			if (!Number.isFinite(id)) continue;
			if (!found.has(id)) found.set(id, new Map());
			const of = found.get(id)!;
			if (!of.has(iteration)) of.set(iteration, { iteration, phases: {}, ccl: {}, total: 0 });
			const entry = of.get(iteration)!;
			const ns = zero(time?.number(row) ?? NaN);
			entry.phases[phase] = (entry.phases[phase] ?? 0) + ns;
			entry.total += ns;
			const kind = CCL[code.text(row)];
			if (kind && SHORT[phase]) entry.ccl[`${SHORT[phase]}_${kind}`] = (entry.ccl[`${SHORT[phase]}_${kind}`] ?? 0) + ns;
		}
	}
	return [...found].sort((a, b) => a[0] - b[0]).map(([device, of]) => {
		const iterations = [...of.values()].sort((a, b) => a.iteration - b.iteration);
		const steady = iterations.length > 1 ? iterations.slice(1) : iterations;
		const average: { [phase: string]: number } = {};
		for (const phase of PHASES) average[phase] = steady.reduce((sum, entry) => sum + (entry.phases[phase] ?? 0), 0) / steady.length;
		average.total = steady.reduce((sum, entry) => sum + entry.total, 0) / steady.length;
		return { device, iterations, average, steady: steady.length };
	});
}
