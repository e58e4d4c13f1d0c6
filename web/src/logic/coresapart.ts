// SPDX-License-Identifier: Apache-2.0
// What each core of a device was busy with ops of two runs; a core that only one of them used was busy for nothing in the other.
import type { Table } from "../data/run";
import { heatOf } from "./heat";

export interface CoreApart {
	x: number;
	y: number;
	base: number;
	now: number;
	by: number;
}

export function coresApart(base: Table, other: Table, device: number, ops: { base: Set<number>; new: Set<number> }): CoreApart[] {
	const all = new Map<string, CoreApart>();
	const add = (table: Table, side: "base" | "now", of: Set<number>) => {
		for (const { x, y, value } of heatOf(table, "busy", { device, ops: of }).cores) {
			const core = all.get(`${x},${y}`) ?? { x, y, base: 0, now: 0, by: 0 };
			core[side] = value;
			core.by = core.now - core.base;
			all.set(`${x},${y}`, core);
		}
	};
	add(base, "base", ops.base);
	add(other, "now", ops.new);
	return [...all.values()];
}
