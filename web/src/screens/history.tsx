// SPDX-License-Identifier: Apache-2.0
// Runs over time: what got slower, between which commits, and by how much.  All figures are those of `ttprof history`.
import { commitOf, dateOf, ends, seriesName, theHistory, type Change, type History, type HistoryRun, type HistorySeries, type Trend } from "../data/history";
import { get, number, set } from "../state";
import * as format from "../logic/format";
import { Card, Facts } from "../ui/card";
import { Empty } from "../ui/empty";
import { Table } from "../ui/table";
import { HistoryChart, Sparkline } from "./history_chart";

interface Shown {
	series: HistorySeries;
	runs: HistoryRun[]; // of the series
	run: number; // the chosen one of them
	trend: Trend;
}

export function HistoryScreen() {
	const history = theHistory.value;
	if (!history) return null;
	if (!history.series.length) return <Empty title="No runs" text="This history has no runs yet: `ttprof history add RUN` keeps one." parts={[]} />;
	const shown = chosen(history);
	return (
		<div class="grid">
			<Finding history={history} shown={shown} />
			<TrendCard shown={shown} />
			<Changes shown={shown} />
			<Trends shown={shown} />
			<Runs shown={shown} />
		</div>
	);
}

const KIND = { slower: "bad", faster: "good", clock: "warn" };
const percent = (value: number | null) => (value === null ? format.NONE : format.signed(value, (size) => format.percent(size, size < 10 ? 2 : 1)));

// Slower and not yet fixed first, then as they came.
const order = (change: Change) => (change.open ? (change.clock ? 1 : 0) : 2);

function allChanges(series: HistorySeries): { trend: Trend; at: number; change: Change }[] {
	return series.trends.flatMap((trend, at) => trend.changes.map((change) => ({ trend, at, change }))).sort((a, b) => order(a.change) - order(b.change));
}

// What the address says; else the series that got slower, its step, or what changed where the step did not; the newest run.
function chosen(history: History): Shown {
	const worst = Math.max(0, history.series.findIndex((one) => one.status === 1));
	const series = history.series[number("hs", worst + 1) - 1] ?? history.series[worst];
	const byId = new Map(history.runs.map((run) => [run.id, run]));
	const runs = series.runs.flatMap((id) => byId.get(id) ?? []);
	const trend = series.trends[number("ht", 0) - 1] ?? (series.trends[0].changes.some((change) => change.open) ? series.trends[0] : allChanges(series)[0]?.trend ?? series.trends[0]);
	const run = runs.findIndex((one) => one.id === number("hr", 0));
	return { series, runs, trend, run: run >= 0 ? run : runs.length - 1 };
}

const STATUS: { [status: number]: string } = { 0: "good", 1: "bad", 3: "warn" };
const labelOf = (trend: Trend) => ({ step: "Step", gaps: "Gaps" } as { [of: string]: string })[trend.of] ?? trend.label;

function Finding(props: { history: History; shown: Shown }) {
	const { history } = props, { series } = props.shown;
	return (
		<section class="card" aria-label="Finding">
			{history.series.length > 1 ? (
				<p class="row"><label>Series <select class="series" value={String(history.series.indexOf(series))} onChange={(event) => set({ hs: Number((event.target as HTMLSelectElement).value) + 1, ht: null, hr: null })}>
					{history.series.map((one, i) => <option key={i} value={String(i)}>{(one.status === 1 ? "slower: " : "") + format.short(seriesName(one), 100)}</option>)}
				</select></label></p>
			) : null}
			<p class={"verdict " + (STATUS[series.status] ?? "")}>{format.short(series.finding, 600)}</p>
			<p class="soft">{format.short(seriesName(series), 200)}: {format.plural(series.runs.length, "run")} in the order of their commits. A change counts from {history.min_percent} % and {format.time(history.min_ns)} on.</p>
		</section>
	);
}

function TrendCard(props: { shown: Shown }) {
	const { runs, run, trend } = props.shown;
	const [first, last] = ends(trend.ns), one = runs[run], value = trend.ns[run];
	const versions = versionsOf(one);
	return (
		<Card title={format.short(labelOf(trend), 120)} hint={Number.isFinite(first) ? `${format.time(first)} → ${format.time(last)} of a step${trend.count > 1 && trend.of !== "step" && trend.of !== "gaps" ? `, ${format.count(trend.count)} ops` : ""}` : "no run has its time"}>
			<HistoryChart trend={trend} runs={runs} chosen={run} choose={(i) => set({ hr: runs[i].id })} />
			<ul class="legend">
				<li><i class="mark slower" />slower</li><li><i class="mark faster" />faster</li>
				{trend.changes.some((change) => change.clock) ? <li><i class="mark clock" />the clock changed</li> : null}
				{trend.changes.length ? <li><i class="mark mean" />mean between changes</li> : null}
			</ul>
			<section class="runbox" aria-label="Run">
				<h3>{format.short(commitOf(one), 60)}, {value === null ? "its time is not known" : format.time(value)}</h3>
				<Facts list={[
					["recorded", dateOf(one.time_s) ? dateOf(one.time_s) + " UTC" : format.NONE],
					...(one.commit_id ? [["commit", <code key="c">{format.short(one.commit_id, 200)}{one.dirty ? " with changed files" : ""}</code>] as [string, preact.ComponentChildren]] : []),
					["step", `${format.time(one.total_ns)}, ${format.time(one.gap_ns)} of it gaps; ${format.plural(one.ops, "op")}, mean of ${format.plural(one.steps, "step")}`],
					["covers", `${format.count(one.timed)} of ${format.count(one.seen)} ops timed` + (one.dropped ? `, ${format.count(one.dropped)} dropped` : "") + (one.part ? `; ${format.short(one.part, 100)}` : "")],
					...(one.mhz > 0 ? [["clock", `${Math.round(one.mhz)} MHz`] as [string, string]] : []),
					...versions.map(([what, version]) => [format.short(what, 40), format.short(version, 100)] as [string, string]),
					...(one.source ? [["run", format.short(one.source, 300)] as [string, string]] : []),
				]} />
			</section>
		</Card>
	);
}

function versionsOf(run: HistoryRun): [string, string][] {
	try {
		return Object.entries(JSON.parse(run.versions || "{}")).map(([what, version]) => [what, String(version)]);
	} catch {
		return [];
	}
}

function TrendLink(props: { shown: Shown; at: number; run?: number }) {
	const trend = props.shown.series.trends[props.at];
	return <button class="link" onClick={() => set({ ht: props.at + 1, ...(props.run ? { hr: props.run } : {}) })}>{format.short(labelOf(trend), 110)}</button>;
}

function Changes(props: { shown: Shown }) {
	const { series, runs, trend } = props.shown;
	const byId = new Map(runs.map((run) => [run.id, run]));
	const rows = allChanges(series);
	const when = (change: Change) => dateOf(byId.get(change.first_bad_run)?.time_s ?? 0);
	const state = (change: Change) => change.note || (change.open ? "still so" : "");
	const range = (change: Change) => {
		const good = commitOf(byId.get(change.last_good_run)), bad = commitOf(byId.get(change.first_bad_run));
		return change.one_commit ? `at ${bad}` : `${good} .. ${bad}`;
	};
	const between = (change: Change) => (change.low_percent === null ? "" : `${percent(change.low_percent)} … ${percent(change.high_percent)}`);
	return (
		<Card title="Changes" hint="that are more than chance, of all ops and gaps; those that still are first">
			{rows.length ? <Table label="Changes" file="changes" rows={rows} most={50} chosen={(row) => row.trend === trend} columns={[
				{ title: "is", cell: ({ change }) => <span class={"chip " + KIND[change.clock ? "clock" : change.verdict]}>{change.verdict}</span>, raw: ({ change }) => change.verdict },
				{ title: "what", cell: ({ at, change }) => <TrendLink shown={props.shown} at={at} run={change.first_bad_run} />, raw: (row) => labelOf(row.trend) },
				{ title: "before", file: "before [ns]", num: true, cell: ({ change }) => format.time(change.before_ns), raw: ({ change }) => change.before_ns },
				{ title: "after", file: "after [ns]", num: true, cell: ({ change }) => format.time(change.after_ns), raw: ({ change }) => change.after_ns },
				{ title: "change", file: "change [%]", num: true, cell: ({ change }) => percent(change.percent), raw: ({ change }) => change.percent ?? NaN },
				{ title: "between", says: "the interval of about 95 %", cell: ({ change }) => between(change) },
				{ title: "commits", says: "the last one measured before it .. the first one after it", cell: ({ change }) => <code class="keep">{format.short(range(change), 60)}</code>, raw: ({ change }) => range(change) },
				{ title: "recorded", cell: ({ change }) => <span class="keep">{when(change)}</span>, raw: ({ change }) => when(change) },
				{ title: "and now", cell: ({ change }) => state(change) },
			]} /> : <p class="soft">Nothing changed for good.</p>}
		</Card>
	);
}

function Trends(props: { shown: Shown }) {
	const { series, runs, trend } = props.shown;
	const filter = get("hf").toLowerCase();
	const rows = series.trends.map((one, at) => ({ one, at })).filter(({ one }) => one.label.toLowerCase().includes(filter));
	type Row = (typeof rows)[number];
	return (
		<Card title="Ops over time" hint="of a step; like ones together" tools={
			<input type="search" aria-label="Search ops" placeholder="search ops" value={get("hf")} onInput={(event) => set({ hf: (event.target as HTMLInputElement).value })} />}>
			{rows.length ? <Table<Row> label="Ops over time" file="ops_over_time" rows={rows} most={50} chosen={({ one }) => one === trend} columns={[
				{ title: "op", cell: ({ at }) => <TrendLink shown={props.shown} at={at} />, raw: ({ one }) => labelOf(one) },
				{ title: "over time", cell: ({ one }) => <Sparkline trend={one} runs={runs} /> },
				{ title: "first", file: "first [ns]", num: true, cell: ({ one }) => format.time(ends(one.ns)[0]), raw: ({ one }) => ends(one.ns)[0] },
				{ title: "newest", file: "newest [ns]", num: true, cell: ({ one }) => format.time(ends(one.ns)[1]), raw: ({ one }) => ends(one.ns)[1] },
				{ title: "ops", num: true, cell: ({ one }) => (one.of === "step" || one.of === "gaps" ? "" : format.count(one.count)), raw: ({ one }) => one.count },
				{ title: "changes", num: true, cell: ({ one }) => format.count(one.changes.length), raw: ({ one }) => one.changes.length },
				{ title: "newest runs", says: "the newest four against those before them, since the last change", cell: ({ one }) => one.newest },
			]} /> : <p class="soft">No op is called so.</p>}
		</Card>
	);
}

function Runs(props: { shown: Shown }) {
	const { series, runs, run } = props.shown;
	const rows = runs.map((one, at) => ({ one, at })).reverse();
	type Row = (typeof rows)[number];
	const counts = (at: number) => series.trends[0].ns[at] !== null;
	return (
		<Card title="Runs" hint="the newest first">
			<Table<Row> label="Runs" file="runs" rows={rows} most={50} chosen={({ at }) => at === run} columns={[
				{ title: "run", num: true, cell: ({ one }) => <button class="link" onClick={() => set({ hr: one.id })}>{one.id}</button>, raw: ({ one }) => one.id },
				{ title: "recorded", cell: ({ one }) => <span class="keep">{dateOf(one.time_s)}</span>, raw: ({ one }) => dateOf(one.time_s) },
				{ title: "commit", cell: ({ one }) => <code>{format.short(commitOf(one), 40)}</code>, raw: ({ one }) => one.commit_id },
				{ title: "step", file: "step [ns]", num: true, cell: ({ one }) => format.time(one.total_ns), raw: ({ one }) => one.total_ns },
				{ title: "gaps", file: "gaps [ns]", num: true, cell: ({ one }) => format.time(one.gap_ns), raw: ({ one }) => one.gap_ns },
				{ title: "ops", num: true, cell: ({ one }) => format.count(one.ops), raw: ({ one }) => one.ops },
				{ title: "timed", num: true, cell: ({ one }) => `${format.count(one.timed)} of ${format.count(one.seen)}`, raw: ({ one }) => one.timed },
				{ title: "clock", file: "clock [MHz]", num: true, cell: ({ one }) => (one.mhz > 0 ? Math.round(one.mhz) + " MHz" : format.NONE), raw: ({ one }) => one.mhz },
				...(rows.some(({ at }) => !counts(at)) ? [{ title: "counts", says: "whether its step is among the values", cell: ({ at }: Row) => (counts(at) ? "" : "no: incomplete") }] : []),
			]} />
		</Card>
	);
}
