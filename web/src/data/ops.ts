// SPDX-License-Identifier: Apache-2.0
// The table of ops: all columns of the ops report, and what `ttprof report` derived, under their names.
export interface Field {
	key: string;
	kind: "number" | "text";
	unit: string;
	from: string;
	says: string;
	number(row: number): number;
	text(row: number): string;
}

export interface Ops {
	n: number;
	fields: Field[];
	byKey: Map<string, Field>;
}

export function textField(key: string, text: (row: number) => string, from = "csv", says = ""): Field {
	return {
		key, kind: "text", unit: "", from, says, text,
		number: (row) => {
			const value = text(row);
			return value === "" ? NaN : Number(value);
		},
	};
}

export function numberField(key: string, unit: string, number: (row: number) => number, from = "csv", says = ""): Field {
	return {
		key, kind: "number", unit, from, says, number,
		text: (row) => {
			const value = number(row);
			return Number.isNaN(value) ? "" : String(value);
		},
	};
}

export function makeOps(n: number, fields: Field[]): Ops {
	return { n, fields, byKey: new Map(fields.map((field) => [field.key, field])) };
}

const UNITS: [RegExp, string][] = [
	[/_us$/, "us"], [/_ns$/, "ns"], [/_percent$/, "%"], [/_gbps$/, "GB/s"], [/_mb$/, "MB"],
	[/\[ns\]$/, "ns"], [/\[B\]$/, "B"], [/CYCLE$/, "cycles"], [/\(%\)$/, "%"], [/TS$/, "ns"],
];

export function unitOf(key: string): string {
	return UNITS.find(([form]) => form.test(key))?.[1] ?? "";
}

export function find(ops: Ops, ...keys: string[]): Field | null {
	for (const key of keys) {
		const field = ops.byKey.get(key);
		if (field) return field;
	}
	return null;
}
