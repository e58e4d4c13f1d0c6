// SPDX-License-Identifier: Apache-2.0
// Is NEW faster than BASE, and which ops make the difference: all figures are those of `ttprof compare`.
import { useEffect } from "preact/hooks";
import { theComparison, type CompareLine, type Comparison, type Contribution } from "../data/comparison";
import { chooseRun, get, number, set } from "../state";
import { nameOfRun, openEntry, runs, type RunEntry } from "../data/current";
import type { Run } from "../data/run";
import * as format from "../logic/format";
import { Card } from "../ui/card";
import { DeltaBar, deltaScale, type Delta } from "../ui/delta";
import { Empty } from "../ui/empty";
import { Table, type Column } from "../ui/table";
import { CompareCores } from "./compare_cores";
import { CompareOp } from "./compare_op";
import { CompareTimeline } from "./compare_timeline";

export interface Sides {
	base: RunEntry;
	new: RunEntry;
}

export function Compare(_props: { run: Run }) {
	const compared = theComparison.value;
	const base = runs.value.find((entry) => entry.side === "base"), other = runs.value.find((entry) => entry.side === "new");
	useEffect(() => {
		for (const entry of [base, other]) if (entry) openEntry(entry).catch(() => undefined);
	}, [base, other]);
	if (!compared || !base || !other) return <Empty title="One run alone" text="A page of two runs, BASE and NEW, compares them." parts={[]} />;
	const sides = { base, new: other };
	const chosen = chosenLine(compared);
	return (
		<div class="grid">
			<Verdict compared={compared} />
			<Explains compared={compared} chosen={chosen} />
			{chosen >= 0 ? <>
				<CompareTimeline compared={compared} sides={sides} line={chosen} />
				<CompareOp compared={compared} sides={sides} line={chosen} />
				<CompareCores compared={compared} sides={sides} line={chosen} />
			</> : null}
			<AllOps compared={compared} chosen={chosen} />
			<TheRuns />
		</div>
	);
}

// The one in the address, else what changes most.
function chosenLine(compared: Comparison): number {
	const line = number("line", 0) - 1;
	if (line >= 0 && line < compared.lines.length) return line;
	return compared.contributions[0]?.line ?? (compared.lines.length ? 0 : -1);
}

const KIND: { [verdict: string]: string } = { faster: "good", slower: "bad", "can't tell": "warn", new: "note", gone: "note" };

export function VerdictChip(props: { text: string }) {
	return props.text ? <span class={"chip " + (KIND[props.text] ?? "")}>{props.text}</span> : null;
}

function percent(value: number | null): string {
	return value === null ? format.NONE : format.signed(value, (size) => format.percent(size, size < 10 ? 2 : 1));
}

const change = (ns: number) => format.signed(ns, format.time);

function Verdict(props: { compared: Comparison }) {
	const { compared } = props;
	return (
		<section class="card" aria-label="Verdict">
			<p class={"verdict " + (KIND[compared.verdict] ?? "")}>{format.short(compared.finding, 1000)}</p>
			<p>{compared.wish ? format.short(compared.wish, 300) + ". " : ""}{format.short(compared.ground, 1500)}</p>
			<div class="totals"><Table label="Totals" fixed rows={compared.totals} columns={[
				{ title: "of a step", cell: (one) => (one.of === "step" ? "all" : one.of) },
				{ title: "BASE", num: true, cell: (one) => format.time(one.base_ns), raw: (one) => one.base_ns },
				{ title: "NEW", num: true, cell: (one) => format.time(one.new_ns), raw: (one) => one.new_ns },
				{ title: "change", num: true, cell: (one) => change(one.by_ns), raw: (one) => one.by_ns },
				{ title: "of it", num: true, cell: (one) => percent(one.percent) },
			]} /></div>
		</section>
	);
}

// A line's own interval is of its time; gaps have none.
function deltaOf(compared: Comparison, one: Contribution): Delta {
	const line = compared.lines[one.line];
	return one.of === "time" ? { by: one.by_ns, low: line.low_ns ?? null, high: line.high_ns ?? null } : { by: one.by_ns, low: null, high: null };
}

function LineLink(props: { compared: Comparison; line: number; before?: string }) {
	const { line } = props;
	return <button class="link" onClick={() => set({ line: line + 1 })}>{props.before}{format.short(props.compared.lines[line].op, 90)}</button>;
}

function Explains(props: { compared: Comparison; chosen: number }) {
	const { compared, chosen } = props, { contributions, lines } = compared;
	const whole = get("cmp") === "all";
	const shown = whole ? contributions : contributions.slice(0, compared.explaining);
	const scale = deltaScale(shown.map((one) => deltaOf(compared, one)));
	const verdict = (one: Contribution) => {
		const line = lines[one.line];
		return one.of === "gap" ? "" : line.change === "new" || line.change === "gone" ? line.change : line.verdict ?? "";
	};
	const between = (one: Contribution) => {
		const { low, high } = deltaOf(compared, one);
		return low === null || high === null ? "" : `${change(low)} … ${change(high)}`;
	};
	const columns: Column<Contribution>[] = [
		{ title: "what", cell: (one) => <LineLink compared={compared} line={one.line} before={one.of === "gap" ? "gap before " : ""} />, raw: (one) => (one.of === "gap" ? "gap before " : "") + lines[one.line].op },
		{ title: "change", file: "change [ns]", num: true, cell: (one) => change(one.by_ns), raw: (one) => one.by_ns },
		{ title: "as a bar", cell: (one) => <DeltaBar delta={deltaOf(compared, one)} scale={scale} /> },
		{ title: "of it", says: "of what it was in BASE", file: "of it [%]", num: true, cell: (one) => percent(one.percent), raw: (one) => one.percent ?? NaN },
		{ title: "between", says: "the interval of about 95 %, of its time", cell: (one) => <span class="keep">{between(one)}</span>, raw: between },
		{ title: "verdict", cell: (one) => <VerdictChip text={verdict(one)} />, raw: verdict },
		{ title: "ops", says: "of a step", num: true, cell: (one) => format.count(lines[one.line].count), raw: (one) => lines[one.line].count },
	];
	const because = (one: Contribution) => (one.of === "gap" ? lines[one.line].gap_cause ?? "" : lines[one.line].cause);
	if (shown.some((one) => because(one))) columns.push({ title: "because", cell: (one) => format.short(because(one), 300) });
	return (
		<Card title="What explains it" hint={contributions.length ? `${compared.explaining} of ${format.plural(contributions.length, "difference")} explain 95 %; all together are ${change(compared.change_ns)}` : "times and gaps of a step"}
			tools={contributions.length > compared.explaining ? <button aria-pressed={whole} onClick={() => set({ cmp: whole ? null : "all" })}>All differences</button> : undefined}>
			{contributions.length ? <Table label="What explains it" file="differences" rows={shown} columns={columns} most={100} chosen={(one) => one.line === chosen} />
				: <p class="soft">{compared.common_ops ? "Nothing differs: every op takes as long as before." : "No op is on both sides: there is nothing to compare."}</p>}
		</Card>
	);
}

const CHOICES: [string, string, (line: CompareLine) => boolean][] = [
	["", "all", () => true],
	["slower", "slower", (line) => line.verdict === "slower"],
	["faster", "faster", (line) => line.verdict === "faster"],
	["open", "can't tell", (line) => line.verdict === "can't tell"],
	["changed", "changed", (line) => line.change === "changed"],
	["new", "new", (line) => line.change === "new"],
	["gone", "gone", (line) => line.change === "gone"],
];

function AllOps(props: { compared: Comparison; chosen: number }) {
	const { compared, chosen } = props, { lines } = compared;
	const which = CHOICES.find(([key]) => key === get("csort")) ?? CHOICES[0];
	const rows = lines.map((line, at) => ({ line, at })).filter(({ line }) => which[2](line));
	const by = new Map(compared.contributions.map((one) => [`${one.line} ${one.of}`, one]));
	const timeOf = (at: number) => by.get(at + " time");
	type Row = (typeof rows)[number];
	const there = (row: Row, side: "base" | "new") => row.line.change !== (side === "base" ? "new" : "gone");
	const value = (row: Row, side: "base" | "new", ns: number) => (there(row, side) ? format.time(ns) : <span class="soft">none</span>);
	return (
		<Card title="All ops" hint="of a step, like ones together, the same columns side by side" tools={
			<>{CHOICES.map(([key, name, holds]) => {
				const n = lines.filter(holds).length;
				return n || !key ? <button key={key} aria-pressed={which[0] === key} onClick={() => set({ csort: key || null })}>{name} {format.count(n)}</button> : null;
			})}</>}>
			<Table<Row> label="All ops" file="compared_ops" rows={rows} most={50} chosen={(row) => row.at === chosen} columns={[
				{ title: "op", cell: (row) => <LineLink compared={compared} line={row.at} />, raw: (row) => row.line.op },
				{ title: "is", cell: (row) => (row.line.change === "kept" ? "" : row.line.change) },
				{ title: "ops", num: true, cell: (row) => format.count(row.line.count), raw: (row) => row.line.count },
				{ title: "BASE", file: "BASE [ns]", num: true, cell: (row) => value(row, "base", row.line.base_ns), raw: (row) => row.line.base_ns },
				{ title: "NEW", file: "NEW [ns]", num: true, cell: (row) => value(row, "new", row.line.new_ns), raw: (row) => row.line.new_ns },
				{ title: "change", file: "change [ns]", num: true, cell: (row) => change(timeOf(row.at)?.by_ns ?? 0), raw: (row) => timeOf(row.at)?.by_ns ?? 0 },
				{ title: "of it", file: "of it [%]", num: true, cell: (row) => percent(timeOf(row.at)?.percent ?? (row.line.base_ns > 0 ? 0 : null)), raw: (row) => timeOf(row.at)?.percent ?? (row.line.base_ns > 0 ? 0 : NaN) },
				{ title: "verdict", cell: (row) => <VerdictChip text={row.line.verdict ?? ""} />, raw: (row) => row.line.verdict ?? "" },
				{ title: "gaps BASE", file: "gaps BASE [ns]", num: true, cell: (row) => value(row, "base", row.line.base_gap_ns), raw: (row) => row.line.base_gap_ns },
				{ title: "gaps NEW", file: "gaps NEW [ns]", num: true, cell: (row) => value(row, "new", row.line.new_gap_ns), raw: (row) => row.line.new_gap_ns },
				{ title: "because", cell: (row) => format.short(row.line.cause, 200) },
			]} />
			{rows.length ? null : <p class="soft">None of the ops is so.</p>}
		</Card>
	);
}

function TheRuns() {
	const list = runs.value.map((entry, i) => ({ entry, i }));
	return (
		<Card title="Runs" hint="in this page; all other screens show one of them">
			<Table label="Runs" rows={list} columns={[
				{ title: "side", cell: ({ entry }) => entry.side.toUpperCase() },
				{ title: "run", cell: ({ entry }) => format.short(entry.name, 200) },
				{ title: "look at it", cell: ({ entry, i }) => (
					<span class="row">{(["summary", "timeline", "ops"] as const).map((name) => <button key={name} class="link" aria-label={`${name} of ${nameOfRun(entry)}`} onClick={() => chooseRun(i, {}, name)}>{name}</button>)}</span>
				) },
			]} />
		</Card>
	);
}
