// SPDX-License-Identifier: Apache-2.0
// Performance counters: per op, sortable, with what it stalled on, and against time.
import { useMemo } from "preact/hooks";
import type { Run } from "../data/run";
import * as format from "../logic/format";
import { countersOf, topStall, type Counter } from "../logic/counters";
import { opView, reported } from "../logic/opview";
import { chosenPart, inPart } from "../logic/parts";
import { get, set } from "../state";
import { opLook } from "../timeline/oplook";
import { Card, Figures } from "../ui/card";
import { Empty } from "../ui/empty";
import { Plot } from "../ui/plot";
import { Behind, Table, type Column } from "../ui/table";

const SHOWN = ["FPU Util", "MATH Util", "SFPU Util", "Unpacker Write Efficiency", "Packer Efficiency", "NOC Ring 0 Outgoing Util", "NOC Ring 0 Incoming Util", "L1 Unpacker Port Util"];

interface Line {
	op: string;
	rows: number[];
	time: number;
	values: number[]; // mean over calls, weighed by time
	stall: { at: number; value: number };
}

export function Counters(props: { run: Run }) {
	const { run } = props, { ops } = run;
	const counters = useMemo(() => (ops ? countersOf(ops) : []), [ops]);
	if (!ops || !counters.length)
		return <Empty title="No performance counters in this run" text="Record them with `ttprof run -r --profiler-capture-perf-counters all …`: then each op has what its cores' units did and what they waited for." parts={["counters"]} />;
	return <CounterTable run={run} counters={counters} />;
}

const textOf = (counter: Counter, value: number) => (!Number.isFinite(value) ? format.NONE : counter.unit === "%" ? format.percent(value) : value.toPrecision(3));

function CounterTable(props: { run: Run; counters: Counter[] }) {
	const { run, counters } = props, ops = run.ops!, view = opView(ops), look = opLook(run)!, part = chosenPart(ops);
	const rows = useMemo(() => inPart(reported(view), part).filter((row) => counters.some((one) => Number.isFinite(one.main.number(row)))), [ops, part, counters]);
	const lines = useMemo(() => linesOf(rows, counters, (row) => look.label(row + 1), (row) => view.time?.number(row) || 0), [rows, counters]);
	const chosen = counters.find((one) => one.name === get("pc")) ?? counters.find((one) => one.name === SHOWN[0]) ?? counters[0];
	const columns = useMemo(() => {
		const first = SHOWN.map((name) => counters.find((one) => one.name === name)).filter((one): one is Counter => one !== undefined);
		return [...new Set([chosen, ...(first.length ? first : counters.slice(0, 6))])].slice(0, 6);
	}, [counters, chosen]);
	const sort = get("pcs", "-time"), key = sort.replace(/^-/, ""), sign = sort.startsWith("-") ? -1 : 1;
	const value = (line: Line) => (key === "time" ? line.time : key === "stall" ? line.stall.value : line.values[counters.findIndex((one) => one.name === key)] ?? NaN);
	const sorted = [...lines].sort((a, b) => {
		const [x, y] = [value(a), value(b)];
		return Number.isNaN(x) ? 1 : Number.isNaN(y) ? -1 : sign * (x - y);
	});
	const by = (what: string) => () => set({ pcs: sort === "-" + what ? what : "-" + what });
	const total = lines.reduce((sum, line) => sum + line.time, 0), mean = (counter: Counter) => {
		const i = counters.indexOf(counter), list = lines.filter((line) => Number.isFinite(line.values[i])), time = list.reduce((sum, line) => sum + line.time, 0);
		return time > 0 ? list.reduce((sum, line) => sum + line.values[i] * line.time, 0) / time : NaN;
	};
	const series = rows.filter((row) => Number.isFinite(chosen.main.number(row)));
	const spread = (field: Counter["min"]) => series.map((row) => (field && Number.isFinite(field.number(row)) ? field.number(row) : null));
	return (
		<div class="grid">
			<Card title="Counters" hint={`${format.plural(counters.length, "counter")} of ${format.plural(rows.length, "op")}${part ? " of " + part.name : ""}; means are weighed by time`} tools={
				<label class="row small">counter <select value={chosen.name} onChange={(event) => set({ pc: (event.target as HTMLSelectElement).value })}>
					{(["use", "stall", "other"] as const).map((kind) => <optgroup key={kind} label={{ use: "what was used", stall: "what was waited for", other: "others" }[kind]}>{counters.filter((one) => one.kind === kind).map((one) => <option key={one.name} value={one.name}>{format.short(one.name, 60)}</option>)}</optgroup>)}
				</select></label>}>
				<Figures list={columns.slice(0, 5).map((one): [string, string] => [one.name, textOf(one, mean(one))])} />
			</Card>
			<Card title={chosen.name} hint="each op in its order: lowest, mean and highest of its cores">
				{series.length > 1 ? <Plot label={`${chosen.name} of ${series.length} ops`} x={series.map((row) => row + 1)} xName="op" xText={(at) => String(Math.round(at))} yText={(at) => textOf(chosen, at)} height={200} onPick={(i) => set({ op: series[i] + 1, f: null, g: null }, "ops")}
					series={[{ name: chosen.avg ? "mean" : "median", values: spread(chosen.main) }, ...(chosen.max ? [{ name: "highest core", values: spread(chosen.max) }] : []), ...(chosen.min ? [{ name: "lowest core", values: spread(chosen.min) }] : [])]} />
					: <p class="soft">Fewer than two ops have this counter.</p>}
				<Behind label="Table"><Table label={chosen.name} file="counter" rows={series} columns={[
					{ title: "op", num: true, cell: (row: number) => <button class="link" onClick={() => set({ op: row + 1, f: null, g: null }, "ops")}>{row + 1}</button>, raw: (row: number) => row + 1 },
					{ title: "name", cell: (row: number) => format.short(look.label(row + 1), 70), raw: (row: number) => look.label(row + 1) },
					...([["lowest core", chosen.min], ["median", chosen.median], ["mean", chosen.avg], ["highest core", chosen.max]] as const).filter(([, field]) => field).map(([title, field]): Column<number> => ({ title, num: true, cell: (row) => textOf(chosen, field!.number(row)), raw: (row) => field!.number(row) })),
				]} /></Behind>
			</Card>
			<Card title="By op" hint="like calls together">
				<div class="row small" style="margin-bottom:8px" role="group" aria-label="Sort by">{[["time", "time"], ["stall", "largest stall"], ...columns.map((one) => [one.name, one.name])].map(([what, title]) => <button key={what} aria-pressed={key === what} onClick={by(what)}>{format.short(title, 26)}{key === what ? (sign < 0 ? " ↓" : " ↑") : ""}</button>)}</div>
				<Table label="Counters by op" file="counters" most={40} rows={sorted} columns={[
					{ title: "op", cell: (line: Line) => <button class="link" onClick={() => set({ f: `"${line.op.replace(/"/g, "")}"`, op: line.rows[0] + 1, g: null }, "ops")}>{format.short(line.op, 46)}</button>, raw: (line: Line) => line.op },
					{ title: "calls", num: true, cell: (line: Line) => format.count(line.rows.length), raw: (line: Line) => line.rows.length },
					{ title: "time", num: true, cell: (line: Line) => `${format.time(line.time)}${total > 0 ? ` ${((100 * line.time) / total).toFixed(0)} %` : ""}`, raw: (line: Line) => line.time },
					...columns.map((one): Column<Line> => ({ title: one.name, num: true, cell: (line) => textOf(one, line.values[counters.indexOf(one)]), raw: (line) => line.values[counters.indexOf(one)] })),
					{ title: "stalls most on", cell: (line: Line) => (line.stall.at < 0 ? "" : <div style="min-width:110px">{counters[line.stall.at].name} {format.percent(line.stall.value, 0)}</div>), raw: (line: Line) => (line.stall.at < 0 ? "" : counters[line.stall.at].name) },
				]} />
				<p class="small soft">The report has lowest, median, mean and highest of an op's cores; single cores are in the device log.</p>
			</Card>
		</div>
	);
}

function linesOf(rows: number[], counters: Counter[], name: (row: number) => string, time: (row: number) => number): Line[] {
	const lines = new Map<string, Line>();
	for (const row of rows) {
		let line = lines.get(name(row));
		if (!line) lines.set(name(row), (line = { op: name(row), rows: [], time: 0, values: [], stall: { at: -1, value: 0 } }));
		line.rows.push(row);
		line.time += time(row);
	}
	for (const line of lines.values()) {
		line.values = counters.map((one) => {
			let sum = 0, weight = 0;
			for (const row of line.rows) {
				const value = one.main.number(row), w = time(row) || 1;
				if (Number.isFinite(value)) sum += value * w, weight += w;
			}
			return weight > 0 ? sum / weight : NaN;
		});
		const longest = line.rows.reduce((a, b) => (time(b) > time(a) ? b : a));
		line.stall = topStall(counters, longest);
	}
	return [...lines.values()];
}
