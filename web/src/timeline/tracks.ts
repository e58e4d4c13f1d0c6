// SPDX-License-Identifier: Apache-2.0
// Lanes as a tree of tracks.  A track is what has a name at the left edge: a thread with all its depths, a core's RISC, a device.
import type { LaneInfo } from "../data/types";
import type { Axis } from "./axis";
import type { Band } from "./band";
import type { View } from "./paint";
import type { LanePalette } from "./palette";

// What stands under the mouse, and what a click on it changes in the address.
export interface Thing {
	title: string;
	lines: string[];
	t0: number;
	t1: number;
	choose?: { [key: string]: string | number | null };
}

export interface Box {
	x: number;
	y: number;
	width: number;
	height: number;
}

export interface Ink {
	accent: string;
	soft: string;
	ground: string;
}

// A track that is no lane of zones: gaps, plots, counters.  It gives stretches to the painter, or draws by itself.
export interface Layer {
	height: number;
	band?(axis: Axis, palette: LanePalette): Band;
	label?(i: number): string; // of a stretch
	draw?(ctx: CanvasRenderingContext2D, axis: Axis, view: View, box: Box, ink: Ink, top: number): void;
	at(time: number, near: number): Thing | null;
	share?(t0: number, t1: number): number; // how much of a time it takes
}

export interface Track {
	id: number; // of its first lane
	kind: string;
	name: string;
	level: number;
	lanes: LaneInfo[]; // by depth; those without zones are left out
	children: Track[];
	parent: Track | null;
	layer?: Layer;
}

export interface Row {
	track: Track;
	y: number;
	height: number;
	open: boolean;
	lanes: LaneInfo[]; // painted one below another; of a closed group what stands for it
	density: LaneInfo[] | null; // else how busy these are on average
	lane: number; // height of each lane
	pinned: boolean; // stays at the top while the others scroll
	group: boolean; // can be opened
	hidden: number; // depths that are not shown until it is
}

const ENDLESS = 2; // zones of a depth that holds but the frames that a program starts with

const DEEP = 8; // depths of a thread that are shown at first: a stack of imports must not push all others out of sight

export const LANE_HEIGHT = 18;
export const HEAD_HEIGHT = 22;
export const OPS_HEIGHT = 40; // its height says how many cores an op has
export const OPS_HEIGHT_MOST = 130;

const NAMES: { [kind: string]: string } = { process: "process", device: "device", risc: "RISC" };

export function makeTracks(lanes: LaneInfo[]): Track[] {
	const byLane = new Map<number, Track>();
	const byTrack = new Map<string, Track>();
	const tops: Track[] = [];
	for (const lane of lanes) {
		const parent = byLane.get(lane.parent) ?? null;
		const key = `${lane.parent} ${lane.track ?? "lane " + lane.id}`;
		let track = byTrack.get(key);
		if (!track) {
			track = { id: lane.id, kind: lane.kind, name: lane.name || NAMES[lane.kind] || lane.kind, level: parent ? parent.level + 1 : 0, lanes: [], children: [], parent };
			byTrack.set(key, track);
			(parent ? parent.children : tops).push(track);
		}
		if ((lane.total ?? lane.count) > 0) track.lanes.push(lane);
		byLane.set(lane.id, track);
	}
	return tops;
}

// Layers below a name of their own; ids of lanes are never negative.
export function layerTracks(title: string, id: number, layers: { name: string; layer: Layer }[]): Track[] {
	if (!layers.length) return [];
	const top: Track = { id, kind: "process", name: title, level: 0, lanes: [], children: [], parent: null };
	top.children = layers.map(({ name, layer }, i) => ({ id: id - 1 - i, kind: "layer", name, level: 1, lanes: [], children: [], parent: top, layer }));
	return [top];
}

// A layer below a track of the same device.
export function addBelow(track: Track, name: string, id: number, layer: Layer): void {
	const { parent } = track;
	if (!parent) return;
	parent.children.splice(parent.children.indexOf(track) + 1, 0, { id, kind: "layer", name, level: track.level, lanes: [], children: [], parent, layer });
}

export function everyTrack(tops: Track[]): Track[] {
	return tops.flatMap((track) => [track, ...everyTrack(track.children)]);
}

// At first processes and devices are open, cores are not; of many devices only the first is.
export function openAtFirst(track: Track, tops: Track[]): boolean {
	if (track.children.length === 0) return false;
	if (track.kind === "process") return true;
	if (track.kind === "device") return tops.filter((other) => other.kind === "device").indexOf(track) < 2;
	return false;
}

export function isOpen(track: Track, tops: Track[], toggled: Set<number>): boolean {
	return track.children.length > 0 && openAtFirst(track, tops) !== toggled.has(track.id);
}

function under(track: Track): LaneInfo[] {
	return track.children.flatMap((child) => [...child.lanes.filter((lane) => lane.depth === 0), ...under(child)]);
}

// What a group shows beside its name: its own zones, or those of its ops, or how busy its members are.
function standIn(track: Track, open: boolean): { lanes: LaneInfo[]; density: LaneInfo[] | null } {
	if (track.lanes.length || track.children.length === 0) return { lanes: track.lanes, density: null };
	if (open) return { lanes: [], density: null };
	const ops = track.children.find((child) => child.kind === "ops" && child.lanes.length);
	if (ops) return { lanes: ops.lanes.slice(0, 1), density: null };
	return { lanes: [], density: under(track) };
}

export interface Heights {
	lane: number;
	ops: number;
}

export const LEAST_HEIGHTS: Heights = { lane: LANE_HEIGHT, ops: OPS_HEIGHT };

// Rows use the room that the window has: by what is open at first, so that opening one does not move the others.
export function heightsFor(tops: Track[], room: number): Heights {
	const { rows, height } = layRows(tops, new Set());
	const ops = rows.filter((row) => row.track.kind === "ops").length, left = room - height;
	if (left <= 0) return LEAST_HEIGHTS;
	const tall = ops ? Math.min(OPS_HEIGHT_MOST, OPS_HEIGHT + Math.floor(left / 2 / ops)) : OPS_HEIGHT;
	const lanes = rows.reduce((sum, row) => sum + (row.track.kind === "ops" || row.track.layer ? 0 : Math.max(1, row.lanes.length)), 0);
	const rest = left - (tall - OPS_HEIGHT) * ops;
	return { lane: Math.min(30, LANE_HEIGHT + Math.floor(rest / Math.max(1, lanes))), ops: tall };
}

// Where a row is below the axis.
export function topOf(row: Row, scroll: number): number {
	return row.pinned ? row.y : row.y - scroll;
}

// How much of the top pinned rows take; they come first.
export function pinnedHeight(rows: Row[]): number {
	let sum = 0;
	for (const row of rows) {
		if (!row.pinned) break;
		sum += row.height;
	}
	return sum;
}

export function layRows(tops: Track[], toggled: Set<number>, heights: Heights = LEAST_HEIGHTS, pins: number[] = []): { rows: Row[]; height: number } {
	const rows: Row[] = [];
	const alone = everyTrack(tops).filter((track) => track.lanes.length).length < 2;
	let y = 0;
	const add = (track: Track, pinned = false) => {
		const deep = !alone && !track.children.length && track.lanes.length > DEEP + 2;
		const open = !pinned && (deep ? toggled.has(track.id) : isOpen(track, tops, toggled));
		const { lanes: all, density } = standIn(track, open);
		// Frames that last as long as the program say nothing; what they call does.
		const begin = deep && !open ? Math.max(0, Math.min(all.findIndex((lane) => (lane.total ?? lane.count) > ENDLESS), all.length - DEEP)) : 0;
		const lanes = deep && !open ? all.slice(begin, begin + DEEP) : all;
		const lane = track.kind === "ops" ? Math.max(Math.min(heights.ops, 28), Math.floor(heights.ops / Math.max(1, lanes.length))) : heights.lane;
		const head = lanes.length || density ? Math.max(HEAD_HEIGHT, lane + 3) : HEAD_HEIGHT;
		const height = track.layer ? track.layer.height : track.children.length && lanes.length <= 1 ? head : Math.max(1, lanes.length) * lane + 2;
		rows.push({ track, y, height, open, lanes, density, lane, pinned, group: deep || track.children.length > 0, hidden: all.length - lanes.length });
		y += height;
		if (open) track.children.forEach((child) => add(child));
	};
	if (pins.length) {
		const all = everyTrack(tops);
		for (const id of pins) {
			const track = all.find((one) => one.id === id);
			if (track) add(track, true);
		}
	}
	tops.forEach((track) => add(track));
	return { rows, height: y };
}
