// SPDX-License-Identifier: Apache-2.0
// Tensors of an op, from the columns INPUT_i_… and OUTPUT_i_… of all generations of the report.
import type { Ops } from "../data/ops";

export interface Tensor {
	name: string;
	shape: string;
	layout: string;
	type: string;
	memory: string;
}

export function tensorsOf(ops: Ops, row: number): Tensor[] {
	const found = new Map<string, { [part: string]: string }>();
	for (const field of ops.fields) {
		const match = /^(INPUT|OUTPUT)_(\d+)_([A-Z]+)/.exec(field.key);
		if (!match) continue;
		const text = field.text(row);
		if (text === "") continue;
		const name = `${match[1].toLowerCase()} ${match[2]}`;
		if (!found.has(name)) found.set(name, {});
		found.get(name)![match[3]] = text;
	}
	return [...found].map(([name, parts]) => ({
		name, shape: ["W", "Z", "Y", "X"].map((axis) => parts[axis]).filter((text) => text !== undefined).join(" × "),
		layout: parts.LAYOUT ?? "", type: parts.DATATYPE ?? "", memory: (parts.MEMORY ?? "").replace(/_/g, " ").toLowerCase(),
	}));
}
