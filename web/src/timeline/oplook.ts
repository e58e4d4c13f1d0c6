// SPDX-License-Identifier: Apache-2.0
// How ops look on the timeline: their labels, their colours by what is asked for, and how many of the device's cores they use.
import { find, type Ops } from "../data/ops";
import type { Run } from "../data/run";
import { NOOP } from "../logic/notebook";
import { opView } from "../logic/opview";
import { FIDELITY, CATEGORY, hue, HUES, OTHERS } from "../ui/colour";

export const COLOURINGS = ["family", "category", "bound", "roof", "fidelity", "name"] as const;
export type Colouring = (typeof COLOURINGS)[number];

export interface Swatch {
	text: string;
	colour: string;
}

const NONE: Swatch = { text: "not known", colour: OTHERS };
const MARKER: Swatch = { text: "profiler's marker", colour: "#cdb294" };
const BOUND: { [bound: string]: string } = { DRAM: "#f2b880", FLOP: "#93cf9e", BOTH: "#d2cc74", L1: "#84d0d3", ETH: "#bba8e0", SLOW: "#e3a09a", HOST: OTHERS };
const ROOF: [number, Swatch][] = [
	[80, { text: "80 % and more", colour: "#93cf9e" }], [60, { text: "60–80 %", colour: "#a5d6bf" }], [40, { text: "40–60 %", colour: "#f0d489" }],
	[20, { text: "20–40 %", colour: "#f2b880" }], [0, { text: "under 20 %", colour: "#e3a09a" }],
];
const FAMILY = HUES.filter((colour) => colour !== OTHERS && colour !== MARKER.colour).concat(OTHERS);
const KINDS: { [name: string]: string } = { compute: "compute", TM: "shape changes (TM)", DM: "data movement (DM)", collective: "collective", host: "host", other: "other" };

export function plainName(name: string): string {
	return name.replace(/^PY_FUNC_/, "").replace(/^PY_/, "");
}

// "Matmul 256 x 512 x 128" takes more room than a zone has.
export function tightName(name: string): string {
	return name.replace(/(\d) x (?=\d)/g, "$1x");
}

// What tells most at first sight.
export function bestColouring(run: Run): Colouring {
	return run.ops && find(run.ops, "family") ? "family" : run.ops && find(run.ops, "category") ? "category" : "name";
}

export interface OpLook {
	label(op: number): string; // row + 1
	swatch(op: number, how: Colouring): Swatch;
	cores(op: number): number; // share of the device's, NaN: not known
	marker(op: number): boolean;
}

const made = new WeakMap<Ops, OpLook>();

export function opLook(run: Run): OpLook | null {
	const { ops } = run;
	if (!ops) return null;
	let look = made.get(ops);
	if (look) return look;
	const view = opView(ops), { name, code, category, bound, cores } = view;
	const roof = find(ops, "roof_percent"), fidelity = find(ops, "MATH FIDELITY"), types = find(ops, "types");
	const workers = new Map((run.manifest.devices ?? []).map((device) => [device.id, device.workers || device.cells.filter(([, , kind]) => kind === "tensix").length]));
	let most = 0;
	for (let row = 0; row < ops.n; row++) most = Math.max(most, cores?.number(row) || 0);
	const all = Number(run.manifest.report?.chip?.worker_cores) || 0;
	// Kinds of work by the time that they take: the first ones have colours of their own.
	const family = find(ops, "family"), sums = new Map<string, number>();
	if (family) for (let row = 0; row < ops.n; row++) if (family.text(row)) sums.set(family.text(row), (sums.get(family.text(row)) ?? 0) + (view.time?.number(row) || 0));
	const families: { [name: string]: string } = {};
	[...sums].sort((a, b) => b[1] - a[1]).forEach(([name], i) => (families[name] = FAMILY[Math.min(i, FAMILY.length - 1)]));
	const labels = new Map<number, string>();
	const labelOf = (row: number) => {
		const text = name?.text(row) || code?.text(row) || "";
		if (text && code?.text(row) === NOOP) return text.replace(/^ProfilerNoop(Operation)?\s*/, "") || "marker";
		if (text) return tightName(text);
		const id = find(ops, "GLOBAL CALL COUNT")?.text(row);
		return id ? `program ${id}` : `op ${row + 1}`;
	};
	look = {
		label: (op) => {
			let label = labels.get(op);
			if (label === undefined) labels.set(op, (label = labelOf(op - 1)));
			return label;
		},
		swatch: (op, how) => {
			const row = op - 1;
			if (code?.text(row) === NOOP) return MARKER;
			const given = (text: string | undefined, colours: { [text: string]: string }, words: { [text: string]: string } = {}) =>
				text && colours[text] ? { text: words[text] ?? text, colour: colours[text] } : NONE;
			switch (how) {
			case "category": return given(category?.text(row), CATEGORY, KINDS);
			case "family": return given(family?.text(row), families);
			case "bound": return given(bound?.text(row), BOUND);
			case "fidelity": return given(fidelity?.text(row) || /LoFi|HiFi\d/.exec(types?.text(row) ?? "")?.[0], FIDELITY);
			case "roof": {
				const value = roof?.number(row) ?? NaN;
				return ROOF.find(([from]) => value >= from)?.[1] ?? NONE;
			}
			default: return { text: code?.text(row) || labelOf(row), colour: hue(code?.text(row) || labelOf(row)) };
			}
		},
		cores: (op) => {
			const of = workers.get(view.device?.number(op - 1) ?? 0) || all || most, used = cores?.number(op - 1) ?? NaN;
			return of > 0 && used > 0 ? Math.min(1, used / of) : NaN;
		},
		marker: (op) => code?.text(op - 1) === NOOP,
	};
	made.set(ops, look);
	return look;
}
