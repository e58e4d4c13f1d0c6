// SPDX-License-Identifier: Apache-2.0
// Parts of a run by its own marks: training steps, and what lies between signposts.  One is chosen for all screens.
import { find, type Ops } from "../data/ops";
import { get, set } from "../state";
import { markers } from "./notebook";
import { opView } from "./opview";

export interface Part {
	key: string; // in the address
	name: string;
	from: number; // rows
	to: number;
	iteration: number | null;
}

const MOST = 500;
const made = new WeakMap<Ops, Part[]>();

export function partsOf(ops: Ops): Part[] {
	let list = made.get(ops);
	if (list) return list;
	list = [];
	const steps = markers(ops).flatMap((marker) => {
		const match = /^iteration_(\d+)$/.exec(marker.ident);
		return match ? [{ k: Number(match[1]), row: marker.first }] : [];
	});
	steps.forEach(({ k, row }, i) => {
		if (i === 0 || steps[i - 1].k !== k) list!.push({ key: "i" + k, name: `iteration ${k}`, from: row, to: steps.slice(i + 1).find((next) => next.k !== k)?.row ?? ops.n, iteration: k });
	});
	const type = find(ops, "OP TYPE"), code = find(ops, "OP CODE", "code");
	const posts: number[] = [];
	if (type) for (let row = 0; row < ops.n; row++) if (type.text(row) === "signpost") posts.push(row);
	posts.forEach((row, i) => list!.push({ key: "s" + (row + 1), name: `after ${code?.text(row) ?? "signpost"}`, from: row + 1, to: posts[i + 1] ?? ops.n, iteration: null }));
	list = list.filter((part) => part.to > part.from);
	if (list.length > MOST) list = [...list.slice(0, MOST - 1), list[list.length - 1]];
	made.set(ops, list);
	return list;
}

// What `ttprof report` shows by itself: the ops after the last signpost that has any.
export function terminalPart(ops: Ops): Part | null {
	return partsOf(ops).filter((part) => part.iteration === null).pop() ?? null;
}

export function choosePart(part: Part | undefined): void {
	set({ part: part?.key ?? null, t0: null, t1: null, ht0: null, ht1: null, sel: null, zone: null, it: part?.iteration ?? null });
}

export function chosenPart(ops: Ops | null): Part | null {
	const key = get("part");
	return ops && key ? partsOf(ops).find((part) => part.key === key) ?? null : null;
}

export function inPart(rows: number[], part: Part | null): number[] {
	return part ? rows.filter((row) => row >= part.from && row < part.to) : rows;
}

// From its first op's start to its last one's end, where that is known.
export function spanOf(ops: Ops, part: Part): [number, number] | null {
	const { start, end } = opView(ops);
	let t0 = Infinity, t1 = -Infinity;
	for (let row = part.from; row < part.to; row++) {
		const a = start?.number(row) ?? NaN, b = end?.number(row) ?? a;
		if (a < t0) t0 = a;
		if (b > t1) t1 = b;
	}
	return t1 > t0 ? [t0, t1] : null;
}
