// SPDX-License-Identifier: Apache-2.0
// What is in a span of time: statistics by name, and the zones by who called whom.
import type { LaneInfo } from "../data/types";
import { laneSums, type Zones } from "../data/zones";
import { histogram, stats, type Histogram, type Stats } from "../logic/stats";
import type { FlameNode } from "../logic/flame";
import { lowerBound } from "./search";

export interface NameLine extends Stats {
	key: string;
	name: string;
	where: string; // "ops", a RISC, "host"
}

export interface Selected {
	lines: NameLine[];
	zones: number;
	cut: boolean; // too many: the rest was not counted
	durations: Map<string, number[]>;
}

const MOST = 2e6;

function whereOf(lane: LaneInfo): string {
	return lane.kind === "ops" ? "ops" : lane.risc || (lane.device === undefined ? "host" : lane.kind);
}

// An op is on the lane of ops, on those of RISCs, and on the cores below them.  Where a coarser lane of the same device is chosen, the
// finer ones would count it again.
export function countedOnce(lanes: LaneInfo[]): LaneInfo[] {
	const ops = new Set(lanes.filter((lane) => lane.kind === "ops").map((lane) => lane.device));
	const riscs = new Set(lanes.filter((lane) => lane.kind === "risc").map((lane) => `${lane.device} ${lane.risc}`));
	return lanes.filter((lane) => (lane.kind !== "risc" && lane.kind !== "core") || (!ops.has(lane.device) && (lane.kind === "risc" || !riscs.has(`${lane.device} ${lane.risc}`))));
}

// How much of [t0, t1) a lane was busy, ns.
export function busyIn(zones: Zones, lane: LaneInfo, t0: number, t1: number): number {
	const sums = laneSums(zones, lane), { first } = lane, last = first + lane.count;
	const i = lowerBound(zones.start, t0, first, last), j = lowerBound(zones.start, t1, i, last);
	const over = (zone: number) => Math.max(0, Math.min(t1, zones.start[zone] + zones.dur[zone]) - Math.max(t0, zones.start[zone]));
	let sum = sums[j - first] - sums[i - first];
	if (i > first) sum += over(i - 1);
	if (j > i) sum += over(j - 1) - zones.dur[j - 1];
	return sum;
}

// The same for lanes whose zones may overlap each other's, such as those of ops: what is busy on one of them.
export function busyOfAny(zones: Zones, lanes: LaneInfo[], t0: number, t1: number): number {
	if (lanes.length === 1) return busyIn(zones, lanes[0], t0, t1);
	const list: [number, number][] = [];
	for (const lane of lanes) {
		const end = lane.first + lane.count;
		let i = lowerBound(zones.start, t0, lane.first, end);
		if (i > lane.first) i--;
		if (lowerBound(zones.start, t1, i, end) - i > MOST / 10) return NaN;
		for (; i < end && zones.start[i] < t1; i++) list.push([Math.max(t0, zones.start[i]), Math.min(t1, zones.start[i] + zones.dur[i])]);
	}
	list.sort((a, b) => a[0] - b[0]);
	let sum = 0, last = t0;
	for (const [from, to] of list) {
		sum += Math.max(0, to - Math.max(from, last));
		last = Math.max(last, to);
	}
	return sum;
}

// Zones that begin in [t0, t1), with their whole duration, by what they are called.
export function selected(zones: Zones, lanes: LaneInfo[], t0: number, t1: number, label: (zone: number, lane: LaneInfo) => string): Selected {
	const lines = new Map<string, { key: string; name: string; where: string }>();
	const durations = new Map<string, number[]>();
	let n = 0, cut = false;
	for (const lane of lanes) {
		const where = whereOf(lane);
		const end = lowerBound(zones.start, t1, lane.first, lane.first + lane.count);
		let list: number[] = [], last = -1, lastOp = -1;
		for (let i = lowerBound(zones.start, t0, lane.first, end); i < end; i++) {
			if (++n > MOST) {
				cut = true;
				break;
			}
			const id = zones.name[i], op = zones.op?.[i] ?? 0;
			if (id !== last || op !== lastOp) {
				const name = label(i, lane), key = name + " " + where;
				if (!lines.has(key)) {
					lines.set(key, { key, name, where });
					durations.set(key, []);
				}
				list = durations.get(key)!;
				last = id;
				lastOp = op;
			}
			list.push(zones.dur[i]);
		}
		if (cut) break;
	}
	return {
		lines: [...lines.values()].map((line) => ({ ...line, ...stats(durations.get(line.key)!) })).sort((a, b) => b.sum - a.sum),
		zones: Math.min(n, MOST), cut, durations,
	};
}

export function histogramOf(found: Selected, key: string | null): Histogram {
	return histogram(key === null ? [...found.durations.values()].flat() : found.durations.get(key) ?? []);
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
