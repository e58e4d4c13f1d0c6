// SPDX-License-Identifier: Apache-2.0
// What a trace without ops says of itself: zones by their own time, threads by how busy they were, pauses.
import type { LaneInfo } from "../data/types";
import type { Zones } from "../data/zones";

export interface ZoneLine {
	name: number; // text
	calls: number;
	total: number;
	self: number;
}

// All paths of the flame graph that end in the same zone; a zone inside itself counts once for its total.
export function zonesBySelf(flame: { n: number } & { [field: string]: ArrayLike<number> }): ZoneLine[] {
	const lines = new Map<number, ZoneLine>();
	for (let i = 0; i < flame.n; i++) {
		const name = flame.name[i];
		let line = lines.get(name);
		if (!line) lines.set(name, (line = { name, calls: 0, total: 0, self: 0 }));
		line.calls += flame.calls[i];
		line.self += flame.self[i];
		let up = flame.parent[i];
		for (let steps = 0; up > 0 && flame.name[up - 1] !== name && steps < 10000; steps++) up = flame.parent[up - 1];
		if (up <= 0) line.total += flame.total[i];
	}
	return [...lines.values()].sort((a, b) => b.self - a.self || b.total - a.total);
}

export interface LaneLine {
	lane: LaneInfo;
	busy: number; // ns in zones
	share: number; // of the work
	zones: number; // of all depths
	gaps: LaneInfo; // the first depth that has more than one zone: a program's whole run is one zone of its main thread
}

// Threads, and lanes of devices: how much of [t0, t1) they spent in zones.
export function busyLanes(lanes: LaneInfo[], span: number): LaneLine[] {
	const tracks = new Map<string, LaneInfo[]>();
	const key = (lane: LaneInfo) => `${lane.parent} ${lane.track ?? "lane " + lane.id}`, count = (lane: LaneInfo) => lane.total ?? lane.count;
	for (const lane of lanes) tracks.set(key(lane), [...(tracks.get(key(lane)) ?? []), lane]);
	return lanes.filter((lane) => lane.depth === 0 && (lane.total ?? lane.count) > 0 && ["thread", "python", "ops", "risc"].includes(lane.kind))
		.map((lane) => {
			const all = tracks.get(key(lane))!;
			return { lane, busy: lane.busy_ns, share: span > 0 ? lane.busy_ns / span : NaN, zones: all.reduce((sum, one) => sum + count(one), 0), gaps: all.find((one) => count(one) > 1) ?? lane };
		})
		.sort((a, b) => b.busy - a.busy);
}

export interface Pause {
	t0: number;
	t1: number;
	after: number; // zone before it
}

// The longest stretches of a lane without a zone.
export function longestPauses(zones: Zones, lane: LaneInfo, most: number): Pause[] {
	const list: Pause[] = [];
	let least = 0;
	for (let i = lane.first + 1; i < lane.first + lane.count; i++) {
		const t0 = zones.start[i - 1] + zones.dur[i - 1], t1 = zones.start[i];
		if (t1 - t0 <= least) continue;
		list.push({ t0, t1, after: i - 1 });
		if (list.length >= 4 * most) {
			list.sort((a, b) => b.t1 - b.t0 - (a.t1 - a.t0)).length = most;
			least = list[most - 1].t1 - list[most - 1].t0;
		}
	}
	return list.sort((a, b) => b.t1 - b.t0 - (a.t1 - a.t0)).slice(0, most);
}
