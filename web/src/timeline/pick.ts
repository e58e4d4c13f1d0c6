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

export function countFound(zones: Zones, found: (name: number) => boolean, names: number): { zones: number; names: number } {
	const is = new Uint8Array(names);
	for (let i = 0; i < names; i++) is[i] = found(i) ? 1 : 0;
	const seen = new Uint8Array(names);
	let n = 0;
	for (let i = 0; i < zones.n; i++)
		if (is[zones.name[i]]) {
			n++;
			seen[zones.name[i]] = 1;
		}
	return { zones: n, names: seen.reduce((sum, one) => sum + one, 0) };
}
