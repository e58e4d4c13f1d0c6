// SPDX-License-Identifier: Apache-2.0
// Pauses before ops, like ones together, and what the host did meanwhile: as `ttprof top` has them.
import { find } from "../data/ops";
import type { OpView } from "./opview";

export interface Gap {
	name: string; // of the op, and whether programs were built
	row: number; // the op after the longest of them
	ns: number; // of the longest
	count: number;
	total: number;
	zone: string; // of the host, "" when none covers it
	covers: number; // share of the host's time
	known: boolean; // there was a trace that could say
}

export function topGaps(view: OpView, rows: number[], most: number): Gap[] {
	const { gap, ops } = view, alike = find(ops, "gap_line");
	if (!gap || !alike) return [];
	const zone = find(ops, "gap_zone"), took = find(ops, "gap_zone_ns"), host = find(ops, "gap_host_ns");
	const lines = new Map<string, Gap>();
	for (const row of rows) {
		const ns = gap.number(row);
		if (!(ns > 0)) continue;
		const key = alike.text(row);
		let line = lines.get(key);
		if (!line) lines.set(key, (line = { name: key, row, ns: 0, count: 0, total: 0, zone: "", covers: 0, known: false }));
		line.count++;
		line.total += ns;
		if (ns > line.ns) Object.assign(line, { ns, row });
	}
	return [...lines.values()].sort((a, b) => b.total - a.total || a.row - b.row).slice(0, most).map((line) => {
		const all = host?.number(line.row) ?? NaN;
		return { ...line, zone: zone?.text(line.row) ?? "", covers: all > 0 ? (took?.number(line.row) ?? 0) / all : 0, known: all > 0 };
	});
}
