// SPDX-License-Identifier: Apache-2.0
// One training step by the zones that its markers name: [FWD|BWD|RECOMP] [START|END] name, and the phases around them.
import { find, type Ops } from "../data/ops";
import { iterations, markers, NOOP, type Marker } from "./notebook";

export interface StepOp {
	row: number;
	name: string;
	pos: number; // place in the step
	ns: number; // kernel time
}

export interface Step {
	iteration: number;
	device: number;
	ops: StepOp[];
	marks: { ident: string; first: number; last: number }[]; // places in the step
	total: number;
}

export function iterationsOf(ops: Ops): number[] {
	return [...new Set(iterations(ops).map(({ k }) => k))].sort((a, b) => a - b);
}

// The first of them that is called iteration k.
export function stepOf(ops: Ops, k: number, device: number): Step | null {
	const span = iterations(ops).find((one) => one.k === k);
	if (!span) return null;
	const all = markers(ops), { mark: from, to } = span;
	const code = find(ops, "OP CODE", "code"), time = find(ops, "DEVICE KERNEL DURATION [ns]"), where = find(ops, "DEVICE ID"), type = find(ops, "OP TYPE");
	const list: StepOp[] = [];
	for (let row = from; row < to; row++) {
		const name = code?.text(row) ?? "";
		if (name === NOOP || type?.text(row) === "signpost" || (where && where.number(row) !== device)) continue;
		const ns = time?.number(row) ?? NaN;
		list.push({ row, name, pos: row - from, ns: Number.isFinite(ns) ? ns : 0 });
	}
	return {
		iteration: k, device, ops: list, total: list.reduce((sum, op) => sum + op.ns, 0),
		marks: all.filter((marker: Marker) => marker.first >= from && marker.last < to).map((marker) => ({ ident: marker.ident, first: marker.first - from, last: marker.last - from })),
	};
}

export interface Segment {
	label: string;
	ops: StepOp[];
	ns: number;
}

const LABELS: { [pair: string]: string } = {
	"dataloader_step_done>forward_pass_done": "Forward", "forward_pass_done>backward_pass_done": "Backward", "backward_pass_done>gradient_sync_done": "Gradient sync",
	"gradient_sync_done>optimizer_step_done": "Optimizer", "backward_pass_done>optimizer_step_done": "Optimizer",
};

// Ops between neighbouring markers; what follows the last one is "Remaining".
export function segments(step: Step): Segment[] {
	const out: Segment[] = [];
	step.marks.forEach((mark, i) => {
		const next = step.marks[i + 1];
		const ops = step.ops.filter((op) => op.pos > mark.last && (!next || op.pos < next.first));
		if (!ops.length) return;
		const label = next ? LABELS[`${mark.ident}>${next.ident}`] ?? `${mark.ident} → ${next.ident}` : "Remaining";
		out.push({ label, ops, ns: ops.reduce((sum, op) => sum + op.ns, 0) });
	});
	return out;
}

export interface Occurrence {
	zone: string;
	start: number;
	end: number;
	ns: number;
	ops: number;
}

const FORM = /^(?:\[(FWD|BWD|RECOMP)\] )?\[(START|END)\] (.+)$/;

// Backward zones open at END: autograd walks the program in reverse.  A close takes the latest open.
export function occurrences(step: Step): { list: Occurrence[]; unpaired: string[] } {
	const open = new Map<string, number[]>();
	const list: Occurrence[] = [];
	const cover = (zone: string, start: number, end: number) => {
		const inside = step.ops.filter((op) => op.pos > start && op.pos < end);
		list.push({ zone, start, end, ns: inside.reduce((sum, op) => sum + op.ns, 0), ops: inside.length });
	};
	const forward = step.marks.find((mark) => mark.ident === "forward_pass_done");
	for (const mark of step.marks) {
		const match = FORM.exec(mark.ident);
		if (!match) continue;
		const [, kind, edge, name] = match;
		const zone = (kind ? `[${kind}] ` : "") + name;
		if ((kind === "BWD") === (edge === "END")) {
			if (!open.has(zone)) open.set(zone, []);
			open.get(zone)!.push(mark.last);
			continue;
		}
		const start = open.get(zone)?.pop();
		if (start === undefined) continue;
		// What runs forward again during the backward pass is recomputation.
		cover(kind === "FWD" && forward && start > forward.last ? `[RECOMP] ${name}` : zone, start, mark.first);
	}
	const at = (ident: string) => step.marks.filter((mark) => mark.ident === ident);
	const pair = (label: string, a: string, b: string) => {
		const from = at(a), to = at(b);
		for (let i = 0; i < Math.min(from.length, to.length); i++) if (to[i].first > from[i].last) cover(label, from[i].last, to[i].first);
	};
	pair("Forward (full)", "dataloader_step_done", "forward_pass_done");
	pair("Backward (full)", "forward_pass_done", "backward_pass_done");
	pair("Optimizer Step (full)", "backward_pass_done", "optimizer_step_done");
	return { list, unpaired: [...open].filter(([, starts]) => starts.length > 0).map(([zone]) => zone) };
}

export interface ZoneLine {
	zone: string;
	count: number;
	total: number;
	mean: number;
	min: number;
	max: number;
	ops: number;
	percent: number;
}

export function zoneTable(step: Step): ZoneLine[] {
	const lines = new Map<string, Occurrence[]>();
	for (const one of occurrences(step).list) lines.set(one.zone, [...(lines.get(one.zone) ?? []), one]);
	return [...lines].map(([zone, list]) => {
		const total = list.reduce((sum, one) => sum + one.ns, 0);
		return {
			zone, count: list.length, total, mean: total / list.length, min: Math.min(...list.map((one) => one.ns)), max: Math.max(...list.map((one) => one.ns)),
			ops: list.reduce((sum, one) => sum + one.ops, 0), percent: step.total > 0 ? (100 * total) / step.total : 0,
		};
	}).sort((a, b) => b.percent - a.percent);
}

export interface ZoneNode {
	name: string;
	kind: "root" | "zone" | "op" | "other";
	count: number;
	ns: number;
	children: ZoneNode[];
}

// The parent of a zone is the one with the shortest span that holds any occurrence of it.
export function zoneTree(step: Step): ZoneNode {
	const { list } = occurrences(step);
	const names = [...new Set(list.map((one) => one.zone))];
	const of = new Map(names.map((name) => [name, list.filter((one) => one.zone === name)]));
	const parent = new Map<string, string | null>();
	for (const name of names) {
		let best: { zone: string; span: number } | null = null;
		for (const inner of of.get(name)!)
			for (const outer of list) {
				if (outer.zone === name || outer.start > inner.start || outer.end < inner.end) continue;
				const span = outer.end - outer.start;
				if (span <= inner.end - inner.start && outer.zone > name) continue; // equal spans: by name, so that no two hold each other
				if (!best || span < best.span) best = { zone: outer.zone, span };
			}
		parent.set(name, best?.zone ?? null);
	}
	// A circle, which odd nesting can make, hangs at the root.
	for (const name of names) {
		const seen = new Set([name]);
		for (let up = parent.get(name); up; up = parent.get(up)) {
			if (seen.has(up)) {
				parent.set(name, null);
				break;
			}
			seen.add(up);
		}
	}
	const make = (name: string): ZoneNode => {
		const mine = of.get(name)!;
		const ns = mine.reduce((sum, one) => sum + one.ns, 0);
		const children = names.filter((other) => parent.get(other) === name).sort((a, b) => of.get(a)![0].start - of.get(b)![0].start).map(make);
		const inside = (op: StepOp) => mine.some((one) => op.pos > one.start && op.pos < one.end);
		if (children.length === 0) return { name, kind: "zone", count: mine.length, ns, children: opNodes(step.ops.filter(inside), step.total * 0.0005) };
		return { name, kind: "zone", count: mine.length, ns, children: withOther(children, ns, step, inside, of) };
	};
	const tops = names.filter((name) => parent.get(name) === null).sort((a, b) => of.get(a)![0].start - of.get(b)![0].start).map(make);
	return { name: "Whole Step", kind: "root", count: 1, ns: step.total, children: withOther(tops, step.total, step, () => true, of) };
}

function opNodes(ops: StepOp[], least: number): ZoneNode[] {
	const sums = new Map<string, ZoneNode>();
	for (const op of ops) {
		const node = sums.get(op.name) ?? { name: op.name, kind: "op" as const, count: 0, ns: 0, children: [] };
		node.count++;
		node.ns += op.ns;
		sums.set(op.name, node);
	}
	return [...sums.values()].filter((node) => node.ns >= least).sort((a, b) => b.ns - a.ns);
}

// What the children leave, by op where it is worth it.
function withOther(children: ZoneNode[], ns: number, step: Step, inside: (op: StepOp) => boolean, of: Map<string, Occurrence[]>): ZoneNode[] {
	const rest = ns - children.reduce((sum, child) => sum + child.ns, 0);
	if (rest <= 0) return children;
	const held = (op: StepOp) => children.some((child) => of.get(child.name)?.some((one) => op.pos > one.start && op.pos < one.end));
	const ops = step.ops.filter((op) => inside(op) && !held(op));
	const detail = rest > step.total * 0.002 ? opNodes(ops, step.total * 0.0005) : [];
	return children.concat({ name: "Other", kind: "other", count: ops.length, ns: rest, children: detail });
}
