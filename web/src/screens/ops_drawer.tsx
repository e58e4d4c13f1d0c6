// SPDX-License-Identifier: Apache-2.0
// One op in full: what it was given, what ran, how long each core took, and its other calls.
import { useMemo } from "preact/hooks";
import type { Run } from "../data/run";
import { find } from "../data/ops";
import * as format from "../logic/format";
import { heatOf } from "../logic/heat";
import { anomalies } from "../logic/notebook";
import { allRows, opView } from "../logic/opview";
import { chosenPart, inPart } from "../logic/parts";
import { stats } from "../logic/stats";
import { tensorsOf } from "../logic/tensors";
import { set } from "../state";
import { opZone } from "../timeline/pick";
import { withoutCommands } from "../logic/advice";
import { Facts } from "../ui/card";
import { Around, Counters, Limits, Processors } from "./ops_limits";
import { heat as heatColour } from "../ui/colour";
import { Plot } from "../ui/plot";
import { Behind, Table } from "../ui/table";

export function OpDrawer(props: { run: Run; row: number }) {
	const { run, row } = props;
	const ops = run.ops!;
	const view = opView(ops);
	const text = (...keys: string[]) => find(ops, ...keys)?.text(row) ?? "";
	const number = (...keys: string[]) => {
		const field = find(ops, ...keys);
		return field ? format.withUnit(field.number(row), field.unit) : format.NONE;
	};
	const name = view.name?.text(row) || "op " + (row + 1);
	const tensors = tensorsOf(ops, row);
	const kernels = ops.fields.filter((field) => /KERNEL SOURCE/.test(field.key) && field.text(row)).map((field) => [field.key.toLowerCase(), field.text(row)] as [string, string]);
	const start = view.start?.number(row) ?? NaN, end = view.end?.number(row) ?? start + (view.time?.number(row) ?? 0);
	const facts: [string, string][] = [
		["device time", format.time(view.time?.number(row) ?? NaN)], ["gap before it", format.time(view.gap?.number(row) ?? NaN)],
		["host time", number("HOST DURATION [ns]")], ["cores", number("CORE COUNT", "cores")], ["bound", text("bound")], ["of its roof", number("roof_percent")],
		["DRAM", `${number("dram_gbps")} · ${number("dram_percent")}`], ["arithmetic", `${number("flops_tflops", "flops")} · ${number("flop_percent")}`],
		["ideal", number("ideal_us")], ["could save", number("save_us")], ["fidelity and types", text("types", "MATH FIDELITY")], ["parallelization", text("PARALLELIZATION STRATEGY")],
	];
	return (
		<aside class="drawer" aria-label={"Op " + (row + 1)}>
			<header>
				<h2>{format.short(name, 200)}</h2>
				<button class="plain" aria-label="Close details" onClick={() => set({ op: null })}>✕</button>
			</header>
			<p class="soft small">op {row + 1} · {format.short(view.code?.text(row) ?? "", 100)} · device {view.device?.text(row) || "?"}</p>
			<p class="row" style="margin-top:8px">
				{Number.isFinite(start) && run.manifest.zones ? <button onClick={() => set({ zone: opZone(run, row), sel: null, t0: Math.round(start - (end - start) * 0.3), t1: Math.round(end + (end - start) * 0.3) }, "timeline")}>In the timeline</button> : null}
				{run.opCores ? <button onClick={() => set({ hop: row + 1, hname: null }, "cores")}>Its cores</button> : null}
			</p>
			{text("advice") ? <p style="margin-top:10px">→ {format.short(withoutCommands(text("advice")), 400)}</p> : null}
			<section><Facts list={facts.filter(([, value]) => value && value !== format.NONE && value !== `${format.NONE} · ${format.NONE}`)} /></section>
			<Limits ops={ops} row={row} />
			<Processors ops={ops} row={row} />
			<Counters ops={ops} row={row} />
			<Around ops={ops} row={row} />
			{tensors.length ? <section><h3>Tensors</h3>
				<Table label="Tensors" rows={tensors} columns={[
					{ title: "tensor", cell: (t) => t.name }, { title: "shape (padded[logical])", cell: (t) => t.shape }, { title: "type", cell: (t) => t.type },
					{ title: "layout", cell: (t) => t.layout.toLowerCase() }, { title: "memory", cell: (t) => t.memory },
				]} /></section> : null}
			<Strip run={run} row={row} />
			<Calls run={run} row={row} />
			{kernels.length ? <section><h3>Kernels</h3><Facts list={kernels.map(([key, value]) => [key, <code>{kernelList(value).map((one, i) => <div key={i}>{format.short(one, 300)}</div>)}</code>])} /></section> : null}
			{text("ATTRIBUTES") ? <section><h3>Attributes</h3><pre tabIndex={0}>{format.short(text("ATTRIBUTES").replaceAll(";", ",\n"), 20000)}</pre></section> : null}
			<section><Behind label={`all ${ops.fields.length} columns`}>
				<Facts list={ops.fields.filter((field) => field.text(row) !== "").map((field) => [field.key, format.short(field.text(row), 1000)])} />
			</Behind></section>
		</aside>
	);
}

// Reports have them as a list of Python: ['a.cpp'; 'b.cpp'].
function kernelList(text: string): string[] {
	return text.replace(/^\[|\]$/g, "").split(";").map((one) => one.trim().replace(/^'|'$/g, "")).filter((one) => one !== "");
}

// Each core as a small bar, in the order of the grid.
function Strip(props: { run: Run; row: number }) {
	const { run, row } = props;
	const heat = useMemo(() => {
		const device = run.opCores ? opView(run.ops!).device?.number(row) ?? 0 : 0;
		return run.opCores ? heatOf(run.opCores, "busy", { device, ops: new Set([row + 1]) }) : null;
	}, [run, row]);
	if (!heat || heat.cores.length === 0) return null;
	const wide = Math.max(3, Math.min(14, 520 / heat.cores.length));
	return (
		<section>
			<h3>Cores</h3>
			<svg width="100%" height="56" viewBox={`0 0 ${wide * heat.cores.length} 56`} preserveAspectRatio="none" role="img"
				aria-label={`Kernel time of ${heat.cores.length} cores, from ${format.time(heat.min)} to ${format.time(heat.max)}`}>
				{heat.cores.map((core, i) => (
					<rect key={i} x={i * wide} width={wide - 0.6} y={56 - (54 * core.value) / heat.max} height={(54 * core.value) / heat.max} fill={heatColour(core.value / heat.max)}>
						<title>{`core ${core.x},${core.y}: ${format.time(core.value)}`}</title>
					</rect>
				))}
			</svg>
			<p class="small soft">{heat.cores.length} cores · slowest {format.time(heat.max)} · mean {format.time(heat.mean)} · imbalance {format.percent(100 * heat.imbalance)}</p>
		</section>
	);
}

function Calls(props: { run: Run; row: number }) {
	const { run, row } = props;
	const view = opView(run.ops!);
	const data = useMemo(() => {
		// Like calls, as the report has them; rows that it does not count go by name and device.
		const like = find(view.ops, "like"), mine = like?.text(row), name = view.name?.text(row), device = view.device?.text(row);
		const counts = (other: number) => !view.id || Number.isFinite(view.id.number(other));
		const part = chosenPart(view.ops), mates = part && inPart([row], part).length ? inPart(allRows(view.ops), part) : allRows(view.ops);
		const rows = mates.filter((other) => (mine && counts(row) ? counts(other) && like!.text(other) === mine : view.name?.text(other) === name && view.device?.text(other) === device));
		const values = rows.map((other) => view.time?.number(other) ?? NaN);
		const odd = new Set(anomalies(values));
		return { rows, values, odd, all: stats(values) };
	}, [run, row]);
	const series = useMemo(() => [
		{ name: "device time", values: data.values.map((value) => (Number.isFinite(value) ? value : null)) },
		{ name: "beyond 3σ", values: data.values.map((value, i) => (data.odd.has(i) ? value : null)), colour: "#c2504a", points: true },
	], [data]);
	const x = useMemo(() => data.rows.map((_, i) => i + 1), [data]);
	if (data.rows.length < 2) return null;
	return (
		<section>
			<h3>All {data.rows.length} calls</h3>
			<Plot label={`Device time of ${data.rows.length} calls`} x={x} xName="call" xText={(value) => String(value)} yText={format.time} series={series} height={140} onPick={(i) => set({ op: data.rows[i] + 1 })} />
			<p class="small soft">mean {format.time(data.all.mean)} · σ {format.time(data.all.sd)} · {format.time(data.all.min)} … {format.time(data.all.max)} · {format.plural(data.odd.size, "call")} beyond 3σ</p>
			<Behind label="Table"><Table label="Calls" file="calls" rows={data.rows} columns={[
				{ title: "op", num: true, cell: (other) => <button class="link" onClick={() => set({ op: other + 1 })}>{other + 1}</button>, raw: (other) => other + 1 },
				{ title: "device time", num: true, cell: (other) => format.time(view.time?.number(other) ?? NaN), raw: (other) => view.time?.number(other) ?? NaN },
				{ title: "gap", num: true, cell: (other) => format.time(view.gap?.number(other) ?? NaN), raw: (other) => view.gap?.number(other) ?? NaN },
			]} /></Behind>
		</section>
	);
}
