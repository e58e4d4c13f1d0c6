// SPDX-License-Identifier: Apache-2.0
// From a time to where it stands along the axis, and back.  Three ways: time as it passed; the same with idle stretches folded, so that
// what worked fills the picture; by op, each as wide as the next.  All are straight between knots, so that one painter serves them.
import { find, type Ops } from "../data/ops";
import { opView } from "../logic/opview";
import { NOOP } from "../logic/notebook";

export const AXES = ["time", "fold", "ops"] as const;
export type AxisKind = (typeof AXES)[number];

export interface Fold {
	t0: number;
	t1: number;
	at: number; // on the axis
	wide: number;
}

export interface Axis {
	kind: AxisKind;
	span: number; // of the whole run, on the axis
	to(time: number): number;
	from(at: number): number;
	// The same for many times that rise.
	all(times: ArrayLike<number>, first: number, n: number, plus?: ArrayLike<number>): Float64Array;
	folds: Fold[];
}

export interface Stretch {
	t0: number;
	t1: number;
}

export function timeAxis(whole: number): Axis {
	const all = (times: ArrayLike<number>, first: number, n: number, plus?: ArrayLike<number>) => {
		const out = new Float64Array(n);
		for (let i = 0; i < n; i++) out[i] = times[first + i] + (plus ? plus[first + i] : 0);
		return out;
	};
	return { kind: "time", span: whole, to: (time) => time, from: (at) => at, all, folds: [] };
}

// Straight from knot to knot; before the first and behind the last one to one.
function bent(kind: AxisKind, times: Float64Array, at: Float64Array, whole: number, folds: Fold[]): Axis {
	const n = times.length;
	const knot = (a: Float64Array, value: number) => {
		let low = 0, high = n - 1;
		while (high - low > 1) {
			const middle = (low + high) >> 1;
			if (a[middle] <= value) low = middle;
			else high = middle;
		}
		return low;
	};
	const walk = (from: Float64Array, to: Float64Array, value: number) => {
		if (value <= from[0]) return to[0] + value - from[0];
		if (value >= from[n - 1]) return to[n - 1] + value - from[n - 1];
		const i = knot(from, value);
		return to[i] + ((value - from[i]) * (to[i + 1] - to[i])) / (from[i + 1] - from[i]);
	};
	const all = (list: ArrayLike<number>, first: number, count: number, plus?: ArrayLike<number>) => {
		const out = new Float64Array(count);
		let i = 0;
		for (let k = 0; k < count; k++) {
			const time = list[first + k] + (plus ? plus[first + k] : 0);
			if (time <= times[0] || time >= times[n - 1]) {
				out[k] = walk(times, at, time);
				continue;
			}
			if (times[i] > time) i = 0; // ends of zones that touch may go back by a rounding
			if (times[Math.min(i + 8, n - 1)] < time) i = knot(times, time);
			while (times[i + 1] <= time) i++;
			out[k] = at[i] + ((time - times[i]) * (at[i + 1] - at[i])) / (times[i + 1] - times[i]);
		}
		return out;
	};
	return { kind, span: walk(times, at, whole), to: (time) => walk(times, at, time), from: (value) => walk(at, times, value), all, folds };
}

// Stretches in which some device ran an op that is no marker of a profiler, by start, without overlap.
export function workOf(ops: Ops): Stretch[] {
	const { start, end, code } = opView(ops);
	if (!start || !end) return [];
	const list: Stretch[] = [];
	for (let row = 0; row < ops.n; row++) {
		const t0 = start.number(row), t1 = end.number(row);
		if (t1 >= t0 && code?.text(row) !== NOOP) list.push({ t0, t1 });
	}
	list.sort((a, b) => a.t0 - b.t0);
	const out: Stretch[] = [];
	for (const one of list) {
		const last = out[out.length - 1];
		if (last && one.t0 <= last.t1) last.t1 = Math.max(last.t1, one.t1);
		else out.push({ ...one });
	}
	return out;
}

const SHARE = 0.3; // of the work: what all folds together may take

// Idle stretches as wide as their share of what folds may take; shorter ones stay as they are.
export function foldedAxis(work: Stretch[], whole: number): Axis {
	if (!work.length) return timeAxis(whole);
	const busy = work.reduce((sum, one) => sum + one.t1 - one.t0, 0);
	const kept = Math.max(1, (busy * SHARE) / (work.length + 1));
	const times: number[] = [0], at: number[] = [0];
	const folds: Fold[] = [];
	let last = 0, x = 0;
	const idleTo = (time: number) => {
		const gap = time - last;
		if (gap <= 0) return;
		const wide = gap > 2 * kept ? kept : gap;
		if (wide < gap) {
			folds.push({ t0: last, t1: time, at: x, wide });
			if (times[times.length - 1] < last) times.push(last), at.push(x);
			times.push(time), at.push(x + wide);
		}
		x += wide;
		last = time;
	};
	for (const one of work) {
		idleTo(one.t0);
		x += one.t1 - one.t0;
		last = one.t1;
	}
	idleTo(whole);
	if (times[times.length - 1] < whole) times.push(whole), at.push(x);
	return folds.length ? bent("fold", Float64Array.from(times), Float64Array.from(at), whole, folds) : timeAxis(whole);
}

// Each op from its number to the next; ops of several devices that begin at one time share one.
export function opAxis(ops: Ops, whole: number): Axis {
	const { start, code } = opView(ops);
	const times: number[] = [];
	for (let row = 0; row < ops.n; row++) {
		const time = start?.number(row) ?? NaN;
		if (Number.isFinite(time) && code?.text(row) !== NOOP && time >= 0) times.push(time);
	}
	times.sort((a, b) => a - b);
	const knots = times.filter((time, i) => i === 0 || time > times[i - 1]);
	if (knots.length < 2) return timeAxis(whole);
	if (knots[0] > 0) knots.unshift(0);
	if (knots[knots.length - 1] < whole) knots.push(whole);
	return bent("ops", Float64Array.from(knots), Float64Array.from(knots, (_, i) => i * OP_WIDTH), whole, []);
}

export const OP_WIDTH = 1000; // on the axis, so that zooms have the same limits as in ns

const made = new WeakMap<Ops, Map<string, Axis>>();

export function axisOf(kind: AxisKind, ops: Ops | null, whole: number): Axis {
	if (kind === "time" || !ops || !find(ops, "start_ns")) return timeAxis(whole);
	let of = made.get(ops);
	if (!of) made.set(ops, (of = new Map()));
	let axis = of.get(kind);
	if (!axis) of.set(kind, (axis = kind === "fold" ? foldedAxis(workOf(ops), whole) : opAxis(ops, whole)));
	return axis;
}

// The share of [t0, t1) in which a device ran an op.
export function busyShare(work: Stretch[], t0: number, t1: number): number {
	let sum = 0;
	for (const one of work) sum += Math.max(0, Math.min(t1, one.t1) - Math.max(t0, one.t0));
	return t1 > t0 ? sum / (t1 - t0) : 0;
}
