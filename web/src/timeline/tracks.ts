// SPDX-License-Identifier: Apache-2.0
// Lanes as a tree of tracks.  A track is what has a name at the left edge: a thread with all its depths, a core's RISC, a device.
import type { LaneInfo } from "../data/types";

export interface Track {
	id: number; // of its first lane
	kind: string;
	name: string;
	level: number;
	lanes: LaneInfo[]; // by depth; those without zones are left out
	children: Track[];
	parent: Track | null;
	plot?: PlotLine;
}

export interface PlotLine {
	name: string;
	unit: string;
	time: ArrayLike<number>;
	value: ArrayLike<number>;
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

const DEEP = 8; // depths of a thread that are shown at first: a stack of imports must not push all others out of sight

export const LANE_HEIGHT = 18;
export const HEAD_HEIGHT = 22;
export const PLOT_HEIGHT = 46;

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

// Plots of the program, below all lanes.
export function plotTracks(plots: PlotLine[]): Track[] {
	if (!plots.length) return [];
	const top: Track = { id: -1, kind: "process", name: plots.length === 1 ? "plot" : "plots", level: 0, lanes: [], children: [], parent: null };
	top.children = plots.map((plot, i) => ({ id: -2 - i, kind: "plot", name: plot.name, level: 1, lanes: [], children: [], parent: top, plot }));
	return [top];
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

// Lanes are as high as the window has room for, up to a limit: by what is open at first, so that opening one does not move the others.
export function laneHeight(tops: Track[], room: number): number {
	const { height } = layRows(tops, new Set());
	return Math.max(LANE_HEIGHT, Math.min(30, Math.floor((LANE_HEIGHT * room) / Math.max(1, height))));
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

export function layRows(tops: Track[], toggled: Set<number>, lane = LANE_HEIGHT, pins: number[] = []): { rows: Row[]; height: number } {
	const rows: Row[] = [];
	const alone = everyTrack(tops).filter((track) => track.lanes.length).length < 2;
	let y = 0;
	const add = (track: Track, pinned = false) => {
		const deep = !alone && !track.children.length && track.lanes.length > DEEP + 2;
		const open = !pinned && (deep ? toggled.has(track.id) : isOpen(track, tops, toggled));
		const { lanes: all, density } = standIn(track, open);
		const lanes = deep && !open ? all.slice(0, DEEP) : all;
		const head = lanes.length || density ? Math.max(HEAD_HEIGHT, lane + 3) : HEAD_HEIGHT;
		const height = track.plot ? PLOT_HEIGHT : track.children.length && lanes.length <= 1 ? head : Math.max(1, lanes.length) * lane + 2;
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
