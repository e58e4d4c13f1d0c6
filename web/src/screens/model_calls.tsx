// SPDX-License-Identifier: Apache-2.0
// Every call of one operation, and which of them stand out.
import { useMemo } from "preact/hooks";
import type { Run } from "../data/run";
import { find } from "../data/ops";
import * as format from "../logic/format";
import { anomalies, barValues, METRIC_NAMES, type Prepared } from "../logic/notebook";
import { stats } from "../logic/stats";
import { tensorsOf } from "../logic/tensors";
import { get, set } from "../state";
import { Card } from "../ui/card";
import { Plot } from "../ui/plot";
import { Behind, Table } from "../ui/table";

export function Calls(props: { run: Run; prepared: Prepared }) {
	const { prepared, run } = props;
	// The one that takes most first.
	const names = useMemo(() => {
		const byTime = barValues(prepared, prepared.metrics[0].field ?? prepared.metrics[1].field, "sum").map((one) => one.name);
		return byTime.length ? byTime : [...new Set(prepared.rows.map((row) => prepared.code?.text(row) ?? ""))];
	}, [prepared]);
	const name = names.includes(get("mop")) ? get("mop") : names[0] ?? "";
	const rows = useMemo(() => prepared.rows.filter((row) => prepared.code?.text(row) === name), [prepared, name]);
	const which = Math.max(0, METRIC_NAMES.indexOf(get("mm") as (typeof METRIC_NAMES)[number]));
	const metric = prepared.metrics[which].field;
	const values = rows.map((row) => metric?.number(row) ?? NaN);
	const odd = anomalies(values);
	const all = stats(values);
	const cores = find(prepared.ops, "CORE COUNT"), attributes = find(prepared.ops, "ATTRIBUTES");
	return (
		<>
			<div class="row" style="margin:0 auto 14px;max-width:2200px">
				<label class="row">operation <select value={name} onChange={(event) => set({ mop: (event.target as HTMLSelectElement).value })}>{names.map((one) => <option key={one} value={one}>{format.short(one, 80)}</option>)}</select></label>
				<span class="soft small">{format.plural(rows.length, "call")}</span>
			</div>
			<div class="grid">
				{[1, 2, 0].map((i) => <SeriesCard key={i} prepared={prepared} rows={rows} metric={i} />)}
				<Card title="Calls" hint="as they stand in the report" wide="half">
					<Table label="Calls" file="calls" most={25} rows={rows} columns={[
						{ title: "row", num: true, cell: (row: number) => <button class="link" onClick={() => set({ op: row + 1, f: null, g: null }, "ops")}>{row}</button>, raw: (row: number) => row },
						...prepared.metrics.map(({ name, field }) => ({ title: name, num: true, cell: (row: number) => format.time(field?.number(row) ?? NaN), raw: (row: number) => field?.number(row) ?? NaN })),
					]} />
				</Card>
				<Card title="Anomalies" hint="beyond three standard deviations from the mean" wide="half" tools={
					<select aria-label="Metric" value={METRIC_NAMES[which]} onChange={(event) => set({ mm: (event.target as HTMLSelectElement).value })}>{METRIC_NAMES.map((one) => <option key={one}>{one}</option>)}</select>}>
					<p class="small soft" style="margin-bottom:8px">mean {format.time(all.mean)} · σ {format.time(all.sd)} (of a sample) · outside {format.time(all.mean - 3 * all.sd)} … {format.time(all.mean + 3 * all.sd)}</p>
					{odd.length === 0 ? <p>None among {format.plural(all.n, "call")}.</p> :
						<Table label="Anomalies" file="anomalies" rows={odd.map((i) => rows[i])} columns={[
							{ title: "row", num: true, cell: (row: number) => <button class="link" onClick={() => set({ op: row + 1, f: null, g: null }, "ops")}>{row}</button>, raw: (row: number) => row },
							{ title: METRIC_NAMES[which], num: true, cell: (row: number) => format.time(metric?.number(row) ?? NaN), raw: (row: number) => metric?.number(row) ?? NaN },
							{ title: "cores", num: true, cell: (row: number) => cores?.text(row) ?? "" },
							{ title: "inputs", cell: (row: number) => tensorsOf(run.ops!, row).filter((t) => t.name.startsWith("input")).map((t) => `${t.shape} ${t.type}`).join("; ") },
							{ title: "attributes", cell: (row: number) => format.short((attributes?.text(row) ?? "").replaceAll(";", ", "), 300) },
						]} />}
				</Card>
			</div>
		</>
	);
}

function SeriesCard(props: { prepared: Prepared; rows: number[]; metric: number }) {
	const { name, field } = props.prepared.metrics[props.metric];
	const x = useMemo(() => [...props.rows], [props.rows]);
	const series = useMemo(() => [{ name, values: props.rows.map((row) => {
		const value = field?.number(row) ?? NaN;
		return Number.isFinite(value) ? value : null;
	}) }], [props.rows, field]);
	return (
		<Card title={name} hint="by row of the report" wide="third">
			{field && x.length ? <Plot label={`${name} of ${x.length} calls`} x={x} xName="row" xText={(value) => String(value)} yText={format.time} series={series} height={190} onPick={(i) => set({ op: x[i] + 1, f: null, g: null }, "ops")} />
				: <p class="soft">The report has no such column.</p>}
			<Behind label="Table"><Table label={name} file={name} rows={x} columns={[{ title: "row", num: true, cell: (row: number) => String(row) }, { title: name, num: true, cell: (row: number) => format.time(field?.number(row) ?? NaN), raw: (row: number) => field?.number(row) ?? NaN }]} /></Behind>
		</Card>
	);
}
