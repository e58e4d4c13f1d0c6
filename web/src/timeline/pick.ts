// SPDX-License-Identifier: Apache-2.0
// Zones by place and by name.
import type { Run } from "../data/run";
import type { LaneInfo } from "../data/types";
import type { Zones } from "../data/zones";
import { lowerBound } from "./search";

// The zone at a time, or one that is not further away than `near`.
export function zoneAt(zones: Zones, lane: LaneInfo, time: number, near: number): number {
	const end = lane.first + lane.count;
	const after = lowerBound(zones.start, time, lane.first, end);
	const before = after - 1;
	if (before >= lane.first && zones.start[before] + zones.dur[before] >= time) return before;
	const left = before >= lane.first ? time - zones.start[before] - zones.dur[before] : Infinity;
	const right = after < end ? zones.start[after] - time : Infinity;
	if (Math.min(left, right) > near) return -1;
	return left < right ? before : after;
}

export function laneOf(lanes: LaneInfo[], zone: number): LaneInfo | null {
	return lanes.find((lane) => zone >= lane.first && zone < lane.first + lane.count) ?? null;
}

// The longest zone of an op (row + 1; 0: of any) on such lanes; −1: none is known.
export function zoneOfOp(run: Run, op: number, on: (lane: LaneInfo) => boolean): number {
	const zones = run.zones.value;
	let best = -1;
	if (zones && (zones.op || !op))
		for (const lane of run.lanes)
			if (on(lane))
				for (let i = lane.first; i < lane.first + lane.count; i++) if ((!op || zones.op![i] === op) && (best < 0 || zones.dur[i] > zones.dur[best])) best = i;
	return best;
}

// Of a row, among the ops of its device, for the address; null: none.
export function opZone(run: Run, row: number): number | null {
	const zone = zoneOfOp(run, row + 1, (lane) => lane.kind === "ops");
	return zone < 0 ? null : zone;
}

// The next (or, with −1, the one before) zone of the same name in its lane, else in all lanes by time.
export function sameName(run: Run, zones: Zones, from: number, step: 1 | -1): number {
	const lane = laneOf(run.lanes, from);
	if (!lane) return -1;
	for (let i = from + step; i >= lane.first && i < lane.first + lane.count; i += step) if (zones.name[i] === zones.name[from]) return i;
	return nextFound(zones, run.lanes, zones.start[from], step, (name) => name === zones.name[from], from);
}

export function nextFound(zones: Zones, lanes: LaneInfo[], time: number, step: 1 | -1, found: (name: number) => boolean, not = -1): number {
	let best = -1;
	for (const lane of lanes) {
		const end = lane.first + lane.count;
		let i = lowerBound(zones.start, time, lane.first, end);
		if (step > 0) {
			while (i < end && (i === not || !found(zones.name[i]) || zones.start[i] <= time)) {
				if (best >= 0 && zones.start[i] >= zones.start[best]) break;
				i++;
			}
			if (i < end && i !== not && found(zones.name[i]) && zones.start[i] > time && (best < 0 || zones.start[i] < zones.start[best])) best = i;
		} else {
			for (i--; i >= lane.first && (i === not || !found(zones.name[i])); i--) if (best >= 0 && zones.start[i] <= zones.start[best]) break;
			if (i >= lane.first && i !== not && found(zones.name[i]) && (best < 0 || zones.start[i] > zones.start[best])) best = i;
		}
	}
	return best;
}

// What a search found, by time: ops on the lane of ops and zones of threads; those of RISCs and cores are the same ops again, and only
// count where nothing else was found.
export interface Hits {
	zones: Uint32Array;
	names: number;
	cut: boolean; // too many to be listed
}

const MOST = 1e6;

export function findHits(zones: Zones, lanes: LaneInfo[], found: (lane: LaneInfo, zone: number) => boolean, apart: (lane: LaneInfo) => boolean): Hits {
	const look = (list: LaneInfo[]): Hits => {
		const hits: number[] = [], names = new Set<number>();
		for (const lane of list)
			for (let i = lane.first; i < lane.first + lane.count && hits.length < MOST; i++)
				if (found(lane, i)) {
					hits.push(i);
					names.add(zones.name[i]);
				}
		const sorted = Uint32Array.from(hits);
		sorted.sort((a, b) => zones.start[a] - zones.start[b] || a - b);
		return { zones: sorted, names: names.size, cut: hits.length >= MOST };
	};
	const first = look(lanes.filter((lane) => !apart(lane)));
	return first.zones.length ? first : look(lanes.filter(apart));
}

// Which of them a zone is, from 0; −1: none.
export function hitOf(hits: Hits, zone: number): number {
	return hits.zones.indexOf(zone);
}

// The next one behind a zone, or behind a time; round again at the end.
export function nextHit(zones: Zones, hits: Hits, from: number, time: number, step: 1 | -1): number {
	const n = hits.zones.length, at = from >= 0 ? hitOf(hits, from) : -1;
	if (!n) return -1;
	if (at >= 0) return hits.zones[(at + step + n) % n];
	let i = 0;
	while (i < n && zones.start[hits.zones[i]] < time) i++;
	return hits.zones[((step > 0 ? i : i - 1) + n) % n];
}
