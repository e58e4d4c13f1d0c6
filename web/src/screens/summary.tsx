// SPDX-License-Identifier: Apache-2.0
// Where the time went, in one sentence, one bar and two tables.
import { find } from "../data/ops";
import { accountOf, type Run } from "../data/run";
import type { Account, Finding, Report } from "../data/types";
import * as format from "../logic/format";
import { topGaps, type Gap } from "../logic/gaps";
import { sumOf } from "../logic/groups";
import { foldOps, opView, reported, type OpLine, type OpView } from "../logic/opview";
import { chosenPart, choosePart, inPart, spanOf, terminalPart, type Part } from "../logic/parts";
import { set } from "../state";
import { Card, Figures } from "../ui/card";
import { CATEGORY } from "../ui/colour";
import { notesOn } from "../ui/empty";
import { Behind, Table } from "../ui/table";
import { ZoneSummary } from "./summary_zones";

const US = 1e3;

export function Summary(props: { run: Run }) {
	const { run } = props;
	const view = run.ops ? opView(run.ops) : null;
	if (!view || view.ops.n === 0) return <ZoneSummary run={run} />;
	const part = chosenPart(view.ops);
	const rows = inPart(reported(view), part), lines = foldOps(view, rows);
	const { manifest } = run, own = part ? manifest.parts?.find((one) => one.row === part.from)?.report ?? null : null;
	const report = part ? own : manifest.report;
	return (
		<div class="grid">
			{part && !own ? <PartVerdict part={part} view={view} rows={rows} lines={lines} /> : <Verdict run={run} report={report} part={part} lines={lines} />}
			<Advice findings={(own ?? manifest.report)?.findings ?? []} hint={part && !own ? "; of the whole run" : ""} />
			<TopOps lines={lines} />
			<TopGaps run={run} view={view} rows={rows} />
			<Coverage run={run} account={own?.account} />
		</div>
	);
}

// The terminal's report leaves out what ran before the last signpost; here that is a choice, and both say what they show.
function Shown(props: { run: Run; part: Part | null }) {
	const { part } = props, usual = terminalPart(props.run.ops!);
	if (!usual) return null;
	const name = <b>{format.short(usual.name, 80)}</b>;
	if (part) return <p class="shown">This is the part {format.short(part.name, 80)}{part === usual ? <>, as <code>ttprof report</code> shows it by itself</> : null}; choose “whole run” above for all ops.</p>;
	return <p class="shown">This is the whole run, as <code>ttprof report --ignore-signposts</code> has it. By itself the terminal’s report shows the part {name}: <button class="link" onClick={() => choosePart(usual)}>choose it here</button>.</p>;
}

// Sums of the part's own rows; verdict and advice are of the whole run.
function PartVerdict(props: { part: Part; view: OpView; rows: number[]; lines: OpLine[] }) {
	const { part, view, rows, lines } = props;
	const device = sumOf(rows, view.time), gaps = sumOf(rows, view.gap), span = spanOf(view.ops, part);
	const host = sumOf(rows.filter(view.isHost), find(view.ops, "HOST DURATION [ns]"));
	const title = part.name[0].toUpperCase() + part.name.slice(1);
	return (
		<section class="card" aria-label="Verdict">
			<p class="verdict">{format.short(title, 80)}: {format.time(device)} of ops, {format.time(gaps)} of gaps</p>
			<p>Only this part of the run is shown; choose “whole run” above for the verdict.</p>
			<Split parts={splitTime(lines, device, gaps, 0, host)} />
			<div style="margin-top:16px"><Figures list={[
				["ops", format.count(rows.length)], ["device time", format.time(device)], ["gaps", format.time(gaps)],
				...(span ? [["from first start to last end", format.time(span[1] - span[0])] as [string, string]] : []),
			]} /></div>
		</section>
	);
}

function Split(props: { parts: Share[] }) {
	const { parts } = props;
	const whole = parts.reduce((sum, part) => sum + part.ns, 0);
	return whole > 0 ? <>
		<div class="split" role="img" aria-label={"Split of the time: " + parts.map((part) => `${part.name} ${format.time(part.ns)}`).join(", ")}>
			{parts.map((part) => (
				<span key={part.name} style={{ flex: part.ns / whole, background: part.colour, padding: part.ns / whole < 0.02 ? "0" : undefined }}>
					{part.ns / whole > 0.07 ? `${part.name} ${format.percent((100 * part.ns) / whole, 0)}` : ""}
				</span>
			))}
		</div>
		<ul class="legend">
			{parts.map((part) => (
				<li key={part.name}><i style={{ background: part.colour }} />{part.name} <b>{format.time(part.ns)}</b> <span class="soft">{format.percent((100 * part.ns) / whole)}</span></li>
			))}
		</ul>
	</> : null;
}

function Verdict(props: { run: Run; report: Report | null; part: Part | null; lines: OpLine[] }) {
	const { report } = props;
	const totals = report?.totals ?? {};
	const device = (totals.device_us ?? NaN) * US, gaps = (totals.gap_us ?? NaN) * US, building = (totals.build_gap_us ?? 0) * US, host = (totals.host_us ?? 0) * US;
	const all = device + gaps, said = report?.headline ?? report?.verdict;
	const three = props.lines.slice(0, 3);
	const share = three.reduce((sum, line) => sum + line.time, 0) / device;
	const replays = !(device > 0) && props.lines.some((line) => line.time > 0);
	const sentence = replays ? "Replays of traces: times of the whole, not of the ops in them" : said ? said[0].toUpperCase() + said.slice(1) : "No verdict: there is no report";
	const parts = splitTime(props.lines, device, gaps, building, host);
	return (
		<section class="card" aria-label="Verdict">
			<p class="verdict">{sentence}</p>
			{device > 0 ? <p>
				{format.percent((100 * device) / all, 0)} of the time the device ran ops, {format.percent((100 * gaps) / all, 0)} it waited between them.
				{three.length ? ` The ${three.length === 1 ? "largest op takes" : three.length + " largest take"} ${format.percent(100 * share, 0)} of the device time: ` + three.map((line) => format.short(line.name, 60)).join(", ") + "." : ""}
			</p> : null}
			<Shown run={props.run} part={props.part} />
			<Split parts={parts} />
			<div style="margin-top:16px"><Figures list={figures(props.run, report)} /></div>
		</section>
	);
}

function figures(run: Run, report: Report | null): [string, string][] {
	const { span_ns } = run.manifest;
	const totals = report?.totals ?? {};
	const list: [string, string][] = [];
	const devices = run.manifest.devices?.length ?? 0;
	if (totals.ops !== undefined) list.push([devices > 1 ? "ops of the program" : "ops", format.count(totals.ops)]);
	if (totals.steps) list.push(["steps", format.count(totals.steps)]);
	if (totals.device_us !== undefined) list.push(["device time", format.time(totals.device_us * US)]);
	if (totals.gap_us !== undefined) list.push(["gaps", format.time(totals.gap_us * US)]);
	if (totals.steps && totals.device_us !== undefined) list.push(["device time per step", format.time((totals.device_us * US) / totals.steps)]);
	if (totals.build_gap_us) list.push(["building programs", format.time(totals.build_gap_us * US)]);
	if (totals.profiler_us) list.push(["the profiler itself", format.time(totals.profiler_us * US)]);
	if (totals.pause_us) list.push(["pauses", format.time(totals.pause_us * US)]);
	if (totals.program_cache_misses !== undefined) list.push(["program cache misses", format.count(totals.program_cache_misses)]);
	if (span_ns > 0) list.push(["whole run", format.time(span_ns)]);
	return list;
}

interface Share {
	name: string;
	ns: number;
	colour: string;
}

const CATEGORY_NAMES: { [name: string]: string } = { TM: "shape changes", DM: "data movement", collective: "collectives" };

// Device time by category; what the report counts beyond its ops' sum (rounding, merged devices) stays with the largest.
function splitTime(lines: OpLine[], device: number, gaps: number, building: number, host: number): Share[] {
	const sums = new Map<string, number>();
	for (const line of lines) if (line.category !== "host") sums.set(line.category || "other", (sums.get(line.category || "other") ?? 0) + line.time);
	const sum = [...sums.values()].reduce((a, b) => a + b, 0);
	const parts: Share[] = [...sums].sort((a, b) => b[1] - a[1]).map(([name, ns]) => ({
		name: CATEGORY_NAMES[name] ?? name, ns: device > 0 && sum > 0 ? (ns * device) / sum : ns, colour: CATEGORY[name] ?? CATEGORY.other,
	}));
	if (!parts.length && device > 0) parts.push({ name: "ops", ns: device, colour: CATEGORY.compute });
	parts.push({ name: "gaps", ns: gaps || 0, colour: CATEGORY.gap }, { name: "building", ns: building, colour: CATEGORY.building }, { name: "host", ns: host, colour: CATEGORY.host });
	return parts.filter((part) => part.ns > 0);
}

function Advice(props: { findings: Finding[]; hint: string }) {
	const order = props.findings;
	const item = (finding: Finding, i: number) => (
		<li key={i}>
			<div>{finding.example_id
				? <button class="link" onClick={() => set({ op: finding.example_id! }, "ops")}>{format.short(finding.text, 300)}</button>
				: format.short(finding.text, 300)}</div>
			{finding.saves_us ? <div class="saves">~{format.time(finding.saves_us * US)}</div> : <div />}
			{finding.advice ? <div class="do">→ {format.short(finding.advice, 400)}</div> : null}
		</li>
	);
	return (
		<Card title="What to fix first" hint={`what each could save at most${props.hint}`} wide="wide-third">
			{order.length === 0 ? <p class="soft">Nothing stands out.</p> : <ol class="advice">{order.slice(0, 5).map(item)}</ol>}
			{order.length > 5 ? <Behind label={`${order.length - 5} more`}><ol class="advice">{order.slice(5).map(item)}</ol></Behind> : null}
		</Card>
	);
}

function TopOps(props: { lines: OpLine[] }) {
	const lines = props.lines.filter((line) => line.time > 0), untimed = props.lines.length - lines.length;
	const total = lines.reduce((sum, line) => sum + line.time, 0);
	const most = props.lines[0]?.time ?? 0;
	return (
		<Card title="Top ops" hint="like calls together, by device time" wide="half wide-third">
			{untimed ? <p class="soft small" style="margin-bottom:6px">{format.plural(untimed, "kind of op", "kinds of ops")} without device time left out: host ops, captures of traces, or lost; Ops has all.</p> : null}
			<Table label="Top ops" file="top_ops" most={10} rows={lines} columns={[
				{ title: "op", cell: (line) => <button class="link" onClick={() => set({ op: line.longest + 1, f: "" }, "ops")}><i class="dot" style={{ background: CATEGORY[line.category] ?? CATEGORY.other }} />{format.short(line.name, 90)}</button>, raw: (line) => line.name },
				{ title: "calls", num: true, cell: (line) => format.count(line.rows.length), raw: (line) => line.rows.length },
				{ title: "bound", cell: (line) => line.bound },
				{ title: "device time", num: true, cell: (line) => <div class="inbar"><i style={{ width: (100 * line.time) / most + "%" }} /><span>{format.time(line.time)}</span></div>, raw: (line) => line.time },
				{ title: "share", num: true, cell: (line) => format.percent((100 * line.time) / total), raw: (line) => (100 * line.time) / total },
			]} />
		</Card>
	);
}

function TopGaps(props: { run: Run; view: OpView; rows: number[] }) {
	const gaps = topGaps(props.view, props.rows, 10);
	const hasHost = Boolean(props.run.manifest.programs?.length);
	return (
		<Card title="Gaps" hint="before ops, like ones together; what the host did in the longest of them" wide="half wide-third">
			{gaps.length === 0 ? <p class="soft">No gaps were measured.</p> :
				<Table label="Gaps" file="gaps" rows={gaps} columns={[
					{ title: "before op", cell: (gap: Gap) => <button class="link" onClick={() => goToGap(props.view, gap)}>{format.short(gap.name, 60)}</button>, raw: (gap: Gap) => gap.name },
					{ title: "times", num: true, cell: (gap: Gap) => format.count(gap.count), raw: (gap: Gap) => gap.count },
					{ title: "longest", num: true, cell: (gap: Gap) => format.time(gap.ns), raw: (gap: Gap) => gap.ns },
					{ title: "in all", num: true, cell: (gap: Gap) => format.time(gap.total), raw: (gap: Gap) => gap.total },
					{ title: "host zone", cell: (gap: Gap) => gap.zone ? format.short(gap.zone, 60) : <span class="soft">{gap.known ? "no zone" : hasHost ? "not known" : "no trace of the host"}</span>, raw: (gap: Gap) => gap.zone },
					{ title: "covers", num: true, cell: (gap: Gap) => (gap.zone ? format.percent(100 * gap.covers, 0) : ""), raw: (gap: Gap) => 100 * gap.covers },
				]} />}
		</Card>
	);
}

function goToGap(view: OpView, gap: Gap): void {
	const end = view.start?.number(gap.row) ?? NaN;
	if (!Number.isFinite(end)) set({ op: gap.row + 1 }, "ops");
	else set({ t0: Math.round(end - gap.ns * 1.6), t1: Math.round(end + gap.ns * 0.6), zone: null }, "timeline");
}

export function Coverage(props: { run: Run; account?: Account }) {
	const account = props.account ?? accountOf(props.run.manifest);
	const notes = notesOn([]);
	const devices = props.run.manifest.devices?.length ?? 0, several = devices > 1 ? devices : 0;
	return (
		<Card title="What this covers" hint="nothing that is missing is guessed">
			{account ? <Figures list={[
				[several ? `ops seen, each of ${several} devices counted` : "ops seen", format.count(account.seen)], ["timed", format.count(account.timed)],
				["partly timed", format.count(account.partial)], ["dropped", format.count(account.dropped)],
			]} /> : <p class="soft">There is no account of ops in this run.</p>}
			{account && account.causes?.length ? <ul>{account.causes.map((cause, i) => (
				<li key={i}>{format.short(Object.entries(cause).filter(([, value]) => value !== null && typeof value !== "object").map(([key, value]) => `${key.replace(/_/g, " ")}: ${value}`).join(" · "), 500)}</li>
			))}</ul> : null}
			{notes.length ? <ul>{notes.map((note, i) => <li key={i}>{note}</li>)}</ul> : null}
		</Card>
	);
}
