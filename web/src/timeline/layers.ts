// SPDX-License-Identifier: Apache-2.0
// All tracks of a run: its lanes, and what goes with them: gaps between ops, what ops did to memory and arithmetic, plots.
import { find } from "../data/ops";
import type { Run } from "../data/run";
import type { Zones } from "../data/zones";
import { opView } from "../logic/opview";
import { findGaps, gapLayer, type Gaps } from "./gaps";
import { plotLayer, type PlotLine } from "./plots";
import { addBelow, everyTrack, layerTracks, makeTracks, type Track } from "./tracks";

// What ops did, as values over time: each holds while the op runs.
const SERIES: { key: string; name: string; unit: string; says: string }[] = [
	{ key: "dram_gbps", name: "DRAM", unit: "GB/s", says: "bytes of the op's tensors in DRAM over its time" },
	{ key: "flop_percent", name: "FLOP", unit: "%", says: "arithmetic, as share of what the op's cores can do" },
	{ key: "NOC UTIL (%)", name: "NoC", unit: "%", says: "NOC UTIL of the report" },
	{ key: "DRAM BW UTIL (%)", name: "DRAM traffic", unit: "%", says: "DRAM BW UTIL of the report" },
	{ key: "NOC Ring 0 Outgoing Util Avg (%)", name: "NoC out", unit: "%", says: "what cores sent over NoC 0, mean of the op's cores, by the counters" },
	{ key: "Avg FPU util on full grid (%)", name: "FPU", unit: "%", says: "FPU utilisation of the whole grid, by the counters" },
];

function seriesOf(run: Run, device: number, key: string): PlotLine | null {
	const { ops } = run, field = ops && find(ops, key);
	if (!ops || !field) return null;
	const view = opView(ops), { start, end } = view, on = view.device;
	if (!start || !end) return null;
	const points: [number, number, number][] = [];
	for (let row = 0; row < ops.n; row++) {
		const value = field.number(row), t0 = start.number(row), t1 = end.number(row);
		if (value > 0 && t1 > t0 && (on?.number(row) || 0) === device) points.push([t0, t1, value]);
	}
	if (points.length < 2) return null;
	points.sort((a, b) => a[0] - b[0]);
	const time: number[] = [], value: number[] = [];
	for (const [t0, t1, v] of points) {
		// ops that overlap: the later one is what is shown
		if (time.length && time[time.length - 1] >= t0) time.pop(), value.pop();
		time.push(t0, t1);
		value.push(v, 0);
	}
	const { says, name, unit } = SERIES.find((one) => one.key === key)!;
	return { name, unit, says, time, value };
}

export const GAP_IDS = -1000000, SERIES_IDS = -2000000, PLOT_IDS = -1;
const MOST_DEVICES = 8; // with series of their own

export interface Tracks {
	tops: Track[];
	gaps: Map<number, Gaps>; // by device
}

export function tracksOf(run: Run, zones: Zones | null): Tracks {
	const tops = makeTracks(run.lanes), gaps = new Map<number, Gaps>();
	if (zones && !run.windowed)
		for (const track of everyTrack(tops)) {
			if (track.kind !== "ops" || !track.lanes.length) continue;
			const device = track.lanes[0].device ?? 0, found = findGaps(run, zones, track.lanes);
			if (gaps.size < MOST_DEVICES)
				SERIES.slice().reverse().forEach((one, i) => {
					const series = seriesOf(run, device, one.key);
					if (series) addBelow(track, one.name, SERIES_IDS - track.id * 16 - i, plotLayer(series));
				});
			if (found.n) {
				gaps.set(device, found);
				addBelow(track, "gaps", GAP_IDS - track.id, gapLayer(run, found));
			}
		}
	return { tops: [...tops, ...layerTracks(run.plots.length === 1 ? "plot" : "plots", PLOT_IDS, run.plots.map((plot) => ({ name: plot.name, layer: plotLayer(plot) })))], gaps };
}
