// SPDX-License-Identifier: Apache-2.0
// Rows with the same text in a field, put together.
import type { Field } from "../data/ops";

export interface Group {
	name: string;
	rows: number[];
}

export function groupRows(rows: Iterable<number>, by: Field): Group[] {
	const groups = new Map<string, Group>();
	for (const row of rows) {
		const name = by.text(row);
		let group = groups.get(name);
		if (!group) groups.set(name, (group = { name, rows: [] }));
		group.rows.push(row);
	}
	return [...groups.values()];
}

export function sumOf(rows: Iterable<number>, field: Field | null): number {
	let sum = 0;
	if (field)
		for (const row of rows) {
			const value = field.number(row);
			if (Number.isFinite(value)) sum += value;
		}
	return sum;
}
