// SPDX-License-Identifier: Apache-2.0
// The longest pauses before ops, and what the host did meanwhile.
import type { Run } from "../data/run";
import type { LaneInfo } from "../data/types";
import type { Zones } from "../data/zones";
import { lowerBound } from "../timeline/search";
import type { OpView } from "./opview";

export interface Gap {
	row: number; // the op after it
	ns: number;
	zone: string; // of the host, "" when none was there
	covers: number; // share of the gap in which it ran
	lane: number;
	index: number; // of the zone
}

export function hostLanes(lanes: LaneInfo[]): LaneInfo[] {
	return lanes.filter((lane) => (lane.kind === "thread" || lane.kind === "python") && lane.count > 0);
}

// The deepest zone that fills half of [t0, t1) or more; else the one that fills most.
export function coveringZone(zones: Zones, lanes: LaneInfo[], t0: number, t1: number): { lane: number; index: number; covers: number } | null {
	let best: { lane: number; index: number; covers: number; depth: number } | null = null;
	for (const lane of lanes) {
		const end = lane.first + lane.count;
		let i = lowerBound(zones.start, t0, lane.first, end);
		if (i > lane.first) i--;
		let most = 0, which = -1;
		for (let steps = 0; i < end && zones.start[i] < t1 && steps < 100000; i++, steps++) {
			const inside = Math.min(zones.start[i] + zones.dur[i], t1) - Math.max(zones.start[i], t0);
			if (inside > most) {
				most = inside;
				which = i;
			}
		}
		if (which < 0) continue;
		const covers = most / (t1 - t0);
		const better = best === null || (covers >= 0.5 ? best.covers < 0.5 || lane.depth > best.depth || (lane.depth === best.depth && covers > best.covers) : covers > best.covers);
		if (better) best = { lane: lane.id, index: which, covers, depth: lane.depth };
	}
	return best;
}

export function topGaps(run: Run, view: OpView, rows: number[], most: number): Gap[] {
	const { gap, start } = view;
	if (!gap) return [];
	const list = rows.filter((row) => gap.number(row) > 0).sort((a, b) => gap.number(b) - gap.number(a)).slice(0, most);
	const zones = run.zones.value;
	const lanes = hostLanes(run.lanes);
	return list.map((row) => {
		const ns = gap.number(row);
		const end = start?.number(row) ?? NaN;
		const found = zones && lanes.length && Number.isFinite(end) ? coveringZone(zones, lanes, end - ns, end) : null;
		return {
			row, ns, zone: found && zones ? run.strings[zones.name[found.index]] ?? "" : "",
			covers: found?.covers ?? 0, lane: found?.lane ?? -1, index: found?.index ?? -1,
		};
	});
}
