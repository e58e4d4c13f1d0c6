// SPDX-License-Identifier: Apache-2.0
// Time per operation: six pies, six bar charts, and what dispatch costs.
import type { Field } from "../data/ops";
import * as format from "../logic/format";
import { barValues, overheads, pieSlices, type Overhead, type Prepared } from "../logic/notebook";
import { get, set } from "../state";
import { Bars } from "../ui/bars";
import { Card } from "../ui/card";
import { hue } from "../ui/colour";
import { Empty } from "../ui/empty";
import { Pie } from "../ui/pie";
import { Behind, Table } from "../ui/table";

export function Operations(props: { prepared: Prepared }) {
	const { prepared } = props;
	const agg = get("agg", "sum") === "mean" ? "mean" : "sum";
	if (prepared.metrics.every(({ field }) => !field || !prepared.rows.some((row) => Number.isFinite(field.number(row)))))
		return <Empty title="No times of ops in this report" text={`It has ${format.plural(prepared.ops.n, "row")}, and neither device time nor host time of any. The pies and bars need DEVICE FW DURATION, HOST DURATION or OP TO OP LATENCY.`} parts={["ops", "device"]} />;
	return (
		<>
			<div class="row" style="margin:0 auto 14px;max-width:2200px" role="group" aria-label="Sum or mean">
				<button aria-pressed={agg === "sum"} onClick={() => set({ agg: null })}>Sum</button>
				<button aria-pressed={agg === "mean"} onClick={() => set({ agg: "mean" })}>Mean of a call</button>
				<span class="small soft">Device Time here is the firmware's ({prepared.metrics[0].field?.key ?? "not in this report"}), as in the notebook.{agg === "mean" ? " Others adds up means, as in the notebook: its share says little." : ""}</span>
			</div>
			<div class="grid">
				{prepared.metrics.map(({ name, field }) => [
					<PieCard key={name} prepared={prepared} name={name} field={field} agg={agg} />, <BarCard key={"b" + name} prepared={prepared} name={name} field={field} agg={agg} />,
				])}
				<Dispatch prepared={prepared} />
			</div>
		</>
	);
}

interface MetricCard {
	prepared: Prepared;
	name: string;
	field: Field | null;
	agg: "sum" | "mean";
}

function PieCard({ prepared, name, field, agg }: MetricCard) {
	const slices = pieSlices(prepared, field, agg).filter((slice) => slice.value > 0);
	return (
		<Card title={`Top 15 operations by ${agg} ${name}`} wide="half">
			{slices.length === 0 ? <p class="soft">The report has no such column, or it is empty.</p> : <>
				<Pie slices={slices} label={`${agg} ${name} by operation`} />
				<Behind label="Table"><Table label={`${agg} ${name}`} file={`pie_${agg}_${name}`} rows={slices} columns={[
					{ title: "operation", cell: (s) => format.short(s.name, 100) }, { title: name, num: true, cell: (s) => format.time(s.value), raw: (s) => s.value },
				]} /></Behind>
			</>}
		</Card>
	);
}

function BarCard({ prepared, name, field, agg }: MetricCard) {
	const values = barValues(prepared, field, agg);
	const title = agg === "sum" ? `Total (per training step) ${name}` : `Average ${name}`;
	return (
		<Card title={title} hint="per operation" wide="half">
			{values.length === 0 ? <p class="soft">The report has no such column.</p> : <>
				<Bars label={title} bars={values.slice(0, 40).map((value) => ({ name: value.name, value: value.value, text: format.time(value.value), colour: hue(value.name), go: () => set({ mop: value.name, mp: "calls" }) }))} />
				<Behind label="Table"><Table label={title} file={`bars_${agg}_${name}`} rows={values} columns={[
					{ title: "operation", cell: (s) => format.short(s.name, 100) }, { title: name, file: name + " [ms]", num: true, cell: (s) => format.time(s.value), raw: (s) => s.value / 1e6 },
				]} /></Behind>
			</>}
		</Card>
	);
}

// Cells with their unit; the download in ms, as the notebook has it.
const time = (title: string, of: (line: Overhead) => number) => ({ title, file: title + " [ms]", num: true, cell: (line: Overhead) => format.time(of(line)), raw: (line: Overhead) => of(line) / 1e6 });

function Dispatch(props: { prepared: Prepared }) {
	const { lines, whole } = overheads(props.prepared);
	return (
		<Card title="Dispatch overhead" hint="per step; overhead is the time between ops, as share of it and the device time">
			<Table label="Dispatch overhead" file="dispatch_overhead" most={10} rows={lines} total={[whole.name, format.count(whole.calls), format.time(whole.host), format.time(whole.gap), format.time(whole.device), format.percent(whole.percent)]} columns={[
				{ title: "operation", cell: (l: Overhead) => format.short(l.name, 100) }, { title: "calls per step", num: true, cell: (l: Overhead) => format.count(l.calls), raw: (l: Overhead) => l.calls },
				time("host", (l) => l.host), time("between ops (overhead)", (l) => l.gap), time("device", (l) => l.device),
				{ title: "overhead", file: "overhead [%]", num: true, cell: (l: Overhead) => format.percent(l.percent), raw: (l: Overhead) => l.percent },
			]} />
		</Card>
	);
}
