// SPDX-License-Identifier: Apache-2.0
// A trace that is too large for the page: the server is asked for what is in sight, and puts together what is narrower than a pixel.
import type { Run } from "./run";
import type { LaneInfo } from "./types";
import type { Zones } from "./zones";

export const WINDOWS_FROM = 20e6; // zones
const MOST_LANES = 64, MOST_PIXELS = 8192;

interface Answer {
	lanes: { id: number; start: number[]; dur: number[]; name: number[]; op?: number[]; busy: number[] }[];
}

// The answer as zones; lanes are told where theirs are, all others have none.  What was put together lasts as long as it was busy,
// so that the painter's shades stay true.
export function windowZones(answer: Answer, lanes: LaneInfo[]): Zones {
	const n = answer.lanes.reduce((sum, lane) => sum + lane.start.length, 0);
	const zones = { n, start: new Float64Array(n), dur: new Float64Array(n), name: new Uint32Array(n), op: new Uint32Array(n), text: null };
	const byId = new Map(lanes.map((lane) => [lane.id, lane]));
	for (const lane of lanes) lane.first = lane.count = 0;
	let at = 0;
	for (const part of answer.lanes) {
		const lane = byId.get(part.id);
		if (!lane) continue;
		lane.first = at;
		lane.count = part.start.length;
		for (let i = 0; i < part.start.length; i++, at++) {
			zones.start[at] = part.start[i];
			zones.dur[at] = part.busy?.[i] ?? part.dur[i];
			zones.name[at] = part.name[i];
			zones.op[at] = part.op?.[i] ?? 0;
		}
	}
	return zones;
}

let asked = 0;

// Only the latest question counts; null when a later one was asked meanwhile.
export async function askWindow(run: Run, lanes: LaneInfo[], t0: number, t1: number, px: number): Promise<Zones | null> {
	const mine = ++asked;
	const ids = lanes.slice(0, MOST_LANES).map((lane) => lane.id).join(",");
	if (ids === "") return null;
	const path = `/w?lane=${ids}&t0=${Math.floor(t0)}&t1=${Math.ceil(t1)}&px=${Math.max(1, Math.min(MOST_PIXELS, Math.round(px)))}`;
	const answer = await fetch(run.source.url(path));
	if (!answer.ok) throw new Error(`a window of the trace: the server said ${answer.status} ${await answer.text()}`);
	const json: Answer = await answer.json();
	return mine === asked ? windowZones(json, run.lanes) : null;
}
