// SPDX-License-Identifier: Apache-2.0
// Colours as the painter wants them: each hue in steps from the ground to its full strength; and which zone has which.
import type { Run } from "../data/run";
import type { LaneInfo } from "../data/types";
import type { Zones } from "../data/zones";
import { opView } from "../logic/opview";
import { hue, HUES, pixel, rgb } from "../ui/colour";
import { opLook, plainName, tightName, type Colouring, type Swatch } from "./oplook";
import { SHADES, type Palette } from "./paint";

// Zones of the host stand back where colours speak of ops.
const TINTS = ["#c3cbd6", "#d0cabd", "#c6cfc8", "#cfc6d3"];
const COLOURS = ["", ...HUES, ...TINTS];

function mix(from: number[], to: number[], share: number): number {
	const [r, g, b] = from.map((value, i) => Math.round(value + (to[i] - value) * share));
	return (0xff000000 | (b << 16) | (g << 8) | r) >>> 0;
}

export interface LanePalette extends Palette {
	indexOf(colour: string): number;
	// Colour 0 is grey: what a search did not find.
	ofLane(zones: Zones, lane: LaneInfo): Uint8Array;
}

export type Found = (zones: Zones, lane: LaneInfo, i: number) => boolean;

// A lane whose zones are ops, or the parts of one on a core.
export function speaksOfOps(lane: LaneInfo): boolean {
	return lane.kind === "ops" || lane.kind === "risc" || (lane.kind === "core" && lane.depth < 2);
}

// What a zone is called: where it is a part of an op, the op with its shape.
export function zoneLabel(run: Run, zones: Zones, zone: number, lane: LaneInfo): string {
	const op = zones.op?.[zone] ?? 0, look = op ? opLook(run) : null;
	if (look && speaksOfOps(lane)) return look.label(op);
	if (look && lane.device === undefined) return "→ " + look.label(op);
	return tightName(plainName(run.strings[zones.name[zone]] ?? ""));
}

export function makePalette(run: Run, ground: string, grey: string, how: Colouring, found: Found | null): LanePalette {
	const { strings } = run, look = opLook(run);
	const shades = new Uint32Array(COLOURS.length * (SHADES + 1));
	COLOURS.forEach((colour, i) => {
		for (let shade = 0; shade <= SHADES; shade++) shades[i * (SHADES + 1) + shade] = mix(rgb(ground), rgb(colour || grey), shade / SHADES);
	});
	const indexOf = (colour: string) => Math.max(0, COLOURS.indexOf(colour));
	const tints = look !== null && how !== "name";
	const ofName = new Uint8Array(strings.length), ofOp = new Map<number, number>();
	const tint = new Uint8Array(strings.length);
	const name = (id: number) => (ofName[id] ||= indexOf(hue(strings[id] ?? "")));
	const quiet = (id: number) => (tint[id] ||= 1 + HUES.length + (HUES.indexOf(hue(strings[id] ?? "")) % TINTS.length));
	const op = (id: number) => {
		let colour = ofOp.get(id);
		if (colour === undefined) ofOp.set(id, (colour = indexOf(look!.swatch(id, how).colour)));
		return colour;
	};
	const made = new WeakMap<Zones, Map<number, Uint8Array>>();
	return {
		shades, edges: Uint32Array.from(COLOURS, (colour) => mix(rgb(colour || grey), [0, 0, 0], 0.28)), ground: pixel(ground), indexOf,
		ofLane: (zones, lane) => {
			let of = made.get(zones);
			if (!of) made.set(zones, (of = new Map()));
			let list = of.get(lane.id);
			if (list && list.length === lane.count) return list;
			list = new Uint8Array(lane.count);
			const ops = look && zones.op && (speaksOfOps(lane) || lane.device === undefined) ? zones.op : null;
			const plain = tints && lane.device === undefined ? quiet : name;
			for (let i = 0, at = lane.first; i < lane.count; i++, at++)
				list[i] = found && !found(zones, lane, at) ? 0 : ops && ops[at] ? op(ops[at]) : plain(zones.name[at]);
			of.set(lane.id, list);
			return list;
		},
	};
}

export interface Legend extends Swatch {
	share: number; // of the ops' time
}

// What colours mean, by how much of the ops' time they have.
export function legendOf(run: Run, how: Colouring): Legend[] {
	const look = opLook(run);
	if (!look || !run.ops) return [];
	const { time, start, isPost } = opView(run.ops);
	const sums = new Map<string, Legend>();
	let all = 0;
	for (let row = 0; row < run.ops.n; row++) {
		if (isPost(row) || !Number.isFinite(start?.number(row) ?? NaN)) continue;
		const swatch = look.swatch(row + 1, how), value = time?.number(row) || 0;
		let line = sums.get(swatch.text);
		if (!line) sums.set(swatch.text, (line = { ...swatch, share: 0 }));
		line.share += value;
		all += value;
	}
	for (const line of sums.values()) line.share = all > 0 ? line.share / all : NaN;
	return [...sums.values()].sort((a, b) => b.share - a.share);
}
