// SPDX-License-Identifier: Apache-2.0
// What lies between ops, as stretches of their own: how long, why, and before which op.
import { find } from "../data/ops";
import type { Run } from "../data/run";
import type { LaneInfo } from "../data/types";
import type { Zones } from "../data/zones";
import * as format from "../logic/format";
import type { Axis } from "./axis";
import { bend, type Shape } from "./band";
import { opLook, type Swatch } from "./oplook";
import { lowerBound } from "./search";
import type { Layer, Thing } from "./tracks";

export interface Gaps {
	n: number;
	start: Float64Array; // ns
	dur: Float64Array;
	op: Uint32Array; // the op behind it
	cause: Uint8Array; // of CAUSES
}

export const CAUSES: (Swatch & { key: string; says: string })[] = [
	{ key: "", text: "not known", colour: "#b4bec9", says: "nothing was recorded that says why" },
	{ key: "build", text: "programs were built", colour: "#d2cc74", says: "the host compiled or built programs" },
	{ key: "profiler", text: "the profiler", colour: "#cdb294", says: "the profiler read its buffers, or ran markers of its own" },
	{ key: "host", text: "the host", colour: "#e3a09a", says: "the host was busy with something else" },
	{ key: "launch", text: "launch", colour: "#f2b880", says: "the host was preparing and launching this op" },
	{ key: "pause", text: "one pause", colour: "#bba8e0", says: "a pause that stands alone" },
];

const LEAST = 1; // ns

// Between zones of the ops lanes of a device; `lanes` are its depths.
export function findGaps(run: Run, zones: Zones, lanes: LaneInfo[]): Gaps {
	const cause = run.ops ? find(run.ops, "gap_cause") : null;
	const byKey = new Map(CAUSES.map((one, i) => [one.key, i]));
	const list: number[] = [];
	for (const lane of lanes) for (let i = lane.first; i < lane.first + lane.count; i++) list.push(i);
	if (lanes.length > 1) list.sort((a, b) => zones.start[a] - zones.start[b]);
	const start: number[] = [], dur: number[] = [], op: number[] = [], why: number[] = [];
	let end = NaN;
	for (const i of list) {
		const gap = zones.start[i] - end;
		if (gap >= LEAST) {
			const row = (zones.op?.[i] ?? 0) - 1;
			start.push(end), dur.push(gap), op.push(row + 1), why.push((row >= 0 && byKey.get(cause?.text(row) ?? "")) || 0);
		}
		end = Math.max(Number.isNaN(end) ? -Infinity : end, zones.start[i] + zones.dur[i]);
	}
	return { n: start.length, start: Float64Array.from(start), dur: Float64Array.from(dur), op: Uint32Array.from(op), cause: Uint8Array.from(why) };
}

export function gapThing(run: Run, gaps: Gaps, i: number): Thing {
	const cause = CAUSES[gaps.cause[i]], look = opLook(run), row = gaps.op[i] - 1;
	const zone = run.ops && row >= 0 ? find(run.ops, "gap_zone")?.text(row) ?? "" : "";
	const took = run.ops && row >= 0 ? find(run.ops, "gap_zone_ns")?.number(row) ?? NaN : NaN;
	const lines = [`${format.time(gaps.dur[i])} from ${format.time(gaps.start[i])}`, `cause: ${cause.text}`];
	if (zone) lines.push(`the host was in ${format.short(zone, 80)}${took > 0 ? ` for ${format.time(took)}` : ""}`);
	if (gaps.op[i]) lines.push(`before op ${gaps.op[i]}: ${format.short(look?.label(gaps.op[i]) ?? "", 100)}`);
	return { title: "gap", lines, t0: gaps.start[i], t1: gaps.start[i] + gaps.dur[i], choose: { gap: gaps.op[i], zone: null, sel: null } };
}

export function gapLayer(run: Run, gaps: Gaps): Layer {
	const shapes = new WeakMap<Axis, Shape>(), colours = new WeakMap<object, Uint8Array>();
	return {
		height: 16,
		band: (axis, palette) => {
			let shape = shapes.get(axis);
			if (!shape) shapes.set(axis, (shape = bend(axis, gaps.start, gaps.dur, 0, gaps.n)));
			let of = colours.get(palette);
			if (!of) colours.set(palette, (of = Uint8Array.from(gaps.cause, (cause) => palette.indexOf(CAUSES[cause].colour))));
			return { ...shape, colours: of };
		},
		label: (i) => `${format.time(gaps.dur[i])}${gaps.cause[i] ? " " + CAUSES[gaps.cause[i]].text : ""}`,
		at: (time, near) => {
			const after = lowerBound(gaps.start, time, 0, gaps.n);
			for (const i of [after - 1, after]) if (i >= 0 && i < gaps.n && time >= gaps.start[i] - near && time <= gaps.start[i] + gaps.dur[i] + near) return gapThing(run, gaps, i);
			return null;
		},
	};
}
