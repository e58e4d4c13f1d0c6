// SPDX-License-Identifier: Apache-2.0
// Every op, every column; filter, groups, details.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Run } from "../data/run";
import { find, type Field } from "../data/ops";
import * as format from "../logic/format";
import { fieldFor, parseFilter } from "../logic/filter";
import { groupRows, sumOf, type Group } from "../logic/groups";
import { NOOP } from "../logic/notebook";
import { allRows, opView, type OpView } from "../logic/opview";
import { chosenPart, inPart } from "../logic/parts";
import { reportOf } from "../logic/reports";
import { get, number, set } from "../state";
import { csvText, download } from "../ui/download";
import { Empty } from "../ui/empty";
import { Grid, type GridColumn } from "../ui/grid";
import { OpDrawer } from "./ops_drawer";

const STANDARD = [
	"row", "op", "DEVICE ID", "time_us", "gap_us", "bound", "roof_percent", "CORE COUNT", "dram_percent", "flop_percent", "types", "HOST DURATION [ns]",
	"DEVICE FW DURATION [ns]", "memory", "category", "start_ns", "advice",
];
const FALLBACK = ["OP CODE", "DEVICE KERNEL DURATION [ns]", "OP TO OP LATENCY [ns]"];
const GROUPS: [string, string][] = [
	["op", "name and shape"], ["OP CODE", "op code"], ["category", "category"], ["family", "kind"], ["bound", "bound"], ["DEVICE ID", "device"], ["INPUT_0_LAYOUT", "layout"],
	["memory", "memory"], ["MATH FIDELITY", "fidelity"], ["PROGRAM HASH", "program"], ["signpost", "signpost"], ["LOC", "location"], ["METAL TRACE ID", "trace"],
];
const TITLES: { [key: string]: string } = {
	row: "#", op: "op", "DEVICE ID": "dev", roof_percent: "roof", time_us: "device time", gap_us: "gap", "CORE COUNT": "cores", dram_percent: "DRAM", flop_percent: "FLOP",
	"HOST DURATION [ns]": "host time", "DEVICE FW DURATION [ns]": "FW time", start_ns: "at", "DEVICE KERNEL DURATION [ns]": "kernel time", "OP TO OP LATENCY [ns]": "gap", "OP CODE": "op code",
};
const WIDTHS: { [key: string]: number } = {
	row: 60, op: 260, "OP CODE": 260, "DEVICE ID": 50, bound: 70, roof_percent: 72, time_us: 124, gap_us: 84, "CORE COUNT": 66, dram_percent: 76, flop_percent: 76, types: 190, "HOST DURATION [ns]": 88,
	"DEVICE FW DURATION [ns]": 88, category: 90, start_ns: 88, advice: 560, ATTRIBUTES: 420, memory: 190,
};

function titleOf(field: Field): string {
	return TITLES[field.key] ?? field.key.replace(/ ?\[(ns|B)\]| ?\(%\)/g, "").replace(/_(us|ns|percent)$/, "").replace(/_/g, " ");
}

export function OpsScreen(props: { run: Run }) {
	return props.run.ops && props.run.ops.n > 0
		? <OpsTable run={props.run} view={opView(props.run.ops)} />
		: <div style="overflow:auto"><Empty title="No ops in this run" text="The ops table is made from an ops report." parts={["ops"]} /></div>;
}

function compare(field: Field, a: number, b: number): number {
	if (field.kind === "text") return field.text(a).localeCompare(field.text(b)) || a - b;
	const x = field.number(a), y = field.number(b);
	if (Number.isNaN(x) || Number.isNaN(y)) return Number.isNaN(x) && Number.isNaN(y) ? a - b : Number.isNaN(x) ? 1 : -1;
	return x - y || a - b;
}

function sorted(rows: number[], field: Field, down: boolean): number[] {
	// What is missing comes last both ways.
	return [...rows].sort((a, b) => {
		const order = compare(field, a, b);
		const missing = field.kind === "number" && (Number.isNaN(field.number(a)) || Number.isNaN(field.number(b)));
		return down && !missing ? -order : order;
	});
}

function OpsTable(props: { run: Run; view: OpView }) {
	const { run, view } = props;
	const { ops } = view;
	const box = useRef<HTMLInputElement>(null);
	const [choosing, setChoosing] = useState(false);
	// What costs most comes first; the order of the run is that of the rows' numbers.
	const text = get("f"), group = get("g"), sort = get("sort", group || !view.time ? "" : "-time_us"), chosen = number("op", 0) - 1;
	const filter = useMemo(() => parseFilter(ops, text), [ops, text]);
	// tt-train's markers are ops that do nothing, tens at a time: they are left out until asked for.
	const marks = useMemo(() => new Set(allRows(ops).filter((row) => view.code?.text(row) === NOOP)), [ops]);
	const withMarks = get("marks") === "on" || text !== "" || marks.size === ops.n;
	const part = chosenPart(ops);
	const rows = useMemo(() => inPart(allRows(ops), part).filter((row) => filter.test(row) && (withMarks || row === chosen || !marks.has(row))), [ops, filter, part, withMarks, !withMarks && marks.has(chosen) ? chosen : -1]);
	const real = useMemo(() => rows.filter((row) => !view.isPost(row)), [rows]);
	const host = useMemo(() => real.filter((row) => view.isHost(row)), [real]);
	const whole = useMemo(() => allRows(ops).filter((row) => !view.isPost(row)).length, [ops]);
	// Of all ops of a part the sums are the report's: gaps without building, the profiler and single pauses.
	const totals = text ? undefined : reportOf(run, part)?.totals;
	const sums = totals?.device_us !== undefined ? { device: totals.device_us * 1e3, gaps: totals.gap_us * 1e3 } : { device: sumOf(real, view.time), gaps: sumOf(real, view.gap) };
	const [fitted, setFitted] = useState(0);
	const by = group ? fieldFor(ops, group) : null;
	const columns = shownFields(view, get("cols"));

	useEffect(() => {
		const keys = (event: KeyboardEvent) => {
			if (event.key === "/" && !/^(INPUT|SELECT)$/.test((event.target as HTMLElement).tagName)) {
				event.preventDefault();
				box.current?.focus();
			} else if (event.key === "Escape") set({ op: null });
		};
		window.addEventListener("keydown", keys);
		return () => window.removeEventListener("keydown", keys);
	}, []);

	const cycle = (key: string) => set({ sort: sort === "-" + key ? key : sort === key && key !== "row" ? "row" : key === "row" ? (sort === "row" ? "-row" : "row") : "-" + key });
	return (
		<>
			<div class="toolbar">
				<input ref={box} class="grow" type="search" value={text} placeholder="Filter: op~matmul cores<64    ( / )" aria-label="Filter ops"
					title="KEY~TEXT has, KEY:VALUE is, < <= > >= for numbers with units, - before a term negates, or between alternatives; any column's name is a key"
					onInput={(event) => set({ f: (event.target as HTMLInputElement).value })} />
				<label class="row small">group by
					<select value={group} onChange={(event) => set({ g: (event.target as HTMLSelectElement).value, sort: null })}>
						<option value="">nothing</option>
						{GROUPS.filter(([key]) => ops.byKey.has(key)).map(([key, name]) => <option key={key} value={key}>{name}</option>)}
					</select>
				</label>
				{marks.size && marks.size < ops.n && !text ? <button aria-pressed={withMarks} title="Ops that do nothing but mark a place of the program (ProfilerNoop)" onClick={() => set({ marks: withMarks ? null : "on" })}>{format.plural(marks.size, "marker")}</button> : null}
				<button aria-expanded={choosing} title="Which columns are shown; all that find room, until you choose" onClick={() => setChoosing(!choosing)}>Columns{!get("cols") && !by && fitted && fitted < columns.length ? ` ${fitted} of ${columns.length}` : ""}</button>
				<button onClick={() => download("ops.csv", csvText(ops.fields.map((field) => field.key), rows.map((row) => ops.fields.map((field) => field.text(row)))))}>CSV</button>
				<span class="small soft" role="status">
					{format.count(real.length)} of {format.plural(whole, "op")} · device {format.time(sums.device)} · gaps {format.time(sums.gaps)}
					{host.length ? ` · ${format.plural(host.length, "op")} on the host ${format.time(sumOf(host, find(ops, "HOST DURATION [ns]")))}` : ""}
				</span>
				{filter.error ? <span class="error" role="alert">{filter.error}</span> : null}
			</div>
			{choosing ? <Chooser view={view} shown={columns} onClose={() => setChoosing(false)} /> : null}
			<div class="with-drawer">
				{by ? <GroupGrid view={view} rows={real} by={by} sort={sort} onSort={cycle} />
					: <RowGrid view={view} rows={rows} fields={columns} sort={sort} chosen={chosen} onSort={cycle} onFit={get("cols") ? undefined : setFitted} />}
				{chosen >= 0 && chosen < ops.n && !by ? <OpDrawer run={run} row={chosen} key={chosen} /> : null}
			</div>
		</>
	);
}

function shownFields(view: OpView, wanted: string): Field[] {
	const { ops } = view;
	const keys = wanted ? wanted.split("|") : STANDARD.filter((key) => key !== "DEVICE ID" || severalDevices(view));
	const fields = keys.map((key) => ops.byKey.get(key)).filter((field): field is Field => field !== undefined);
	if (!wanted && !find(ops, "op")) fields.unshift(...FALLBACK.map((key) => ops.byKey.get(key)).filter((field): field is Field => field !== undefined));
	return fields.length ? fields : ops.fields.slice(0, 12);
}

function severalDevices(view: OpView): boolean {
	if (!view.device) return false;
	const first = view.device.text(0);
	for (let row = 1; row < view.ops.n; row++) if (view.device.text(row) !== first) return true;
	return false;
}

function RowGrid(props: { view: OpView; rows: number[]; fields: Field[]; sort: string; chosen: number; onSort(key: string): void; onFit?: (shown: number) => void }) {
	const { view, fields } = props;
	const field = props.sort && props.sort !== "row" ? view.ops.byKey.get(props.sort.replace(/^-/, "")) : undefined;
	const order = useMemo(() => (field ? sorted(props.rows, field, props.sort.startsWith("-")) : props.rows), [props.rows, field, props.sort]);
	const type = view.ops.byKey.get("OP TYPE");
	const most = useMemo(() => {
		let most = 0;
		for (const row of props.rows) most = Math.max(most, view.time?.number(row) || 0);
		return most;
	}, [props.rows]);
	const columns: GridColumn[] = fields.map((shown) => ({
		key: shown.key, title: titleOf(shown), says: shown.says ? `${shown.key}: ${shown.says}` : shown.key, num: shown.kind === "number",
		width: WIDTHS[shown.key] ?? (shown.kind === "number" ? 104 : 180),
		cell: (line) => {
			const row = order[line];
			if (shown.kind === "text") return format.short((shown.key === "op" ? view.name : shown)?.text(row) ?? "", 300);
			const value = shown.number(row);
			if (shown.key === "time_us" || shown.key === "DEVICE KERNEL DURATION [ns]") {
				const ns = view.time?.number(row) ?? NaN;
				return <div class="inbar"><i style={{ width: ns > 0 ? (100 * ns) / most + "%" : "0" }} /><span>{Number.isNaN(value) ? format.time(ns) : format.withUnit(value, shown.unit)}</span></div>;
			}
			return shown.key === "row" || shown.key === "id" ? String(value) : format.withUnit(value, shown.unit);
		},
	}));
	return (
		<Grid label="Ops" columns={columns} fit={props.onFit ? (fields.some((one) => one.key === "op") ? "op" : "OP CODE") : undefined} onFit={props.onFit} lines={order.length} chosen={order.indexOf(props.chosen)} sort={props.sort} onSort={props.onSort}
			section={(line) => (type?.text(order[line]) === "signpost" && !field ? "▸ " + format.short(view.code?.text(order[line]) ?? "", 200) : null)}
			onChoose={(line) => set({ op: order[line] + 1 })} />
	);
}

function coresText([low, high]: [number, number]): string {
	return !Number.isFinite(low) ? "" : low === high ? String(low) : `${low} … ${high}`;
}

interface GroupLine extends Group {
	time: number;
	gap: number;
	max: number;
	bound: string;
	roof: number; // at best, of what took it: as `ttprof report --group-by` has it
	save: number;
	cores: [number, number];
}

const boundOf = (view: OpView, rows: number[]) => {
	const all = new Set(rows.map((row) => view.bound?.text(row) ?? "").filter((text) => text !== ""));
	return all.size === 1 ? [...all][0] : all.size ? "several" : "";
};

function roofOf(view: OpView, rows: number[]): number {
	const ideal = find(view.ops, "ideal_us"), figured = rows.filter((row) => (ideal?.number(row) ?? 0) > 0);
	return (100 * 1e3 * sumOf(figured, ideal)) / sumOf(figured, view.time);
}

function coresOf(view: OpView, rows: number[]): [number, number] {
	let low = Infinity, high = -Infinity;
	for (const row of rows) {
		const cores = view.cores?.number(row) ?? NaN;
		if (cores < low) low = cores;
		if (cores > high) high = cores;
	}
	return [low, high];
}

function GroupGrid(props: { view: OpView; rows: number[]; by: Field; sort: string; onSort(key: string): void }) {
	const { view, by } = props;
	const groups = useMemo<GroupLine[]>(() => groupRows(props.rows, by).map((group) => ({
		...group, time: sumOf(group.rows, view.time), gap: sumOf(group.rows, view.gap),
		max: group.rows.reduce((most, row) => Math.max(most, view.time?.number(row) || 0), 0),
		bound: boundOf(view, group.rows), roof: roofOf(view, group.rows), save: sumOf(group.rows, find(view.ops, "save_us")) * 1e3, cores: coresOf(view, group.rows),
	})), [props.rows, by]);
	const all = groups.reduce((sum, group) => sum + group.time, 0);
	const values: { [key: string]: (group: GroupLine) => number | string } = {
		name: (g) => g.name, calls: (g) => g.rows.length, time: (g) => g.time, share: (g) => g.time, mean: (g) => g.time / g.rows.length, max: (g) => g.max, gap: (g) => g.gap,
		bound: (g) => g.bound, roof: (g) => g.roof || 0, save: (g) => g.save, cores: (g) => (Number.isFinite(g.cores[1]) ? g.cores[1] : 0),
	};
	const sort = props.sort || "-time";
	const value = values[sort.replace(/^-/, "")] ?? values.time;
	const order = [...groups].sort((a, b) => {
		const x = value(a), y = value(b);
		const up = typeof x === "string" ? x.localeCompare(y as string) : x - (y as number);
		return sort.startsWith("-") ? -up : up;
	});
	const most = Math.max(0, ...groups.map((group) => group.time));
	const columns: GridColumn[] = [
		{ key: "name", title: titleOf(by), num: false, width: 320, cell: (line) => format.short(order[line].name, 300) || "(none)" },
		{ key: "calls", title: "calls", num: true, width: 90, cell: (line) => format.count(order[line].rows.length) },
		{ key: "time", title: "device time", num: true, width: 160, cell: (line) => <div class="inbar"><i style={{ width: (100 * order[line].time) / most + "%" }} /><span>{format.time(order[line].time)}</span></div> },
		{ key: "share", title: "share", num: true, width: 90, cell: (line) => format.percent((100 * order[line].time) / all) },
		{ key: "bound", title: "bound", num: false, width: 84, cell: (line) => order[line].bound },
		{ key: "roof", title: "roof", says: "at best it would take this share of its time", num: true, width: 76, cell: (line) => format.percent(order[line].roof) },
		{ key: "save", title: "could save", num: true, width: 100, cell: (line) => (order[line].save > 0 ? format.time(order[line].save) : "") },
		{ key: "cores", title: "cores", num: true, width: 84, cell: (line) => coresText(order[line].cores) },
		{ key: "mean", title: "mean", num: true, width: 110, cell: (line) => format.time(order[line].time / order[line].rows.length) },
		{ key: "max", title: "longest", num: true, width: 110, cell: (line) => format.time(order[line].max) },
		{ key: "gap", title: "gaps", num: true, width: 110, cell: (line) => format.time(order[line].gap) },
	];
	return (
		<Grid label={"Ops grouped by " + titleOf(by)} columns={columns} fit="name" lines={order.length} chosen={-1} sort={sort} onSort={props.onSort}
			onChoose={(line) => set({ f: `${get("f")} "${by.key}":"${order[line].name.replaceAll('"', "")}"`.trim(), g: null, sort: null })} />
	);
}

function Chooser(props: { view: OpView; shown: Field[]; onClose(): void }) {
	const shown = new Set(props.shown.map((field) => field.key));
	const [search, setSearch] = useState("");
	const wanted = search.toLowerCase();
	const list = props.view.ops.fields.filter((field) => (field.key + " " + titleOf(field) + " " + field.says).toLowerCase().includes(wanted));
	// Chosen ones first, then what a report says, then the file's own columns.
	const rank = (field: Field) => (shown.has(field.key) ? 0 : field.from === "report" ? 1 : field.from === "page" ? 2 : 3);
	list.sort((a, b) => rank(a) - rank(b));
	const toggle = (key: string) => {
		if (shown.has(key)) shown.delete(key);
		else shown.add(key);
		set({ cols: [...shown].join("|") });
	};
	return (
		<div class="toolbar" role="group" aria-label="Columns">
			<input type="search" value={search} placeholder="Search columns" aria-label="Search columns" onInput={(event) => setSearch((event.target as HTMLInputElement).value)} />
			<button onClick={() => set({ cols: props.view.ops.fields.map((field) => field.key).join("|") })}>all</button>
			<button onClick={() => set({ cols: null })}>standard</button>
			<button onClick={props.onClose}>close</button>
			<div class="chooser" tabIndex={0}>
				{list.length ? null : <p class="soft">No column has that in its name.</p>}
				{list.map((field) => (
					<label key={field.key} title={field.says}><input type="checkbox" checked={shown.has(field.key)} onChange={() => toggle(field.key)} /> {field.key}</label>
				))}
			</div>
		</div>
	);
}
