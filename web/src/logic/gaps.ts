// SPDX-License-Identifier: Apache-2.0
// Pauses before ops, like ones together, and what the host did meanwhile: as `ttprof top` has them.
import { find } from "../data/ops";
import type { OpView } from "./opview";

export interface Gap {
	name: string; // of the op, and whether programs were built or it is a pause
	row: number; // the op after the longest of them
	ns: number; // of the longest
	count: number;
	total: number;
	zone: string; // of the host, "" when none covers it
	covers: number; // share of the host's time
	known: boolean; // there was a trace that could say
}

// `isPart`: the gap before a part of a run is none of its own.
export function topGaps(view: OpView, all: number[], most: number, isPart = false): Gap[] {
	const rows = isPart ? all.slice(1) : all;
	const { gap, ops } = view, alike = find(ops, "gap_line");
	if (!gap || !alike) return [];
	const zone = find(ops, "gap_zone"), took = find(ops, "gap_zone_ns"), host = find(ops, "gap_host_ns");
	const lines = new Map<string, Gap & { took: number; host: number }>();
	for (const row of rows) {
		const ns = gap.number(row);
		const key = alike.text(row);
		if (!(ns > 0) || !key) continue; // those before the profiler's own ops have none
		let line = lines.get(key);
		if (!line) lines.set(key, (line = { name: key, row, ns: 0, count: 0, total: 0, zone: "", covers: 0, known: false, took: 0, host: 0 }));
		line.count++;
		line.total += ns;
		line.took += took?.number(row) || 0;
		line.host += host?.number(row) || 0;
		if (ns > line.ns) Object.assign(line, { ns, row });
	}
	return [...lines.values()].sort((a, b) => b.total - a.total || a.row - b.row).slice(0, most).map((line) => {
		const name = zone?.text(line.row) ?? "", tail = ", in " + name;
		return { ...line, name: name && line.name.endsWith(tail) ? line.name.slice(0, -tail.length) : line.name, zone: name, covers: line.host > 0 ? line.took / line.host : 0, known: line.host > 0 };
	});
}
