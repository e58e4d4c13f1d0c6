// SPDX-License-Identifier: Apache-2.0
// Where the time went, in one sentence, one bar and two tables.
import { accountOf, type Run } from "../data/run";
import type { Account, Finding, Report, TimePart } from "../data/types";
import { withCores, withoutCommands } from "../logic/advice";
import * as format from "../logic/format";
import { topGaps, type Gap } from "../logic/gaps";
import { sumOf } from "../logic/groups";
import { foldOps, opView, reported, type OpLine, type OpView } from "../logic/opview";
import { chosenPart, choosePart, inPart, spanOf, usualPart, type Part } from "../logic/parts";
import { reportOf } from "../logic/reports";
import { rowOfId } from "../logic/sidebyside";
import { set } from "../state";
import { opZone } from "../timeline/pick";
import { Card, Figures, type Figure } from "../ui/card";
import { CATEGORY } from "../ui/colour";
import { notesOn } from "../ui/empty";
import { Split } from "../ui/split";
import { Behind, Table } from "../ui/table";
import { Steps, stepsIn } from "./summary_steps";
import { ZoneSummary } from "./summary_zones";

const US = 1e3;

export function Summary(props: { run: Run }) {
	const { run } = props;
	const view = run.ops ? opView(run.ops) : null;
	if (!view || view.ops.n === 0) return <ZoneSummary run={run} />;
	const part = chosenPart(view.ops);
	const rows = inPart(reported(view), part), lines = foldOps(view, rows);
	const { manifest } = run, report = reportOf(run, part), own = part ? report : null;
	return (
		<div class="grid">
			{part && !own ? <PartVerdict run={run} part={part} view={view} rows={rows} lines={lines} /> : <Verdict run={run} report={report} part={part} lines={lines} />}
			<Steps run={run} part={part} />
			<Advice findings={withCores((own ?? manifest.report)?.findings ?? [], manifest.core_findings ?? [])} hint={part && !own ? "; of the whole run" : ""} />
			<TopOps lines={lines} />
			<TopGaps run={run} view={view} rows={rows} isPart={part !== null} />
			<Coverage run={run} account={own?.account} />
		</div>
	);
}

// The terminal's report leaves out warm-up and what ran before the last signpost; so does this, at first, and says so.
function Shown(props: { run: Run; part: Part | null; report: Report | null }) {
	const { part, report } = props, usual = usualPart(props.run.ops!);
	if (!usual) return null;
	const whole = <button class="link" onClick={() => choosePart(null)}>show the whole run</button>;
	if (part) {
		const warm = report?.source?.steady?.warm_up_us;
		return <p class="shown">Shown: {format.short(report?.source?.part ?? part.name, 120)}{part === usual ? ", as ttprof report shows it by itself" : ""}{warm ? `; aside: ${format.time(warm * US)} of warm-up before it` : ""}; {whole}.</p>;
	}
	return <p class="shown">This is the whole run. By itself ttprof report shows a part, <b>{format.short(usual.name, 80)}</b>: <button class="link" onClick={() => choosePart(usual)}>choose it here</button>.</p>;
}

// A step of a training: C has its shares.  Verdict and advice are of the whole run.
function PartVerdict(props: { run: Run; part: Part; view: OpView; rows: number[]; lines: OpLine[] }) {
	const { run, part, view, rows, lines } = props;
	const device = sumOf(rows, view.time), gaps = sumOf(rows, view.gap), span = spanOf(view.ops, part);
	const title = part.name[0].toUpperCase() + part.name.slice(1);
	const step = stepsIn(run, part)[0];
	return (
		<section class="card" aria-label="Verdict">
			<p class="verdict">{format.short(title, 80)}: {format.time(device)} of ops, {format.time(gaps)} of gaps</p>
			<p>Only this part of the run is shown; choose “whole run” above for the verdict.</p>
			{step ? <Split parts={step.parts} go={(one) => goToPart(run, one)} /> : null}
			<div style="margin-top:16px"><Figures list={[
				["ops", format.count(rows.length), () => set({ f: "" }, "ops")], ["device time", format.time(device)], ["gaps", format.time(gaps)],
				...(span ? [["from first start to last end", format.time(span[1] - span[0]), () => set({ t0: Math.round(span[0]), t1: Math.round(span[1]) }, "timeline")] as Figure] : []),
				["kinds of ops", format.count(lines.length)],
			]} /></div>
		</section>
	);
}

function Verdict(props: { run: Run; report: Report | null; part: Part | null; lines: OpLine[] }) {
	const { report, run } = props;
	const device = (report?.totals?.device_us ?? NaN) * US, said = report?.headline ?? report?.verdict;
	const three = props.lines.slice(0, 3);
	const share = three.reduce((sum, line) => sum + line.time, 0) / device;
	const replays = !(device > 0) && props.lines.some((line) => line.time > 0);
	const sentence = replays ? "Replays of traces: times of the whole, not of the ops in them" : said ? said[0].toUpperCase() + said.slice(1) : "No verdict: there is no report";
	return (
		<section class="card" aria-label="Verdict">
			<p class="verdict">{format.short(sentence, 600)}</p>
			{device > 0 && three.length ? <p>
				{`The ${three.length === 1 ? "largest op takes" : three.length + " largest take"} ${format.percent(100 * share, 0)} of the device time: `}
				{three.map((line, i) => <span key={i}>{i ? ", " : ""}<button class="link" onClick={() => set({ op: line.longest + 1, f: "" }, "ops")}>{format.short(line.name, 60)}</button></span>)}.
			</p> : null}
			<Shown run={run} part={props.part} report={report} />
			<Split parts={report?.time_parts ?? []} go={(one) => goToPart(run, one)} />
			<div style="margin-top:16px"><Figures list={figures(run, report)} /></div>
		</section>
	);
}

// Where a share is seen best: ops of a category in their table; what lies between ops in the timeline, at the op that has most of it.
const FILTERS: { [part: string]: string } = { "compute": "compute", "shape changes": "TM", "data movement": "DM", "collectives": "collective", "other ops": "other" };

function goToPart(run: Run, one: TimePart): void {
	if (FILTERS[one.part]) set({ f: `category:${FILTERS[one.part]}`, op: null, g: null }, "ops");
	else if (one.example_id) goToRow(run, opView(run.ops!), rowOfId(run.ops!, one.example_id), NaN);
	else set({}, "timeline");
}

function figures(run: Run, report: Report | null): Figure[] {
	const { span_ns } = run.manifest;
	const totals = report?.totals ?? {};
	const list: Figure[] = [];
	const devices = run.manifest.devices?.length ?? 0;
	const part = (name: string) => report?.time_parts?.find((one) => one.part === name);
	const example = (...names: string[]) => {
		const one = names.map(part).filter((found): found is TimePart => found !== undefined).sort((a, b) => b.us - a.us)[0];
		return one ? () => goToPart(run, one) : undefined;
	};
	const time = (us: number) => format.time(us * US);
	if (totals.ops !== undefined) list.push([devices > 1 ? "ops of the program" : "ops", format.count(totals.ops), () => set({ f: "", g: null, op: null }, "ops")]);
	if (totals.steps) list.push(["steps", format.count(totals.steps), () => set({ mp: "steps" }, "model")]);
	if (totals.device_us !== undefined) list.push(["device time", time(totals.device_us), () => set({ f: "", g: "op", op: null }, "ops")]);
	if (totals.gap_us !== undefined) list.push(["gaps", time(totals.gap_us), example("launch", "host work", "gaps", "replay gaps")]);
	if (totals.steps && totals.device_us !== undefined) list.push(["device time per step", time(totals.device_us / totals.steps), () => set({ mp: "steps" }, "model")]);
	if (totals.build_gap_us) list.push(["building programs", time(totals.build_gap_us), example("building programs")]);
	if (totals.profiler_us) list.push(["the profiler itself", time(totals.profiler_us), example("profiler")]);
	if (totals.pause_us) list.push(["pauses", time(totals.pause_us), example("pauses")]);
	if (totals.host_us) list.push(["ops on the host", time(totals.host_us), () => set({ f: "category:host", op: null, g: null }, "ops")]);
	if (totals.program_cache_misses !== undefined) list.push(["program cache misses", format.count(totals.program_cache_misses)]);
	const [pool] = (run.manifest.pools ?? []).filter((one) => one.peak_bytes > 0).sort((a, b) => b.peak_bytes - a.peak_bytes);
	if (pool) list.push([`most in use of ${format.short(pool.name, 40)}`, format.bytes(pool.peak_bytes), () => set({}, "memory")]);
	if (span_ns > 0) list.push(["whole run", format.time(span_ns), () => set({ t0: 0, t1: Math.round(span_ns), zone: null, sel: null }, "timeline")]);
	return list;
}

function Advice(props: { findings: Finding[]; hint: string }) {
	const order = props.findings;
	const go = (finding: Finding) => (finding.x !== undefined ? () => set({ hd: finding.device ?? 0, core: `${finding.x},${finding.y}`, hop: null, hname: null, hm: null }, "cores")
		: finding.example_id ? () => set({ op: finding.example_id! }, "ops") : null);
	const item = (finding: Finding, i: number) => (
		<li key={i}>
			<div>{go(finding)
				? <button class="link" onClick={go(finding)!}>{format.short(withoutCommands(finding.text), 300)}</button>
				: format.short(withoutCommands(finding.text), 300)}</div>
			{finding.saves_us ? <div class="saves">~{format.time(finding.saves_us * US)}</div> : <div />}
			{finding.advice && withoutCommands(finding.advice) ? <div class="do">→ {format.short(withoutCommands(finding.advice), 400)}</div> : null}
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

function TopGaps(props: { run: Run; view: OpView; rows: number[]; isPart: boolean }) {
	const gaps = topGaps(props.view, props.rows, 10, props.isPart);
	const hasHost = Boolean(props.run.manifest.programs?.length), columns = hasHost || gaps.some((gap) => gap.zone);
	return (
		<Card title="Gaps" hint={"before ops, like ones together" + (columns ? "; what the host did in the longest of them" : "; no trace says what the host did in them")} wide="half wide-third">
			{gaps.length === 0 ? <p class="soft">No gaps were measured.</p> :
				<Table label="Gaps" file="gaps" rows={gaps} columns={[
					{ title: "before op", cell: (gap: Gap) => <button class="link" onClick={() => goToRow(props.run, props.view, gap.row, gap.ns)}>{format.short(gap.name, 60)}</button>, raw: (gap: Gap) => gap.name },
					{ title: "times", num: true, cell: (gap: Gap) => format.count(gap.count), raw: (gap: Gap) => gap.count },
					{ title: "longest", num: true, cell: (gap: Gap) => format.time(gap.ns), raw: (gap: Gap) => gap.ns },
					{ title: "in all", num: true, cell: (gap: Gap) => format.time(gap.total), raw: (gap: Gap) => gap.total },
					...(columns ? [
						{ title: "host zone", cell: (gap: Gap) => gap.zone ? <button class="link" onClick={() => set({ q: gap.zone }, "timeline")}>{format.short(gap.zone, 60)}</button> : <span class="soft">{gap.known ? "no zone" : hasHost ? "not known" : "no trace of the host"}</span>, raw: (gap: Gap) => gap.zone },
						{ title: "covers", num: true, cell: (gap: Gap) => (gap.zone ? format.percent(100 * gap.covers, 0) : ""), raw: (gap: Gap) => 100 * gap.covers },
					] : []),
				]} />}
		</Card>
	);
}

// The op, and what came before it, as far as it lies in time.
function goToRow(run: Run, view: OpView, row: number, gapNs: number): void {
	const end = view.start?.number(row) ?? NaN, ns = Number.isFinite(gapNs) ? gapNs : Math.max(view.gap?.number(row) || 0, view.time?.number(row) || 0);
	if (row < 0 || !Number.isFinite(end) || !(ns > 0)) set({ op: row + 1 || null, f: "" }, "ops");
	else set({ t0: Math.round(end - ns * 1.6), t1: Math.round(end + ns * 0.6), zone: opZone(run, row), sel: null }, "timeline");
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
