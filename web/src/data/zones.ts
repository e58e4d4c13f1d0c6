// SPDX-License-Identifier: Apache-2.0
// The zones of all lanes in four arrays.  Within a lane they are sorted and never overlap, so that starts and ends are both
// sorted, which is what the painter's search stands on.
import type { Words } from "./bytes";
import type { LaneInfo } from "./types";

export interface Zones {
	n: number;
	start: Float64Array;
	dur: Words;
	name: Words;
	op: Words | null;
	text: Words | null;
}

// In the file starts count from where their lane begins.
export function laneStarts(since: Words, lanes: LaneInfo[]): Float64Array {
	const out = new Float64Array(since.length);
	for (const lane of lanes) {
		const end = Math.min(lane.first + lane.count, since.length);
		for (let i = lane.first; i < end; i++) out[i] = lane.t0 + since[i];
	}
	return out;
}

// Σ durations before each zone of a lane, made when the lane is first looked at: the share of a pixel that zones fill is a
// difference of two of these.
const sums = new WeakMap<Zones, Map<number, Float64Array>>();

export function laneSums(zones: Zones, lane: LaneInfo): Float64Array {
	let of = sums.get(zones);
	if (!of) sums.set(zones, (of = new Map()));
	let sum = of.get(lane.id);
	if (!sum) {
		sum = new Float64Array(lane.count + 1);
		for (let i = 0; i < lane.count; i++) sum[i + 1] = sum[i] + zones.dur[lane.first + i];
		of.set(lane.id, sum);
	}
	return sum;
}
