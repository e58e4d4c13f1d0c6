// SPDX-License-Identifier: Apache-2.0
// A run as the screens see it: the manifest, and each part as it arrives.  What is needed first is read first: ops, then zones.
import { signal, type Signal } from "@preact/signals";
import { Columns } from "./columns";
import type { Words } from "./bytes";
import { makeOps, numberField, textField, unitOf, type Field, type Ops } from "./ops";
import type { Source } from "./source";
import type { Account, LaneInfo, Manifest, TableInfo } from "./types";
import { harmless } from "../logic/format";
import { askWindow, WINDOWS_FROM } from "./windows";
import { laneStarts, type Zones } from "./zones";

export type Table = { n: number } & { [field: string]: Words };

export interface Run {
	manifest: Manifest;
	source: Source;
	strings: string[];
	lanes: LaneInfo[];
	ops: Ops | null;
	zones: Signal<Zones | null>; // all of them
	windowed: boolean; // too many for the page: then only
	window: Signal<Zones | null>; // those in sight
	opCores: Table | null;
	messages: Table | null;
	signposts: Table | null;
	frames: Table | null;
	flows: Table | null;
	flame: Table | null;
	memory: Table | null;
	plots: { name: string; unit: string; time: Words; value: Words }[];
	longest: Words | null;
	failed: Signal<string>;
	zonesRead: Signal<number>; // so many of them, until all are there
	columns: Columns;
}

async function readStrings(columns: Columns, which: Manifest["strings"]): Promise<string[]> {
	if (which === null || which === undefined) return [""];
	return new TextDecoder().decode(await columns.bytes(columns.info(which))).split("\0").map(harmless);
}

async function readTable(columns: Columns, info: TableInfo | null | undefined): Promise<Table | null> {
	if (!info) return null;
	const table: { [field: string]: Words | number } = { n: info.n };
	await Promise.all(
		Object.entries(info).map(async ([field, id]) => {
			if (field !== "n" && id !== null) table[field] = await columns.numbers(id);
		}));
	return table as Table;
}

async function readOps(columns: Columns, manifest: Manifest, strings: string[]): Promise<Ops | null> {
	const info = manifest.ops;
	if (!info) return null;
	const fields: Field[] = await Promise.all(
		info.fields.map(async (field) => {
			const values = await columns.numbers(field.column);
			return field.kind === "text"
				? textField(field.key, (row) => strings[values[row]] ?? "", field.from, field.says)
				: numberField(field.key, field.unit || unitOf(field.key), (row) => values[row], field.from, field.says);
		}));
	return makeOps(info.n, fields);
}

async function readZones(run: Run): Promise<Zones | null> {
	const { manifest, columns, lanes } = run, info = manifest.zones;
	if (!info) return null;
	const wanted = [info.start, info.dur, info.name, info.op, info.text].filter((id) => id !== undefined && id !== null);
	let read = 0;
	columns.onRead = (id, part) => {
		if (wanted.includes(id)) run.zonesRead.value = Math.floor(((read += part) * info.n) / wanted.length);
	};
	const get = (id: number | null | undefined) => (id === undefined || id === null ? null : columns.numbers(id));
	const [start, dur, name, op, text] = await Promise.all(
		[info.start, info.dur, info.name, info.op, info.text].map(get));
	if (!start || !dur || !name) throw new Error("the zones lack start, duration or name");
	return { n: info.n, dur, name, op: op ?? null, text: text ?? null, start: laneStarts(start, lanes) };
}

// ?windows in the address is for tests.
function isWindowed(source: Source, manifest: Manifest): boolean {
	return source.served && ((manifest.zones?.n ?? 0) > WINDOWS_FROM || (manifest.zones !== null && new URLSearchParams(location.search).has("windows")));
}

export async function openRun(source: Source): Promise<Run | null> {
	const manifest = await source.manifest();
	if (!manifest) return null;
	if (manifest.schema !== 1)
		throw new Error(`this page shows data of form 1, and the file has form ${manifest.schema}: make it again with one ttprof`);
	const columns = new Columns(manifest.columns ?? [], source, (manifest.lanes ?? []).map((lane) => lane.first));
	const strings = await readStrings(columns, manifest.strings);
	const lanes = manifest.lanes ?? [];
	for (const lane of lanes) lane.total = lane.count;
	const run: Run = {
		manifest, source, strings, lanes, columns,
		ops: await readOps(columns, manifest, strings),
		zones: signal(null), window: signal(null), windowed: isWindowed(source, manifest), failed: signal(""), zonesRead: signal(0),
		opCores: null, messages: null, signposts: null, frames: null, flows: null, flame: null, memory: null, plots: [], longest: null,
	};
	[run.opCores, run.messages, run.signposts, run.frames, run.flows, run.flame, run.memory] = await Promise.all(
		[manifest.op_cores, manifest.messages, manifest.signposts, manifest.frames, manifest.flows, manifest.flame, manifest.memory]
			.map((info) => readTable(columns, info)));
	return run;
}

// The report's account is of its rows; where those have no times at all, that of the logs.
export function accountOf(manifest: Manifest): Account | null {
	const { account } = manifest, rows = manifest.report?.account;
	return rows && (rows.timed > 0 || !account?.timed) ? rows : account ?? rows ?? null;
}

// What stands for the whole run above the timeline.
export function outline(lanes: LaneInfo[]): LaneInfo[] {
	const top = lanes.filter((lane) => lane.count > 0 && lane.depth === 0);
	const ops = top.filter((lane) => lane.kind === "ops");
	if (ops.length) return ops;
	const threads = top.filter((lane) => lane.kind === "thread" || lane.kind === "python");
	return threads.length ? threads : top.slice(0, 64);
}

// The large part, after the first paint.
export async function openZones(run: Run): Promise<void> {
	const { manifest, columns } = run;
	try {
		const longest = manifest.order?.by_duration;
		if (longest !== undefined && longest !== null) run.longest = await columns.numbers(longest);
		run.plots = await Promise.all((manifest.plots ?? []).map(async (plot) => ({
			name: plot.name, unit: plot.unit ?? "",
			time: await columns.numbers(plot.time), value: await columns.numbers(plot.value),
		})));
		if (!run.windowed) run.zones.value = await readZones(run);
		else run.window.value = await askWindow(run, outline(run.lanes), 0, manifest.span_ns, 1024);
	} catch (error) {
		run.failed.value = String((error as Error).message ?? error);
	}
}
