// SPDX-License-Identifier: Apache-2.0
// The filter of the ops table:   op~matmul cores<64 gap>6.5us bound:DRAM -memory~l1 or dev:1
//
// Terms side by side must all hold; `or` parts alternatives.  A term is KEY OP VALUE, or a word that the op's name has; - before it
// negates.  OP: ~ has the text, !~ lacks it, : or = is, != is not, < <= > >= for numbers, with units (ns us ms s KB MB GB %).
// A key is a short name of the list, or a column's name, or a part of it in quotes: "PM IDEAL">1us.
import type { Field, Ops } from "../data/ops";

export type Test = (row: number) => boolean;

export interface Filter {
	test: Test;
	error: string;
}

// Short names, each with the columns that it may stand for, best first.
export const SHORT: { [key: string]: string[] } = {
	op: ["op", "OP CODE"],
	code: ["OP CODE", "code"],
	dev: ["DEVICE ID", "device"],
	device: ["DEVICE ID", "device"],
	time: ["DEVICE KERNEL DURATION [ns]", "time_us", "DEVICE FW DURATION [ns]"],
	gap: ["OP TO OP LATENCY [ns]", "gap_us"],
	host: ["HOST DURATION [ns]"],
	cores: ["CORE COUNT", "cores"],
	dram: ["dram_percent"],
	flop: ["flop_percent"],
	roof: ["roof_percent"],
	save: ["save_us"],
	shape: ["op"],
	kind: ["family"],
	hash: ["PROGRAM HASH"],
	cache: ["PROGRAM CACHE HIT"],
	signpost: ["signpost"],
	loc: ["LOC"],
};

export function fieldFor(ops: Ops, name: string): Field | null {
	for (const key of SHORT[name.toLowerCase()] ?? []) {
		const field = ops.byKey.get(key);
		if (field) return field;
	}
	const exact = ops.byKey.get(name);
	if (exact) return exact;
	const lower = name.toLowerCase();
	return ops.fields.find((field) => field.key.toLowerCase() === lower)
		?? ops.fields.find((field) => field.key.toLowerCase().startsWith(lower))
		?? ops.fields.find((field) => field.key.toLowerCase().includes(lower)) ?? null;
}

// Factors to the base of each dimension: ns for time, bytes for sizes.
const SCALE: { [unit: string]: number } = {
	ns: 1, us: 1e3, "µs": 1e3, ms: 1e6, s: 1e9, b: 1, kb: 1e3, mb: 1e6, gb: 1e9, "%": 1,
};

export function parseNumber(text: string, unit: string): number {
	const match = /^([-+]?\d*\.?\d+(?:e[-+]?\d+)?)\s*([a-zµ%]*)$/i.exec(text.replace(/[\u2009_]/g, ""));
	if (!match) return NaN;
	const value = Number(match[1]);
	const given = match[2].toLowerCase();
	if (given === "") return value;
	const scale = SCALE[given];
	return scale === undefined ? NaN : value * scale / (SCALE[unit.toLowerCase()] ?? 1);
}

function split(text: string): string[] {
	return text.match(/(?:"[^"]*"?|[^\s"])+/g) ?? [];
}

const unquote = (text: string) => text.replace(/"/g, "");
const TERM = /^((?:"[^"]*"|[^"~!=:<>])+?)(!~|!=|<=|>=|~|=|:|<|>)(.*)$/;

function term(ops: Ops, source: string): Test {
	const match = TERM.exec(source);
	if (!match) {
		const word = unquote(source).toLowerCase();
		const fields = [ops.byKey.get("op"), ops.byKey.get("OP CODE")].filter((field) => field !== undefined);
		return (row) => fields.some((field) => field.text(row).toLowerCase().includes(word));
	}
	const [, rawKey, sign, rawValue] = match;
	const key = unquote(rawKey), value = unquote(rawValue);
	const field = fieldFor(ops, key);
	if (!field) throw new Error(`no column is called "${key}"`);
	const lower = value.toLowerCase();
	if (sign === "~" || sign === "!~") {
		const regex = /^\/(.*)\/$/.exec(value);
		let has: Test;
		if (regex) {
			const form = new RegExp(regex[1], "i");
			has = (row) => form.test(field.text(row));
		} else has = (row) => field.text(row).toLowerCase().includes(lower);
		return sign === "~" ? has : (row) => !has(row);
	}
	const number = parseNumber(value, field.unit);
	if (sign === ":" || sign === "=" || sign === "!=") {
		const is: Test = field.kind === "number"
			? (row) => value === "" ? Number.isNaN(field.number(row)) : field.number(row) === number
			: (row) => field.text(row).toLowerCase() === lower;
		return sign === "!=" ? (row) => !is(row) : is;
	}
	if (Number.isNaN(number)) throw new Error(`"${value}" is not a number${field.unit ? " (units: ns us ms s KB MB GB %)" : ""}`);
	switch (sign) {
	case "<": return (row) => field.number(row) < number;
	case "<=": return (row) => field.number(row) <= number;
	case ">": return (row) => field.number(row) > number;
	default: return (row) => field.number(row) >= number;
	}
}

export function parseFilter(ops: Ops, text: string): Filter {
	const alternatives: Test[][] = [[]];
	try {
		for (const word of split(text)) {
			if (word === "or" || word === "|") {
				alternatives.push([]);
				continue;
			}
			const negated = word.length > 1 && word.startsWith("-");
			const test = term(ops, negated ? word.slice(1) : word);
			alternatives[alternatives.length - 1].push(negated ? (row) => !test(row) : test);
		}
	} catch (error) {
		return { test: () => true, error: (error as Error).message };
	}
	const parts = alternatives.filter((list) => list.length > 0);
	if (parts.length === 0) return { test: () => true, error: "" };
	return { test: (row) => parts.some((list) => list.every((test) => test(row))), error: "" };
}
