// SPDX-License-Identifier: Apache-2.0
// What the painter paints: stretches one after another along the axis, that never overlap.  Lanes of zones are such bands, and so are
// gaps between ops.
import type { Words } from "../data/bytes";
import type { LaneInfo } from "../data/types";
import { laneSums, type Zones } from "../data/zones";
import type { Axis } from "./axis";

export interface Band {
	n: number;
	start: Float64Array; // on the axis
	dur: Words;
	sums: Float64Array; // Σ durations before each
	colours: Uint8Array; // of the palette
	tall?: Uint8Array | null; // of 255: how high each is painted; null: as high as there is room
}

export type Shape = Omit<Band, "colours" | "tall">;

export function shapeOf(start: Float64Array, dur: Words): Shape {
	const sums = new Float64Array(dur.length + 1);
	for (let i = 0; i < dur.length; i++) sums[i + 1] = sums[i] + dur[i];
	return { n: dur.length, start, dur, sums };
}

// From starts and durations in ns to the axis.
export function bend(axis: Axis, start: ArrayLike<number>, dur: ArrayLike<number>, first: number, n: number): Shape {
	const from = axis.all(start, first, n), to = axis.all(start, first, n, dur);
	for (let i = 0; i < n; i++) to[i] -= from[i];
	return shapeOf(from, to);
}

const shapes = new WeakMap<Axis, WeakMap<Zones, Map<number, Shape>>>();

// Made when a lane is first looked at; along plain time it is what the page holds anyway.
export function laneShape(axis: Axis, zones: Zones, lane: LaneInfo): Shape {
	const { first, count } = lane;
	if (axis.kind === "time")
		return { n: count, start: zones.start.subarray(first, first + count), dur: zones.dur.subarray(first, first + count) as Words, sums: laneSums(zones, lane) };
	let of = shapes.get(axis);
	if (!of) shapes.set(axis, (of = new WeakMap()));
	let lanes = of.get(zones);
	if (!lanes) of.set(zones, (lanes = new Map()));
	let shape = lanes.get(lane.id);
	if (!shape) lanes.set(lane.id, (shape = bend(axis, zones.start, zones.dur, first, count)));
	return shape;
}
