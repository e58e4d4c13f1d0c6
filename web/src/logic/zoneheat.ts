// SPDX-License-Identifier: Apache-2.0
// Time of one zone on each core, from the lanes of the timeline.
import type { LaneInfo } from "../data/types";
import type { Zones } from "../data/zones";
import { lowerBound } from "../timeline/search";
import { summed, type Core, type Heat } from "./heat";

export function coreLanes(lanes: LaneInfo[], device: number): LaneInfo[] {
	return lanes.filter((lane) => lane.kind === "core" && (lane.device ?? 0) === device && lane.x !== undefined && lane.y !== undefined && lane.count > 0);
}

// Names of zones on cores, most frequent first; looks at the beginning of each lane.
export function zoneNames(zones: Zones, lanes: LaneInfo[], look = 500): number[] {
	const counts = new Map<number, number>();
	for (const lane of lanes)
		for (let i = lane.first; i < lane.first + Math.min(look, lane.count); i++) counts.set(zones.name[i], (counts.get(zones.name[i]) ?? 0) + 1);
	return [...counts].sort((a, b) => b[1] - a[1]).map(([name]) => name);
}

export function zoneHeat(zones: Zones, lanes: LaneInfo[], name: number, t0: number, t1: number): Heat {
	const cores = new Map<number, Core>();
	for (const lane of lanes) {
		const end = lowerBound(zones.start, t1, lane.first, lane.first + lane.count);
		for (let i = lowerBound(zones.start, t0, lane.first, end); i < end; i++) {
			if (zones.name[i] !== name) continue;
			const key = lane.y! * 4096 + lane.x!;
			let core = cores.get(key);
			if (!core) cores.set(key, (core = { x: lane.x!, y: lane.y!, count: 0, value: 0 }));
			core.count++;
			core.value += zones.dur[i];
		}
	}
	return summed([...cores.values()].sort((a, b) => a.y - b.y || a.x - b.x));
}

export interface ZoneSum {
	name: number;
	count: number;
	sum: number;
}

// What a core's lanes have, by name, most time first.
export function zoneSums(zones: Zones, lanes: LaneInfo[]): ZoneSum[] {
	const sums = new Map<number, ZoneSum>();
	for (const lane of lanes)
		for (let i = lane.first; i < lane.first + lane.count; i++) {
			let line = sums.get(zones.name[i]);
			if (!line) sums.set(zones.name[i], (line = { name: zones.name[i], count: 0, sum: 0 }));
			line.count++;
			line.sum += zones.dur[i];
		}
	return [...sums.values()].sort((a, b) => b.sum - a.sum);
}
