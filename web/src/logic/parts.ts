// SPDX-License-Identifier: Apache-2.0
// Parts of a run by its own marks: training steps, and what lies between signposts.  One is chosen for all screens.
import { find, type Ops } from "../data/ops";
import { get, set } from "../state";
import { iterations } from "./notebook";
import { opView } from "./opview";

export interface Part {
	key: string; // in the address
	name: string;
	from: number; // rows
	to: number;
	iteration: number | null;
	rows?: Set<number>; // where it is not all that lies between them
}

const MOST = 500;
const made = new WeakMap<Ops, Part[]>();

export function partsOf(ops: Ops): Part[] {
	let list = made.get(ops);
	if (list) return list;
	list = [];
	for (const { k, from, to } of iterations(ops))
		if (!list.some((part) => part.iteration === k)) list.push({ key: "i" + k, name: `iteration ${k}`, from, to, iteration: k });
	const type = find(ops, "OP TYPE"), code = find(ops, "OP CODE", "code");
	const posts: number[] = [];
	if (type) for (let row = 0; row < ops.n; row++) if (type.text(row) === "signpost") posts.push(row);
	posts.forEach((row, i) => list!.push({ key: "s" + (row + 1), name: `after ${code?.text(row) ?? "signpost"}`, from: row + 1, to: posts[i + 1] ?? ops.n, iteration: null }));
	list = list.filter((part) => part.to > part.from);
	const usual = markedPart(ops);
	if (usual && !list.some((part) => isSame(ops, part, usual))) list.push(usual);
	if (list.length > MOST) list = [...list.slice(0, MOST - 1), list[list.length - 1]];
	made.set(ops, list);
	return list;
}

// The rows that `ttprof report` shows by itself, where that is not the whole run.
function markedPart(ops: Ops): Part | null {
	const marked = ops.byKey.get("usual");
	const rows: number[] = [];
	if (marked) for (let row = 0; row < ops.n; row++) if (marked.number(row) === 1) rows.push(row);
	if (!rows.length) return null;
	const from = rows[0], to = rows[rows.length - 1] + 1;
	return { key: "usual", name: "steady part", from, to, iteration: null, rows: new Set(rows) };
}

// The part has just these ops; signposts, and what has no ID, are in neither.
function isSame(ops: Ops, part: Part, marked: Part): boolean {
	const { id, isPost } = opView(ops);
	if (part.iteration !== null || part.from > marked.from || part.to < marked.to) return false;
	for (let row = part.from; row < part.to; row++) if (!marked.rows!.has(row) && !isPost(row) && (!id || Number.isFinite(id.number(row)))) return false;
	return true;
}

// What is shown at first: as in the terminal.  null: the whole run.
export function usualPart(ops: Ops): Part | null {
	let part = usuals.get(ops);
	if (part === undefined) {
		const marked = markedPart(ops);
		part = marked ? partsOf(ops).find((one) => one.key === "usual" || isSame(ops, one, marked)) ?? null : null;
		usuals.set(ops, part);
	}
	return part;
}

const usuals = new WeakMap<Ops, Part | null>();

const WHOLE = "all";

export function choosePart(part: Part | null): void {
	set({ part: part?.key ?? WHOLE, t0: null, t1: null, ht0: null, ht1: null, sel: null, zone: null, it: part?.iteration ?? null });
}

export function chosenPart(ops: Ops | null): Part | null {
	const key = get("part");
	if (!ops || key === WHOLE) return null;
	return key ? partsOf(ops).find((part) => part.key === key) ?? null : usualPart(ops);
}

export function inPart(rows: number[], part: Part | null): number[] {
	return part ? rows.filter((row) => row >= part.from && row < part.to && (!part.rows || part.rows.has(row))) : rows;
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
