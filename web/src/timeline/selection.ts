// SPDX-License-Identifier: Apache-2.0
// What is in a span of time: statistics by name, and the zones by who called whom.
import type { LaneInfo } from "../data/types";
import type { Zones } from "../data/zones";
import { histogram, stats, type Histogram, type Stats } from "../logic/stats";
import type { FlameNode } from "../logic/flame";
import { lowerBound } from "./search";

export interface NameLine extends Stats {
	name: number;
}

export interface Selected {
	lines: NameLine[];
	zones: number;
	cut: boolean; // too many: the rest was not counted
	durations: Map<number, number[]>;
}

const MOST = 2e6;

// Zones that begin in [t0, t1), with their whole duration.
export function selected(zones: Zones, lanes: LaneInfo[], t0: number, t1: number): Selected {
	const durations = new Map<number, number[]>();
	let n = 0, cut = false;
	for (const lane of lanes) {
		const end = lowerBound(zones.start, t1, lane.first, lane.first + lane.count);
		for (let i = lowerBound(zones.start, t0, lane.first, end); i < end; i++) {
			if (++n > MOST) {
				cut = true;
				break;
			}
			const list = durations.get(zones.name[i]);
			if (list) list.push(zones.dur[i]);
			else durations.set(zones.name[i], [zones.dur[i]]);
		}
		if (cut) break;
	}
	const lines = [...durations].map(([name, list]) => ({ name, ...stats(list) })).sort((a, b) => b.sum - a.sum);
	return { lines, zones: Math.min(n, MOST), cut, durations };
}

export function histogramOf(found: Selected, name: number | null): Histogram {
	return histogram(name === null ? [...found.durations.values()].flat() : found.durations.get(name) ?? []);
}

// Time inside [t0, t1) by the path of names, over tracks whose lanes are depths of each other.
export function flameOf(zones: Zones, lanes: LaneInfo[], t0: number, t1: number, text: (name: number) => string): FlameNode {
	const root: FlameNode = { name: "selection", total: 0, self: 0, calls: 1, children: [] };
	const kids = new Map<FlameNode, Map<number, FlameNode>>([[root, new Map()]]);
	const child = (node: FlameNode, name: number): FlameNode => {
		const of = kids.get(node)!;
		let found = of.get(name);
		if (!found) {
			found = { name: text(name), total: 0, self: 0, calls: 0, children: [] };
			of.set(name, found);
			node.children.push(found);
			kids.set(found, new Map());
		}
		return found;
	};
	const tracks = new Map<number, LaneInfo[]>();
	for (const lane of lanes) tracks.set(lane.track ?? lane.id, [...(tracks.get(lane.track ?? lane.id) ?? []), lane]);
	let n = 0;
	for (const list of tracks.values()) {
		list.sort((a, b) => a.depth - b.depth);
		let above: { start: number; end: number; node: FlameNode }[] = [];
		for (const lane of list) {
			const mine: typeof above = [];
			let k = 0;
			const end = lane.first + lane.count;
			let i = lowerBound(zones.start, t0, lane.first, end);
			if (i > lane.first && zones.start[i - 1] + zones.dur[i - 1] > t0) i--;
			for (; i < end && zones.start[i] < t1 && n < MOST; i++, n++) {
				const from = Math.max(t0, zones.start[i]), to = Math.min(t1, zones.start[i] + zones.dur[i]);
				while (k < above.length && above[k].end <= from) k++;
				const holder = k < above.length && above[k].start <= from ? above[k].node : root;
				const node = child(holder, zones.name[i]);
				node.total += to - from;
				node.self += to - from;
				node.calls++;
				if (holder === root) root.total += to - from;
				else holder.self -= to - from;
				mine.push({ start: from, end: to, node });
			}
			above = mine;
		}
	}
	const sort = (node: FlameNode) => {
		node.children.sort((a, b) => b.total - a.total);
		node.children.forEach(sort);
	};
	sort(root);
	return root;
}
